package acceptance_test

import (
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// drawingChart has texts with generated values, and what follows from them in other objects.
var drawingChart = map[string]string{
	"Chart.yaml":  "apiVersion: v2\nname: buoy\nversion: 1.0.0\nappVersion: '7'\n",
	"values.yaml": "hour: 2\nhost: a\npassword: first\n",
	"templates/all.yaml": `{{ $password := randAlphaNum 16 -}}
apiVersion: batch/v1
kind: CronJob
metadata: {name: backup}
spec:
  schedule: "{{ randInt 10 59 }} {{ .Values.hour }} * * *"
  suspend: true
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: app}
stringData:
  app.yml: "session: {{ randAlphaNum 32 }}\ncsrf: {{ randAlphaNum 32 }}\nhost: {{ .Values.host }}"
---
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: {{ $password }} }
---
apiVersion: v1
kind: Secret
metadata: {name: z-app}
stringData: {url: "postgres://u:{{ $password }}@db"}
---
apiVersion: v1
kind: Secret
metadata: {name: registry}
stringData: {plain: {{ .Values.password }}, htpasswd: {{ htpasswd "u" .Values.password | quote }} }
`,
}

// startDrawing installs the chart, and checks that another plan is empty.
func startDrawing(t *testing.T) (*story.Story, *story.Workspace) {
	t.Helper()
	s := story.New(t)
	w := s.HostedWorkspace()
	writeChart(w, drawingChart)
	w.Configure(installed(s, ""))
	w.Do("apply", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	return s, w
}

// applyAgain applies a plan with changes, which warns of no value, and checks that the next one is empty.
func applyAgain(w *story.Workspace) {
	w.T.Helper()
	if text := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p"); strings.Contains(text, "Generated Values") {
		w.T.Error(text)
	}
	w.Do("apply", "p")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// Of a text, what the chart has changed is changed, and what it draws stays.
func TestTextsAroundGeneratedValues(t *testing.T) {
	s, w := startDrawing(t)
	schedule := func() string {
		text, _, _ := unstructured.NestedString(s.Live("batch/v1 CronJob NS/backup").Object, "spec", "schedule")
		return text
	}
	wasAt, was := schedule(), secretValue(s, "app", "app.yml")
	w.Configure(installed(s, "values = [yamlencode({ hour = 5, host = \"b\" })]"))
	applyAgain(w)
	if want := strings.Replace(wasAt, " 2 ", " 5 ", 1); schedule() != want {
		t.Errorf("%q, want %q", schedule(), want)
	}
	if is, want := secretValue(s, "app", "app.yml"), strings.Replace(was, "host: a", "host: b", 1); is != want {
		t.Errorf("%q, want %q", is, want)
	}
}

// A generated password that kubectl changes stays, and the objects that follow it are changed, whatever their names.
func TestGeneratedValuesThatAreChanged(t *testing.T) {
	s, w := startDrawing(t)
	s.As("kubectl").Patch("v1 Secret db", `{"stringData": {"password": "new"}}`)
	applyAgain(w)
	if is := secretValue(s, "db", "password"); is != "new" {
		t.Errorf("the password is %q", is)
	}
	if is := secretValue(s, "z-app", "url"); is != "postgres://u:new@db" {
		t.Errorf("the URL is %q", is)
	}
}

// The hash of a password stays, until the password is another one.
func TestHashesOfChangedPasswords(t *testing.T) {
	s, w := startDrawing(t)
	w.Configure(installed(s, "values = [yamlencode({ password = \"second\" })]"))
	applyAgain(w)
	_, hash, _ := strings.Cut(secretValue(s, "registry", "htpasswd"), "u:")
	if err := bcrypt.CompareHashAndPassword([]byte(hash), []byte("second")); err != nil {
		t.Errorf("%q: %v", hash, err)
	}
}
