package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// No secret of a chart is anywhere but in the Secrets that it makes and in what the attributes for secrets show: neither a
// value of the user, nor one that the chart has drawn or looked up, whatever happens.
func TestChartsLeakNothing(t *testing.T) {
	s := story.New(t)
	w := newPlantedWorkspace(s)
	s.As("kubectl").Create("apiVersion: v1\nkind: Secret\nmetadata: {name: theirs, namespace: NS}\nstringData: {token: " + byOthers + "}\n")
	files := map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: buoy\nversion: 1.0.0\n",
		"templates/secret.yaml": `apiVersion: v1
kind: Secret
metadata: {name: credentials}
stringData: {given: {{ .Values.given | quote }}, drawn: {{ printf "drawn-%s" (randAlphaNum 20) }} }
data: {found: {{ (lookup "v1" "Secret" .Release.Namespace "theirs").data.token | quote }}, encoded: {{ b64enc .Values.encoded }} }
`,
		"templates/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {checksum: {{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum | quote }}, mode: {{ .Values.mode | quote }} }
`,
		"templates/hook.yaml": `apiVersion: v1
kind: Secret
metadata: {name: hook, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
stringData: {given: {{ .Values.given | quote }} }
`,
	}
	writeChart(w.Workspace, files)
	configure := func(mode, given string) {
		w.resources(s.Expand(fmt.Sprintf(`data "k8sconnect_chart" "buoy" {
  chart         = "${path.module}/buoy"
  release       = "north"
  namespace     = "NS"
  values        = [yamlencode({ mode = %q })]
  secret_values = [yamlencode({ given = %q, encoded = %q })]
}
resource "k8sconnect_manifests" "buoy" {
  manifests        = data.k8sconnect_chart.buoy.manifests
  secret_manifests = data.k8sconnect_chart.buoy.secret_manifests
  hooks            = merge(data.k8sconnect_chart.buoy.hooks, data.k8sconnect_chart.buoy.secret_hooks)
}
`, mode, given, inData)))
	}
	run := func(args ...string) string {
		out := w.plan(inPart, args...)
		w.apply(inPart)
		return out
	}
	refuse := func(texts ...string) {
		t.Helper()
		out, err := w.look(inPart, "apply", "-auto-approve")
		if err == nil {
			t.Fatalf("it is not refused:\n%s", out)
		}
		for _, text := range texts {
			if !story.Saying(text).MatchString(out) {
				t.Errorf("%q is not in:\n%s", text, out)
			}
		}
	}
	configure("on-duty", inStringData)
	run()
	_, drawn, _ := strings.Cut(secretValue(s, "credentials", "drawn"), "drawn-")
	w.stored["drawn"] = drawn
	if out := w.plan(inPart); !strings.Contains(out, "No changes.") {
		t.Errorf("a plan after the apply:\n%s", out)
	}
	configure("off-duty", inStringData+"-edited")
	run()
	s.As("kubectl-edit").Patch("v1 Secret credentials", fmt.Sprintf(`{"stringData": {"given": %q}}`, inConfigMap))
	run()
	if secretValue(s, "credentials", "drawn") != "drawn-"+drawn {
		t.Error("the drawn value has changed")
	}
	// Templates whose errors quote a secret, and a text that is no manifest.
	files["templates/config.yaml"] = `{{ fail (printf "the password is %s and %s" .Values.given (lookup "v1" "Secret" .Release.Namespace "theirs").data.token) }}`
	writeChart(w.Workspace, files)
	refuse("templates/config.yaml")
	files["templates/config.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: {{ .Values.given }}: b}\n"
	writeChart(w.Workspace, files)
	refuse("templates/config.yaml")
	files["templates/config.yaml"] = "apiVersion: v1\nkind: Secret\nmetadata: {name: settings}\ndata: {a: {{ .Values.given | quote }} }\n"
	writeChart(w.Workspace, files)
	refuse("Secret " + s.Namespace + "/settings")
	delete(files, "templates/config.yaml")
	files["templates/config.yaml"] = ""
	writeChart(w.Workspace, files)
	run("-destroy")
}

// secretValue returns a value of the Secret credentials.
func secretValue(s *story.Story, name, key string) string {
	s.T.Helper()
	secret, err := s.Typed.CoreV1().Secrets(s.Namespace).Get(s.T.Context(), name, metav1.GetOptions{})
	story.Must(s.T, err)
	return string(secret.Data[key])
}
