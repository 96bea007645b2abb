package acceptance_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Quantities are shown as the server holds them, which is not a difference.
func TestQuantitiesAreCanonical(t *testing.T) {
	s := story.NewCompared(t)
	const limits = `spec.template.spec.containers[name="app"].resources.limits.`
	body := strings.Replace(processor, "CPU", "1000m, memory: 1024Mi", 1)
	s.Run(resource.TestStep{
		Config: s.Config(body),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectValue(limits+"cpu", story.Absent, "1"),
			story.ExpectValue(limits+"memory", story.Absent, "1Gi"),
			s.ExpectPrediction(body),
			s.ExpectNoWarning(),
		),
		ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, limits+"cpu: 1", limits+"memory: 1Gi")),
		Check: story.LiveChecks(
			s.ExpectContainer(story.Web, "app", "resources.limits.cpu", "1"),
			s.ExpectContainer(story.Web, "app", "resources.limits.memory", "1Gi"),
		),
	})
}

// Keys with dots are their own path, and others' changes to them are found.
func TestDottedKeys(t *testing.T) {
	s := story.NewCompared(t)
	const body = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: NS
  labels: {app.kubernetes.io/name: web, app: web}
data:
  nginx.conf: listen 80;
  nginx: plain
`
	s.Run(
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.nginx.conf", story.Absent, "k8sconnect"),
				story.ExpectValue("metadata.labels.app.kubernetes.io/name", story.Absent, "web"),
				s.ExpectPrediction(body),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.nginx.conf: listen 80;", "data.nginx: plain",
				"metadata.labels.app.kubernetes.io/name: web", "metadata.labels.app: web")),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"app":"web","app.kubernetes.io/name":"web"}`, "metadata", "labels"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.SettingsTarget,
					`{"metadata":{"labels":{"app.kubernetes.io/name":"shop"}},"data":{"nginx.conf":"listen 81;"}}`)
			}),
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data.nginx.conf: kubectl-edit -> k8sconnect",
					"metadata.labels.app.kubernetes.io/name: kubectl-edit -> k8sconnect"),
				story.ExpectOnly(story.ManagedState, "data.nginx.conf: listen 81; -> listen 80;",
					"metadata.labels.app.kubernetes.io/name: shop -> web"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning(`ignore_fields = ["data.nginx.conf", "metadata.labels.app.kubernetes.io/name"]`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.nginx.conf: k8sconnect")),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"nginx":"plain","nginx.conf":"listen 80;"}`, "data"),
				s.ExpectLiveJSON(story.SettingsTarget, `{"app":"web","app.kubernetes.io/name":"web"}`, "metadata", "labels"),
			),
		},
	)
}

// withoutNulls removes the fields that are null, as the provider does.
var withoutNulls = strings.NewReplacer(", labels: null", "", "  paused: null\n", "", ", creationTimestamp: null", "", ", env: null", "")

// Empty maps, empty lists and nulls: the plan knows what the server keeps of them.
func TestEmptyAndNull(t *testing.T) {
	t.Parallel()
	const policy = "networking.k8s.io/v1 NetworkPolicy web"
	bodies := map[string]struct {
		body   string
		target string
		state  []string
		live   map[string]any
	}{
		"an empty selector, an empty list and an empty rule": {
			body: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: NS, annotations: {}, labels: null}
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
  ingress: []
  egress: [{}]
`,
			target: policy,
			state:  []string{"spec.podSelector: " + story.Absent, "spec.egress: [{}]", `spec.policyTypes: ["Ingress","Egress"]`},
			live:   map[string]any{"spec.podSelector": "map[]", "spec.ingress": story.Absent, "spec.egress": "[map[]]", "metadata.labels": story.Absent},
		},
		"an empty volume, null fields and a null timestamp": {
			body: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  paused: null
  replicas: 1
  selector: {matchLabels: {app: web}}
  strategy: {}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null, annotations: {}}
    spec:
      volumes: [{name: scratch, emptyDir: {}}]
      containers:
      - {name: app, image: "nginx:1.25", resources: {}, args: [], env: null, securityContext: {}}
`,
			target: story.Web,
			state:  []string{`spec.template.spec.volumes[name="scratch"].emptyDir: ` + story.Absent, "spec.replicas: 1"},
			live:   map[string]any{"spec.paused": story.Absent, "spec.replicas": 1},
		},
		"null and empty data": {
			body: `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS, finalizers: [], ownerReferences: []}
data: {empty: "", blank: " "}
binaryData: {}
`,
			target: story.SettingsTarget,
			state:  []string{"data.empty: ", "data.blank:  "},
			live:   map[string]any{"data.empty": "", "data.blank": " ", "metadata.finalizers": story.Absent},
		},
	}
	for name, test := range bodies {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			sent := withoutNulls.Replace(test.body)
			s.Run(
				resource.TestStep{
					Config:            s.Config(test.body),
					ConfigPlanChecks:  story.PlanChecks(s.ExpectPrediction(sent), s.ExpectNoWarning()),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, test.state...)),
					Check:             story.LiveChecks(s.ExpectLive(test.target, test.live), s.ExpectSilence()),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(test.body, `ignore_fields = ["metadata.labels.elsewhere"]`),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners), story.ExpectOnly(story.ManagedState),
						s.ExpectPrediction(sent),
					),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, test.state...)),
					Check:             s.ExpectLive(test.target, test.live),
				},
			)
		})
	}
}

// Text of several lines survives as it is written, trailing blanks, tabs and quotes included.
func TestMultiLineText(t *testing.T) {
	s := story.NewCompared(t)
	const body = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS}
data:
  nginx.conf: |
    server {
      listen "80";	# tab
    }

  folded: >-
    one
    line
`
	const config = "server {\n  listen \"80\";\t# tab\n}\n"
	s.Run(
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("data.nginx.conf", story.Absent, config),
				story.ExpectValue("data.folded", story.Absent, "one line"),
				s.ExpectPrediction(body),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.nginx.conf: "+config, "data.folded: one line")),
			Check:             s.ExpectLive(story.SettingsTarget, map[string]any{"data.folded": "one line"}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"nginx.conf":"server {\n}\n"}}`)
			}),
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "data.nginx.conf: server {\n}\n -> "+config),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning(`data.nginx.conf: "server {\n}\n" -> "server {\n  listen \"80\";\t# tab\n}\n"`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.nginx.conf: "+config)),
			Check: s.ExpectLiveJSON(story.SettingsTarget,
				`{"folded":"one line","nginx.conf":"server {\n  listen \"80\";\t# tab\n}\n"}`, "data"),
		},
	)
}

// A value over 4 KiB is shown by its size and digest, which change with it.
func TestLargeValueIsADigest(t *testing.T) {
	s := story.NewCompared(t)
	text := strings.Repeat("x", 5000)
	digest := func(text string) string {
		return fmt.Sprintf("(%d bytes, sha256:%x)", len(text), sha256.Sum256([]byte(text)))
	}
	edited := strings.Repeat("y", 5001)
	body := story.SettingsWith(`page: "` + text + `"`)
	s.Run(
		resource.TestStep{
			Config:            s.Config(body),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectValue("data.page", story.Absent, digest(text)), s.ExpectPrediction(body)),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.page: "+digest(text))),
			Check:             s.ExpectLive(story.SettingsTarget, map[string]any{"data.page": text}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"page":"`+edited+`"}}`) }),
			Config:    s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "data.page: "+digest(edited)+" -> "+digest(text)),
				story.ExpectOnly(story.FieldOwnership, "data.page: kubectl-edit -> k8sconnect"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning("data.page: \""+digest(edited)+"\" -> \""+digest(text)+"\""),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.page: "+digest(text))),
			Check:             s.ExpectLive(story.SettingsTarget, map[string]any{"data.page": text}),
		},
	)
}
