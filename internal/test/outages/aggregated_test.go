package outages_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

var gadgetDefinition = customresource.Definition("NS.example.com", "Gadget",
	"spec: {type: object, properties: {size: {type: integer}}}")

const gadget = `
apiVersion: NS.example.com/v1
kind: Gadget
metadata: {name: web, namespace: NS}
spec: {size: 1}
`

// An apply takes back the trust in an API service that another manager has switched to the other member of the union. The
// service has no server, so that its group is not available meanwhile.
func TestObstacleOfAnAPIService(t *testing.T) {
	s := newStage(t)
	const service = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.NS.example.net}\nspec:\n" +
		"  {group: NS.example.net, version: v1, groupPriorityMinimum: 100, versionPriority: 100, service: {name: web, namespace: NS}, caBundle: Zm9v}\n"
	s.Configure(s.Manifest("test", service))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.As("editor").Put(apiTarget, func(object map[string]any) {
		spec := object["spec"].(map[string]any)
		delete(spec, "caBundle")
		spec["insecureSkipTLSVerify"] = true
	})
	s.Configure(s.Manifest("test", service, story.OrFail))
	s.says(s.exits(story.Refused, "plan"), "nothing is applied, because on_conflict is")
	s.Configure(s.Manifest("test", service))
	s.says(s.exits(story.Nothing, "apply", "-auto-approve"), `spec.insecureSkipTLSVerify: "true", removed, owned by "editor"`)
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// A group whose own API server is broken breaks no other group, and its objects are not taken for gone.
func TestBrokenAggregatedAPI(t *testing.T) {
	s := newStage(t)
	other := s.another()
	s.Configure(s.Manifest("definition", gadgetDefinition),
		s.Manifest("test", gadget, "depends_on = [k8sconnect_manifest.definition]"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()

	repair := s.breakGroup(s.Namespace + ".example.com")
	other.Configure(other.many("many", 3))
	other.exits(story.Nothing, "apply", "-auto-approve")
	other.expectAll("many", 3)
	other.settled()
	other.exits(story.Nothing, "destroy", "-auto-approve")

	said := s.exits(story.Refused, "plan")
	s.says(said, "API Not Available", "Gadget "+s.Namespace+"/web ("+s.Namespace+".example.com/v1) could not be read")
	for name, args := range map[string][]string{
		"refresh": {"apply", "-refresh-only", "-auto-approve"},
		"destroy": {"destroy", "-auto-approve", "-refresh=false", "-target=k8sconnect_manifest.test"},
	} {
		said := s.exits(story.Refused, args...)
		s.says(said, "API Not Available", "Gadget "+s.Namespace+"/web")
		if s.state()["k8sconnect_manifest.test"] == "" {
			t.Fatalf("%s: the object left the state", name)
		}
	}
	newcomer := s.another()
	newcomer.Configure(newcomer.Manifest("new", strings.ReplaceAll(strings.ReplaceAll(gadget, "NS.example", s.Namespace+".example"), "web", "new")))
	newcomer.says(newcomer.exits(story.Nothing, "plan"), "API Not Available Yet: "+s.Namespace+".example.com/v1", "Gadget "+newcomer.Namespace+"/new",
		"kubectl get apiservice v1."+s.Namespace+".example.com")

	repair()
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// breakGroup makes the API server look for a group behind a Service that has no endpoints.
func (s *stage) breakGroup(group string) (repair func()) {
	s.T.Helper()
	name, path := "v1."+group, "/apis/"+group+"/v1"
	serving := func() bool {
		_, err := s.Typed.Discovery().RESTClient().Get().AbsPath(path).DoRaw(s.T.Context())
		return err == nil
	}
	s.As("kubectl").Create("{apiVersion: v1, kind: Service, metadata: {name: nowhere, namespace: NS}, spec: {ports: [{port: 443}]}}")
	s.As("kubectl").Patch("apiregistration.k8s.io/v1 APIService "+name, `{
		"metadata": {"labels": {"kube-aggregator.kubernetes.io/automanaged": null}},
		"spec": {"insecureSkipTLSVerify": true, "service": {"name": "nowhere", "namespace": "NS", "port": 443}}}`)
	s.Await("the group is broken", func() bool { return !serving() })
	return func() {
		s.T.Helper()
		services := s.Resource("apiregistration.k8s.io/v1", "APIService", "")
		if err := services.Delete(s.T.Context(), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			story.Must(s.T, err)
		}
		s.Await("the group is served again", serving)
	}
}
