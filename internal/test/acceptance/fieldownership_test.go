package acceptance_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: shop}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx:1.29
        ports: [{containerPort: 80}]
`

// fiveManagers makes a Deployment that two appliers, kubectl edit, kubectl scale and the Deployment
// controller wrote to, and waits until the controller has nothing left to write.
func (s *countingReader) fiveManagers() {
	s.T.Helper()
	s.As("k8sconnect").Apply(deployment)
	time.Sleep(time.Second) // The server orders appliers by the second.
	s.As("flux").Apply("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {team: shop, owner: flux}}\n")
	s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":0,"revisionHistoryLimit":7}}`)
	s.As("kubectl").Patch(story.Web, `{"spec":{"replicas":2}}`, "scale")
	s.Await("the Deployment is rolled out", func() bool {
		live := s.Live(story.Web)
		number := func(path ...string) int64 {
			n, _, _ := unstructured.NestedInt64(live.Object, path...)
			return n
		}
		return number("status", "observedGeneration") == live.GetGeneration() && number("status", "availableReplicas") == 2 &&
			strings.Contains(fmt.Sprint(live.Object["status"]), "NewReplicaSetAvailable")
	})
}

// Five managers are told apart, with what they share, what no manager owns, and the same annotated text from the data
// source and from the function.
func TestFieldOwnership(t *testing.T) {
	s := newCountingReader(t)
	s.fiveManagers()
	live, err := s.Live(story.Web).MarshalJSON()
	story.Must(t, err)
	web := objectArguments("apps/v1", "Deployment", "web")
	s.run(resource.TestStep{
		Config: s.providerBlock() +
			ownershipBlock("web", web) +
			ownershipBlock("status", web, "include_status = true") +
			ownershipBlock("part", web, "path = \"spec.template.spec.containers[0]\"", "namespace = \""+s.Namespace+"\"") +
			ownershipBlock("flux", web, "manager = \"flu*\"") +
			fmt.Sprintf("locals {\n  live = %q\n}\n", live) +
			"output \"annotated\" {\n  value = provider::k8sconnect::annotate_yaml(local.live)\n}\n" +
			"output \"parsed\" {\n  value = provider::k8sconnect::parse_managed_fields(local.live)\n}\n",
		ConfigStateChecks: expect(func(seen map[string]seen, outputs map[string]*tfjson.StateOutput) error {
			for _, check := range []error{
				checkWhole(s, seen["web"]), checkStatus(seen["status"], outputs), checkPart(seen["part"]), checkManager(seen["flux"]),
			} {
				if check != nil {
					return check
				}
			}
			return nil
		}),
	})
}

func checkWhole(s *countingReader, web seen) error {
	counts := map[string]int{"k8sconnect": 8, "flux": 2, "kubectl": 1, "kubectl-edit": 1, "kube-controller-manager": 2}
	var want []string
	for _, entry := range s.Live(story.Web).GetManagedFields() {
		of := seenOwner{Manager: entry.Manager, Operation: string(entry.Operation)}
		if entry.Subresource != "" {
			of.Subresource = &entry.Subresource
		}
		want = append(want, fmt.Sprint(of, " ", counts[entry.Manager]))
	}
	if err := diff("managers", want, web.managers()); err != nil || len(want) != len(counts) {
		return fmt.Errorf("of %d managers: %w", len(counts), err)
	}
	for path, want := range map[string]string{
		"metadata.labels.team": "shop: k8sconnect Apply, flux Apply",
		"spec.replicas":        "2: kubectl/scale Update",
		"spec.selector":        `{"matchLabels":{"app":"web"}}: k8sconnect Apply`,
		`spec.template.spec.containers[name="app"]`: "null: k8sconnect Apply",
		"metadata.annotations":                      "null: kube-controller-manager/status Update",
		"status.replicas":                           "",
	} {
		if got := web.field(path); got != want {
			return fmt.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for _, manager := range web.Managers {
		_, err := time.Parse(time.RFC3339, deref(manager.Time))
		if isScale := manager.Subresource != nil && *manager.Subresource == "scale"; manager.APIVersion != "apps/v1" || isScale != (err != nil) {
			return fmt.Errorf("%s: API version %s, time %q", manager, manager.APIVersion, deref(manager.Time))
		}
	}
	var unowned []string
	for _, field := range web.Unowned {
		unowned = append(unowned, field.Path+"="+field.Value)
		if strings.HasPrefix(field.Path, "status") || field.Path == "metadata.uid" {
			return fmt.Errorf("%s is unowned", field.Path)
		}
	}
	for _, want := range []string{
		"spec.strategy.type=RollingUpdate", `spec.template.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"].protocol=TCP`,
	} {
		if !slices.Contains(unowned, want) {
			return fmt.Errorf("%s is not among the unowned %v", want, unowned)
		}
	}
	if len(web.Stale) != 0 || deref(web.Namespace) != s.Namespace {
		return fmt.Errorf("stale %v, namespace %s", web.Stale, deref(web.Namespace))
	}
	return nil
}

func checkStatus(status seen, outputs map[string]*tfjson.StateOutput) error {
	if got := status.field("status.replicas"); got != "2: kube-controller-manager/status Update" {
		return fmt.Errorf("status.replicas is %q", got)
	}
	if err := diff("text of the function", status.AnnotatedYAML, outputs["annotated"].Value); err != nil {
		return err
	}
	if !regexp.MustCompile(`(?m)^    team: shop +# k8sconnect, flux$`).MatchString(status.AnnotatedYAML) {
		return fmt.Errorf("the label's owners are missing in\n%s", status.AnnotatedYAML)
	}
	parsed, isMap := outputs["parsed"].Value.(map[string]any)
	if !isMap || len(parsed) != len(status.Fields) {
		return fmt.Errorf("the function has %d fields, the data source %d", len(parsed), len(status.Fields))
	}
	for _, field := range status.Fields {
		text, err := json.Marshal(parsed[field.Path])
		if err != nil {
			return err
		}
		var owners []seenOwner
		if err := json.Unmarshal(text, &owners); err != nil {
			return err
		}
		if err := diff("owners of "+field.Path+" by the function", field.Owners, owners); err != nil {
			return err
		}
	}
	return nil
}

func checkPart(part seen) error {
	if err := diff("managers of the part", []string{"k8sconnect Apply 5"}, part.managers()); err != nil {
		return err
	}
	for _, field := range part.Unowned {
		if !strings.HasPrefix(field.Path, `spec.template.spec.containers[name="app"].`) {
			return fmt.Errorf("%s is not in the part", field.Path)
		}
	}
	if len(part.Unowned) == 0 || strings.Contains(part.AnnotatedYAML, "replicas") {
		return fmt.Errorf("unowned %v, annotated\n%s", part.Unowned, part.AnnotatedYAML)
	}
	return nil
}

func checkManager(flux seen) error {
	if err := diff("managers", []string{"flux Apply 2"}, flux.managers()); err != nil {
		return err
	}
	if len(flux.Fields) != 2 || len(flux.Unowned) != 0 || flux.field("metadata.labels.team") != "shop: k8sconnect Apply, flux Apply" {
		return fmt.Errorf("fields %v, unowned %v", flux.Fields, flux.Unowned)
	}
	return nil
}

// A field that its owner released is unowned, and one that the server keeps no value of is stale.
func TestUnownedAndStale(t *testing.T) {
	s := newCountingReader(t)
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS, labels: {}}\ndata: {a: x, b: z}\n"
	s.As("flux").Apply(body)
	entries := s.Live(webConfigMap).GetManagedFields()
	entries[0].FieldsV1.SetRawBytes([]byte(`{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{}}}`))
	released, err := json.Marshal(map[string]any{"metadata": map[string]any{"managedFields": entries}})
	story.Must(t, err)
	s.As("flux").Patch(webConfigMap, string(released))
	s.run(resource.TestStep{
		Config: s.providerBlock() + ownershipBlock("web", objectArguments("v1", "ConfigMap", "web")),
		ConfigStateChecks: expect(func(seen map[string]seen, _ map[string]*tfjson.StateOutput) error {
			web := seen["web"]
			if len(web.Stale) != 1 || web.Stale[0].Path != "metadata.labels" || names(web.Stale[0].Owners) != "flux Apply" {
				return fmt.Errorf("stale: %v", web.Stale)
			}
			return diff("unowned", []struct{ Path, Value string }{{"data.b", "z"}}, web.Unowned)
		}),
	})
}

// The data of a Secret reach neither the state nor an error.
func TestFieldOwnershipMasksSecrets(t *testing.T) {
	s := newCountingReader(t)
	const secret = "aHVudGVyMi1odW50ZXIy"
	s.As("kubectl").Apply("apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\n  namespace: NS\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '" +
		secret + "'}\ndata: {password: " + secret + "}\n")
	s.run(resource.TestStep{
		Config: s.providerBlock() + ownershipBlock("web", objectArguments("v1", "Secret", "web")),
		ConfigStateChecks: expect(func(seen map[string]seen, _ map[string]*tfjson.StateOutput) error {
			if got := seen["web"].field("data.password"); got != "(sensitive): kubectl Apply" {
				return fmt.Errorf("data.password is %q", got)
			}
			text, err := json.Marshal(seen["web"])
			if strings.Contains(string(text), secret) {
				err = fmt.Errorf("the secret is in the state: %s", text)
			}
			return err
		}),
	})
}

// A cluster-scoped object has no namespace, whatever the connection's is.
func TestClusterScoped(t *testing.T) {
	s := newCountingReader(t)
	s.run(resource.TestStep{
		Config: ownershipBlock("self", objectArguments("v1", "Namespace", s.Namespace), fmt.Sprintf("cluster = { config_path = %q }", story.ControlPlane().KubeconfigPath())),
		ConfigStateChecks: expect(func(seen map[string]seen, _ map[string]*tfjson.StateOutput) error {
			if self := seen["self"]; self.Namespace != nil || !strings.HasPrefix(self.AnnotatedYAML, "# Who owns Namespace "+s.Namespace+" (v1)\n") {
				return fmt.Errorf("namespace %s, annotated\n%s", deref(self.Namespace), self.AnnotatedYAML)
			}
			return nil
		}),
	})
}
