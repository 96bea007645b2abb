package acceptance_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// annotated returns a part of the Deployment web with one annotation.
func annotated(annotation string) string {
	return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS, annotations: {%q: x}}}", annotation)
}

// machines are programs that write to a Deployment of ours, under the names and with the verbs that they use. Each group has
// less than the ten managers by update whose entries the API server keeps apart.
var machines = map[string]struct {
	write func(*story.Story)
	// tools are what tools add, and said what the warning says of them.
	tools, said []string
	// kept are the values of the controllers.
	kept map[string]string
}{
	"controllers, and Helm": {
		write: func(s *story.Story) {
			labelAs(s, "background-controller", "cluster-autoscaler", "istio-operator", "kyverno", "linkerd-proxy-injector", "manager", "helm")
		},
		tools: []string{"metadata.labels.helm, helm (tool: Update)"},
		said:  []string{"others have added a field", "(Helm, last write"},
		kept:  map[string]string{"{.metadata.labels.kyverno}": "x", "{.metadata.labels.manager}": "x"},
	},
	"more controllers, and Argo CD": {
		write: func(s *story.Story) {
			labelAs(s, "operator", "pilot-discovery", "PrometheusOperator", "vpa-admission-controller", "vpa-updater", "argocd-application-controller")
		},
		tools: []string{"metadata.labels.argocd-application-controller, argocd-application-controller (tool: Update)"},
		said:  []string{"others have added a field", "(Argo CD, last write"},
		kept:  map[string]string{"{.metadata.labels.operator}": "x", "{.metadata.labels.vpa-updater}": "x"},
	},
	"annotations, finalizers and a status": {
		write: func(s *story.Story) {
			finalizer := func(manager, name string) {
				s.As(manager).JSONPatch(story.Web, fmt.Sprintf(`[{"op":"add","path":"/metadata/finalizers/-","value":%q}]`, name))
			}
			s.As("cert-manager-cainjector").Apply(annotated("cainjector"))
			s.As("externalsecrets.external-secrets.io/web").Apply(annotated("external-secrets"))
			s.As("agent").Patch(story.Web, `{"metadata":{"annotations":{"field.cattle.io/publicEndpoints":"[]"}}}`)
			s.As("cainjector").Patch(story.Web, `{"metadata":{"annotations":{"injected":"x"}}}`)
			s.As("controller").Patch(story.Web, `{"metadata":{"finalizers":["example.com/resources"]}}`)
			finalizer("agent", "example.com/agent")
			labelAs(s, "acme")
			s.As("acme").Patch(story.Web, `{"status":{"conditions":[{"type":"example.com/Acme","status":"True"}]}}`, "status")
			// Tools.
			s.As("helm-controller").Patch(story.Web, `{"metadata":{"annotations":{"helm-controller":"x"}}}`)
			s.As("kustomize-controller").Apply(annotated("kustomize-controller"))
			s.As("argocd-controller").Apply(annotated("argocd-controller"))
			finalizer("helm", "example.com/chart")
		},
		tools: []string{
			"metadata.annotations.argocd-controller, argocd-controller (tool: Apply)",
			"metadata.annotations.helm-controller, helm-controller (tool: Update)",
			"metadata.annotations.kustomize-controller, kustomize-controller (tool: Apply)",
			`metadata.finalizers[="example.com/chart"], helm (tool: Update)`,
		},
		said: []string{"others have added 4 fields", "(Argo CD, last write", "(Flux, last write", "(Helm, last write"},
		kept: map[string]string{
			"{.metadata.finalizers}":           `["example.com/resources","example.com/agent"]`,
			"{.metadata.labels.acme}":          "x",
			"{.metadata.annotations.injected}": "x",
		},
	},
}

// labelAs sets a label for each of managers, which writes it.
func labelAs(s *story.Story, managers ...string) {
	for _, manager := range managers {
		s.As(manager).Patch(story.Web, fmt.Sprintf(`{"metadata":{"labels":{%q:"x"}}}`, manager))
	}
}

// By default, nothing is said of what tools and controllers write. With a value, what tools write counts, and never what
// controllers write: neither those that are known, nor those that update the status, nor the finalizers of unknown ones. To
// remove all additions leaves what is theirs.
func TestAdditionsOfMachines(t *testing.T) {
	t.Parallel()
	for name, tt := range machines {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			removes := "the apply removes a field of another owner"
			if len(tt.tools) > 1 {
				removes = fmt.Sprintf("the apply removes %d fields of other owners", len(tt.tools))
			}
			write := func() {
				s.AwaitRollouts() // A built-in controller has written its annotation.
				s.As("kube-controller-manager").Scale(story.Web, 3)
				tt.write(s)
			}
			s.Run(
				resource.TestStep{Config: s.Config(story.WithReplicas(0))},
				resource.TestStep{
					PreConfig: s.NextStep(write), Config: s.Config(story.WithReplicas(0)),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, tt.tools...), s.ExpectNoWarning()),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.WithReplicas(0), `on_addition = "warn"`),
					ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(tt.said...)),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.WithReplicas(0), `on_addition = "remove"`),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress), s.ExpectOnlyWarning(removes)),
					Check:            story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath(story.Web, tt.kept)),
				},
				resource.TestStep{PreConfig: s.NextStep(func() {
					s.As("test").Patch(story.Web, `{"metadata":{"finalizers":null}}`) // The destroy waits for nobody.
				}), Config: s.Config(story.WithReplicas(0), `on_addition = "remove"`)},
			)
		})
	}
}

// People write by other programs than kubectl, too.
func TestAdditionsByHand(t *testing.T) {
	t.Parallel()
	for manager, known := range map[string]string{"Mozilla": "a web console", "k9s": "k9s", "dashboard": "the Kubernetes dashboard", "oc": "oc", "kubectl-neat": ""} {
		t.Run(manager, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			if known != "" {
				known = " (" + known + ", last write"
			}
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMap)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As(manager).Patch("v1 ConfigMap web", `{"data":{"added":"x"}}`) }), Config: s.Config(story.ConfigMap),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, "data.added, "+manager+" (person: Update)"),
						s.ExpectOnlyWarning("Fields Added by Others", `data.added: "x", owned by "`+manager+`" using v1`+known)),
				},
			)
		})
	}
}

const sidecarWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: sidecar.NS}
webhooks:
- name: sidecar.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: %q}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
`

// installSidecars installs a webhook that adds a container and a label to each Deployment that lacks them, and waits until it
// is in effect.
func installSidecars(s *story.Story) {
	s.T.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			Request struct {
				UID    string
				Object struct {
					Metadata struct{ Labels map[string]string }
					Spec     struct {
						Template struct {
							Spec struct{ Containers []struct{ Name string } }
						}
					}
				}
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&review)
		var patch []map[string]any
		isIn := false
		for _, container := range review.Request.Object.Spec.Template.Spec.Containers {
			isIn = isIn || container.Name == "proxy"
		}
		if labels := review.Request.Object.Metadata.Labels; labels == nil {
			patch = append(patch, map[string]any{"op": "add", "path": "/metadata/labels", "value": map[string]any{"injected": "yes"}})
		} else if labels["injected"] == "" {
			patch = append(patch, map[string]any{"op": "add", "path": "/metadata/labels/injected", "value": "yes"})
		}
		if !isIn {
			patch = append(patch, map[string]any{"op": "add", "path": "/spec/template/spec/containers/-", "value": map[string]any{"name": "proxy", "image": "proxy:1"}})
		}
		response := map[string]any{"uid": review.Request.UID, "allowed": true}
		if len(patch) > 0 {
			response["patchType"], response["patch"] = "JSONPatch", base64.StdEncoding.EncodeToString([]byte(story.AsJSON(patch)))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
	}))
	s.T.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	object := s.Parse(fmt.Sprintf(sidecarWebhook, server.URL))
	webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
	webhooks[0].(map[string]any)["clientConfig"].(map[string]any)["caBundle"] = base64.StdEncoding.EncodeToString(authority)
	story.Must(s.T, unstructured.SetNestedSlice(object.Object, webhooks, "webhooks"))
	client := s.ResourceOf(object)
	_, err := client.Create(s.T.Context(), object, metav1.CreateOptions{})
	story.Must(s.T, err)
	s.T.Cleanup(func() { _ = client.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}) })
	probe := s.Parse("{apiVersion: apps/v1, kind: Deployment, metadata: {name: probe, namespace: NS}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}")
	s.Await("the webhook is called", func() bool {
		answer, err := s.ResourceOf(probe).Create(s.T.Context(), probe, metav1.CreateOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err == nil && answer.GetLabels()["injected"] == "yes"
	})
}

// What an admission webhook adds to an apply of ours is no addition, and neither is what it adds to the write of a person.
// Only what the person wrote is, and to remove it leaves what the webhook has added.
func TestAdditionsBesideAWebhook(t *testing.T) {
	t.Parallel()
	for name, isFirst := range map[string]bool{"to an apply of ours": true, "to the write of a person": false} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			if isFirst {
				installSidecars(s)
			}
			added := []string{"metadata.labels.team" + byPatch, `spec.template.spec.containers[name="miner"]` + byPatch}
			s.Run(
				resource.TestStep{Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning())},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						if !isFirst {
							installSidecars(s)
						}
						s.As("kubectl-patch").StrategicPatch(story.Web, addedContainer)
						s.As("kubectl-patch").StrategicPatch(story.Web, `{"metadata":{"labels":{"team":"x"}}}`)
					}),
					Config:           s.Config(story.Deployment),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, added...), s.ExpectOnlyWarning("others have added 2 fields")),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.Deployment, `on_addition = "remove"`),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress)),
					Check: s.ExpectJSONPath(story.Web, map[string]string{
						"{.metadata.labels}": `{"injected":"yes"}`, "{.spec.template.spec.containers[*].name}": "app proxy",
					}),
				},
			)
		})
	}
}
