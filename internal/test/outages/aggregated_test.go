package outages_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
)

var gadgetDefinition = customresource.Definition("NS.example.com", "Gadget",
	"spec: {type: object, properties: {size: {type: integer}}}")

const gadget = `
apiVersion: NS.example.com/v1
kind: Gadget
metadata: {name: web, namespace: NS}
spec: {size: 1}
`

// A group whose own API server is broken breaks no other group, and its objects are not taken for gone.
func TestBrokenAggregatedAPI(t *testing.T) {
	s, other := newStage(t), newStage(t)
	s.configure(s.manifest("definition", gadgetDefinition),
		s.manifest("test", gadget, "depends_on = [k8sconnect_manifest.definition]"))
	s.exits(nothing, "apply", "-auto-approve")
	s.settled()

	repair := s.breakGroup(s.namespace + ".example.com")
	other.configure(other.many("many", 3))
	other.exits(nothing, "apply", "-auto-approve")
	other.expectAll("many", 3)
	other.settled()
	other.exits(nothing, "destroy", "-auto-approve")

	said := s.exits(refused, "plan")
	s.says(said, "API Server Error", "Gadget "+s.namespace+"/web ("+s.namespace+".example.com/v1) could not be read")
	for name, args := range map[string][]string{
		"refresh": {"apply", "-refresh-only", "-auto-approve"},
		"destroy": {"destroy", "-auto-approve", "-refresh=false", "-target=k8sconnect_manifest.test"},
	} {
		said := s.exits(refused, args...)
		s.says(said, "API Server Error", "Gadget "+s.namespace+"/web")
		if s.state()["k8sconnect_manifest.test"] == "" {
			t.Fatalf("%s: the object left the state", name)
		}
	}
	newcomer := newStage(t)
	newcomer.configure(newcomer.manifest("new", strings.ReplaceAll(strings.ReplaceAll(gadget, "NS.example", s.namespace+".example"), "web", "new")))
	newcomer.says(newcomer.exits(refused, "plan"), "API Server Error", "Gadget "+newcomer.namespace+"/new", "could not be planned")

	repair()
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

var services = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// breakGroup makes the API server look for a group behind a Service that has no endpoints.
func (s *stage) breakGroup(group string) (repair func()) {
	s.Helper()
	name, path := "v1."+group, "/apis/"+group+"/v1"
	client := s.dynamic.Resource(services)
	serving := func() bool {
		_, err := s.typed.Discovery().RESTClient().Get().AbsPath(path).DoRaw(s.Context())
		return err == nil
	}
	_, err := s.typed.CoreV1().RESTClient().Post().AbsPath("/api/v1/namespaces/" + s.namespace + "/services").
		Body([]byte(`{"metadata":{"name":"nowhere"},"spec":{"ports":[{"port":443}]}}`)).DoRaw(s.Context())
	must(s.T, err)
	_, err = client.Patch(s.Context(), name, types.MergePatchType, []byte(`{
		"metadata": {"labels": {"kube-aggregator.kubernetes.io/automanaged": null}},
		"spec": {"insecureSkipTLSVerify": true, "service": {"name": "nowhere", "namespace": "`+s.namespace+`", "port": 443}}}`),
		metav1.PatchOptions{})
	must(s.T, err)
	s.await("the group is broken", func() bool { return !serving() })
	return func() {
		s.Helper()
		if err := client.Delete(s.Context(), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			must(s.T, err)
		}
		s.await("the group is served again", serving)
	}
}
