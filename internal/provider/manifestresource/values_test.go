package manifestresource_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Quantities are shown as the server holds them, which is not a difference.
func TestQuantitiesAreCanonical(t *testing.T) {
	s := newStory(t)
	const limits = `spec.template.spec.containers[name="app"].resources.limits.`
	body := strings.Replace(processor, "CPU", "1000m, memory: 1024Mi", 1)
	s.run(resource.TestStep{
		Config: s.config(body),
		ConfigPlanChecks: checks(
			expectValue(limits+"cpu", absent, "1"),
			expectValue(limits+"memory", absent, "1Gi"),
			s.expectPrediction(body),
			s.expectNoWarning(),
		),
		ConfigStateChecks: states(expectState(managedState, limits+"cpu: 1", limits+"memory: 1Gi")),
		Check: lives(
			s.expectContainer(web, "app", "resources.limits.cpu", "1"),
			s.expectContainer(web, "app", "resources.limits.memory", "1Gi"),
		),
	})
}

// Keys with dots are their own path, and others' changes to them are found.
func TestDottedKeys(t *testing.T) {
	s := newStory(t)
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
	s.run(
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectOwner("data.nginx.conf", absent, "k8sconnect"),
				expectValue("metadata.labels.app.kubernetes.io/name", absent, "web"),
				s.expectPrediction(body),
			),
			ConfigStateChecks: states(expectState(managedState, "data.nginx.conf: listen 80;", "data.nginx: plain",
				"metadata.labels.app.kubernetes.io/name: web", "metadata.labels.app: web")),
			Check: s.expectLiveJSON(settingsTarget, `{"app":"web","app.kubernetes.io/name":"web"}`, "metadata", "labels"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(settingsTarget,
					`{"metadata":{"labels":{"app.kubernetes.io/name":"shop"}},"data":{"nginx.conf":"listen 81;"}}`)
			}),
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.nginx.conf: kubectl-edit -> k8sconnect",
					"metadata.labels.app.kubernetes.io/name: kubectl-edit -> k8sconnect"),
				expectOnly(managedState, "data.nginx.conf: listen 81; -> listen 80;",
					"metadata.labels.app.kubernetes.io/name: shop -> web"),
				s.expectPrediction(body),
				s.expectOnlyWarning(`ignore_fields = ["data.nginx.conf", "metadata.labels.app.kubernetes.io/name"]`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "data.nginx.conf: k8sconnect")),
			Check: lives(
				s.expectLiveJSON(settingsTarget, `{"nginx":"plain","nginx.conf":"listen 80;"}`, "data"),
				s.expectLiveJSON(settingsTarget, `{"app":"web","app.kubernetes.io/name":"web"}`, "metadata", "labels"),
			),
		},
	)
}

// Empty maps, empty lists and nulls: the plan knows what the server keeps of them.
func TestEmptyAndNull(t *testing.T) {
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
			state:  []string{"spec.podSelector: " + absent, "spec.egress: [{}]", `spec.policyTypes: ["Ingress","Egress"]`},
			live:   map[string]any{"spec.podSelector": "map[]", "spec.ingress": absent, "spec.egress": "[map[]]", "metadata.labels": absent},
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
			target: web,
			state:  []string{`spec.template.spec.volumes[name="scratch"].emptyDir: ` + absent, "spec.replicas: 1"},
			live:   map[string]any{"spec.paused": absent, "spec.replicas": 1},
		},
		"null and empty data": {
			body: `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS, finalizers: [], ownerReferences: []}
data: {empty: "", blank: " "}
binaryData: {}
`,
			target: settingsTarget,
			state:  []string{"data.empty: ", "data.blank:  "},
			live:   map[string]any{"data.empty": "", "data.blank": " ", "metadata.finalizers": absent},
		},
	}
	for name, test := range bodies {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{
					Config:            s.config(test.body),
					ConfigPlanChecks:  checks(s.expectPrediction(test.body), s.expectNoWarning()),
					ConfigStateChecks: states(expectState(managedState, test.state...)),
					Check:             lives(s.expectLive(test.target, test.live), s.expectSilence()),
				},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(test.body, `ignore_fields = ["metadata.labels.elsewhere"]`),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
						expectOnly(fieldOwnership), expectOnly(coOwners), expectOnly(managedState),
						s.expectPrediction(test.body),
					),
					ConfigStateChecks: states(expectState(managedState, test.state...)),
					Check:             s.expectLive(test.target, test.live),
				},
			)
		})
	}
}

// Text of several lines survives as it is written, trailing blanks, tabs and quotes included.
func TestMultiLineText(t *testing.T) {
	s := newStory(t)
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
	s.run(
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectValue("data.nginx.conf", absent, config),
				expectValue("data.folded", absent, "one line"),
				s.expectPrediction(body),
			),
			ConfigStateChecks: states(expectState(managedState, "data.nginx.conf: "+config, "data.folded: one line")),
			Check:             s.expectLive(settingsTarget, map[string]any{"data.folded": "one line"}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(settingsTarget, `{"data":{"nginx.conf":"server {\n}\n"}}`)
			}),
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "data.nginx.conf: server {\n}\n -> "+config),
				s.expectPrediction(body),
				s.expectOnlyWarning(`data.nginx.conf: "server {\n}\n" -> "server {\n  listen \"80\";\t# tab\n}\n"`),
			),
			ConfigStateChecks: states(expectState(managedState, "data.nginx.conf: "+config)),
			Check: s.expectLiveJSON(settingsTarget,
				`{"folded":"one line","nginx.conf":"server {\n  listen \"80\";\t# tab\n}\n"}`, "data"),
		},
	)
}

// A value over 4 KiB is shown by its size and digest, which change with it.
func TestLargeValueIsADigest(t *testing.T) {
	s := newStory(t)
	text := strings.Repeat("x", 5000)
	digest := func(text string) string {
		return fmt.Sprintf("(%d bytes, sha256:%x)", len(text), sha256.Sum256([]byte(text)))
	}
	edited := strings.Repeat("y", 5001)
	body := settingsWith(`page: "` + text + `"`)
	s.run(
		resource.TestStep{
			Config:            s.config(body),
			ConfigPlanChecks:  checks(expectValue("data.page", absent, digest(text)), s.expectPrediction(body)),
			ConfigStateChecks: states(expectState(managedState, "data.page: "+digest(text))),
			Check:             s.expectLive(settingsTarget, map[string]any{"data.page": text}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(settingsTarget, `{"data":{"page":"`+edited+`"}}`) }),
			Config:    s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "data.page: "+digest(edited)+" -> "+digest(text)),
				expectOnly(fieldOwnership, "data.page: kubectl-edit -> k8sconnect"),
				s.expectPrediction(body),
				s.expectOnlyWarning("data.page: \""+digest(edited)+"\" -> \""+digest(text)+"\""),
			),
			ConfigStateChecks: states(expectState(managedState, "data.page: "+digest(text))),
			Check:             s.expectLive(settingsTarget, map[string]any{"data.page": text}),
		},
	)
}
