package acceptance_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What an undo costs: a read before the update, a read and a write, and a watch if the object is not ready at once.
func TestUndoCosts(t *testing.T) {
	s := newSet(t)
	has := func(mode string) {
		s.Configure(s.Manifest("test", story.ConfigMapIn("settings", "data: {mode: "+mode+"}"), goal, endsSoon))
	}
	has("good")
	s.Do("apply", "-auto-approve")
	has("bad")
	get, write := "get configmaps NS/settings 200", "patch configmaps NS/settings 200"
	s.Do("plan", "-out=plan")
	s.ExpectCostOf("an undo", []string{
		"patch configmaps NS/settings dry-run 200", write, "watch configmaps NS/settings 200", "list events NS 200", get, write, get,
	}, func() { s.Exits(story.Refused, "apply", "plan") })
}

// A rule of the provider block asks for the undo. A create has nothing to go back to.
func TestUndoByARule(t *testing.T) {
	s := newSet(t)
	has := func(mode string) {
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`+"\n  rules = [{ kinds = [\"ConfigMap\"], "+goal+" }]",
			s.Manifest("test", story.ConfigMapIn("settings", "data: {mode: "+mode+"}"), "timeouts {\n create = \"12s\"\n update = \"12s\"\n}"))
	}
	has("bad")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", "The object exists", "not", "set back")
	has("good")
	s.Do("apply", "-auto-approve")
	s.settled()
	has("worse")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", `data.mode: "worse" -> "good"`)
	has("good")
	s.settled()
}

// Values of a Secret stay secret in what an undo says.
func TestUndoOfASecret(t *testing.T) {
	s := newSet(t)
	has := func(mode, password string) {
		s.Configure(s.Manifest("test", "{apiVersion: v1, kind: Secret, metadata: {name: login, namespace: NS, annotations: {mode: "+mode+", copy: "+mode+"}}, stringData: {password: "+password+"}}",
			`wait = { fields = { "metadata.annotations.mode" = "good" }, on_failure = "undo" }`, endsSoon))
	}
	has("good", "first-password")
	s.Do("apply", "-auto-approve")
	has("bad", "second-password")
	s.OnceSent(1, "watch secrets", func() {
		s.As("kubectl-edit").Patch("v1 Secret login", `{"metadata": {"annotations": {"copy": "it is second-password"}}, "stringData": {"mine": "third-password"}}`)
	})
	said := s.Exits(story.Refused, "apply", "-auto-approve")
	_, said, _ = strings.Cut(said, "Error: Object Not Ready")
	s.expect(said, `metadata.annotations.mode: "bad" -> "good"`, "data.password: \"(sensitive", "not", "password\"", "second-password", "first-password", "third-password")
	if data := s.Live("v1 Secret login").Object["data"].(map[string]any); data["password"] != "Zmlyc3QtcGFzc3dvcmQ=" || data["mine"] == nil {
		t.Errorf("the Secret has %v", data)
	}
}

// A value in a secret list item goes back to what another client had given it. The snapshot has a digest instead of the
// item.
func TestUndoInSecretItems(t *testing.T) {
	s := newSet(t)
	const service = "v1 Service web"
	has := func(mode, port string) {
		s.Configure(s.Manifest("test", "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS, annotations: {mode: "+mode+"}}, spec: {ports: [{port: 80, targetPort: "+port+"}]}}",
			`sensitive_fields = ["spec.ports[protocol=\"TCP\"]"]`, `wait = { fields = { "metadata.annotations.mode" = "good" }, on_failure = "undo" }`, endsSoon))
	}
	has("good", "8080")
	s.Do("apply", "-auto-approve")
	s.As("kubectl-edit").StrategicPatch(service, `{"spec": {"ports": [{"port": 80, "targetPort": 9090}]}}`)
	has("bad", "7070")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", `metadata.annotations.mode: "bad" -> "good"`)
	story.Must(t, s.ExpectJSONPath(service, map[string]string{"{.spec.ports[*].targetPort}": "9090"})(nil))
	has("good", "8080")
	s.Do("apply", "-auto-approve")
	s.settled()
	story.Must(t, s.ExpectJSONPath(service, map[string]string{"{.spec.ports[*].targetPort}": "8080"})(nil))
}

// A client that applies stringData changes data that we own, and the server records no new owner. The undo gives the value back.
// Base64 in lines is the same value as the server's, so it stays ours.
func TestUndoOfAppliedStringData(t *testing.T) {
	s := newSet(t)
	const login, secret = "v1 Secret login", "{apiVersion: v1, kind: Secret, metadata: {name: login, namespace: NS, annotations: {mode: MODE}}, stringData: {password: PASSWORD, kept: same}, data: {lines: \"YWJj\\nZGVm\"}}"
	has := func(mode, password string) {
		s.Configure(s.Manifest("test", strings.NewReplacer("MODE", mode, "PASSWORD", password).Replace(secret),
			`wait = { fields = { "metadata.annotations.mode" = "good" }, on_failure = "undo" }`, endsSoon))
	}
	has("good", "first-password")
	s.Do("apply", "-auto-approve")
	s.As("flux").Apply("{apiVersion: v1, kind: Secret, metadata: {name: login, namespace: NS}, stringData: {password: other-password}}")
	has("bad", "second-password")
	_, said, _ := strings.Cut(s.Exits(story.Refused, "apply", "-auto-approve"), "Error: Object Not Ready")
	s.expect(said, "data.password: \"(sensitive", "not", "other-password", "second-password")
	story.Must(t, s.ExpectLiveJSON(login, `{"kept":"c2FtZQ==","lines":"YWJjZGVm","password":"b3RoZXItcGFzc3dvcmQ="}`, "data")(nil))
	story.Must(t, s.ExpectOwners(login, "data.lines", "k8sconnect")(nil))
	has("good", "first-password")
	s.Do("apply", "-auto-approve")
	s.settled()
	story.Must(t, s.ExpectLiveJSON(login, `{"kept":"c2FtZQ==","lines":"YWJjZGVm","password":"Zmlyc3QtcGFzc3dvcmQ="}`, "data")(nil))
}

// The list of a set hides what objects copy of their secret values.
func TestUndoOfSecretsInASet(t *testing.T) {
	s := newSet(t)
	has := func(mode, password string) {
		s.has(map[string]string{
			"bad":  story.ConfigMapIn("bad", "data: {mode: "+mode+"}"),
			"copy": story.ConfigMapIn("copy", "data: {password: "+password+", url: \"https://me:"+password+"@db\"}"),
		}, `rules = [{ kinds = ["*"], names = ["bad"], `+goal+` }, { kinds = ["*"], names = ["copy"], sensitive_fields = ["data.password"] }]`, endsSoon)
	}
	has("good", "first-password")
	s.Do("apply", "-auto-approve")
	has("bad", "second-password")
	_, said, _ := strings.Cut(s.Exits(story.Refused, "apply", "-auto-approve"), "Error: Changes Undone")
	s.expect(said, "ConfigMap NS/copy (v1): data.url:", "not", "first-password", "second-password")
}

// A custom resource goes back by its condition. If the run changes its definition, the plan is refused.
func TestUndoOfACustomResource(t *testing.T) {
	s := newSet(t)
	t.Cleanup(s.DropDefinition)
	has := func(size, definition string) {
		s.Configure(s.Manifest("definition", definition),
			s.Manifest("test", strings.Replace(story.WidgetHere, "colour: red", "colour: red, size: "+size, 1), "depends_on = [k8sconnect_manifest.definition]",
				`wait = { fields = { "spec.size" = "/[12]/" }, on_failure = "undo" }`, endsSoon))
	}
	has("1", story.WidgetDefinition)
	s.Do("apply", "-auto-approve")
	has("3", story.WidgetDefinition)
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", `spec.size: "3" -> "1"`, "The object is ready again")
	has("2", strings.Replace(story.WidgetDefinition, "default: 3", "default: 4", 1))
	s.expect(s.Exits(story.Refused, "plan"), "Undo Not Possible", "it changes the CustomResourceDefinition of its kind, too")
	has("1", story.WidgetDefinition)
	s.settled()
	s.Do("destroy", "-auto-approve")
}

// A controller that reports a condition decides whether a custom resource is ready: after the update, and after the undo.
func TestUndoByACondition(t *testing.T) {
	s := newSet(t)
	t.Cleanup(s.DropDefinition)
	definition := strings.Replace(customresource.Definition("NS.example.com", "Widget", "spec: {type: object, x-kubernetes-preserve-unknown-fields: true}\n"+
		"status: {type: object, x-kubernetes-preserve-unknown-fields: true}"), "    served: true\n", "    served: true\n    subresources: {status: {}}\n", 1)
	const widget = "NS.example.com/v1 Widget web"
	has := func(size string, more ...string) {
		s.Configure(s.Manifest("definition", definition),
			s.Manifest("test", strings.Replace(story.WidgetHere, "colour: red", "size: "+size, 1), append(more, "depends_on = [k8sconnect_manifest.definition]")...))
	}
	operator := func(ready string) func() {
		return func() {
			s.As("operator").Patch(widget, fmt.Sprintf(`{"status":{"observedGeneration":%d,"conditions":[{"type":"Ready","status":%q,"reason":"Sized","message":"it is too large"}]}}`,
				s.Live(widget).GetGeneration(), ready), "status")
		}
	}
	has("1")
	s.Do("apply", "-auto-approve")
	operator("True")()
	undoes := []string{`wait = { conditions = { Ready = "True" }, on_failure = "undo" }`, "timeouts {\n update = \"20s\"\n}"}
	has("1", undoes...)
	s.Do("apply", "-auto-approve")
	has("3", undoes...)
	s.OnceSent(1, "watch widgets", operator("False"))
	s.OnceSent(2, "watch widgets", operator("True"))
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", "it is too large", `spec.size: "3" -> "1"`, "The object is ready again")
	has("1", undoes...)
	s.settled()
	s.Do("destroy", "-auto-approve")
}

// An undo whose object does not become ready again says so: the controller of a StatefulSet does not replace a pod that is not ready.
func TestUndoOfAStatefulSet(t *testing.T) {
	s := newSet(t)
	const body = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: NS}\nspec:\n  replicas: 1\n  serviceName: db\n  selector: {matchLabels: {app: web}}\n" +
		"  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: app, image: \"nginx:1.25\"}]}\n"
	has := func(body string) {
		s.Configure(s.Manifest("test", body, undoes, "timeouts {\n update = \"24s\"\n}"))
	}
	has(body)
	s.Do("apply", "-auto-approve")
	has(crashing(body))
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", `"nginx:2" -> "nginx:1.25"`, "After the undo:", "the next plan has the change again")
	s.As("admin").Remove("v1 Pod db-0")
	has(body)
	s.Do("apply", "-auto-approve")
	s.settled()
}

// A rollout that hangs goes back when its time is over. What a person has set of the failed rollout meanwhile stays: the image here.
func TestUndoOfARolloutThatHangs(t *testing.T) {
	s := &set{Workspace: story.New(t).Workspace()}
	has := func(body string) { s.Configure(s.Manifest("test", body, undoes, "timeouts {\n update = \"40s\"\n}")) }
	has(story.Deployment)
	s.Do("apply", "-auto-approve")
	hanging := strings.Replace(crashing(story.Deployment), "crashes", "never-ready", 1)
	has(strings.Replace(hanging, "replicas: 3", "replicas: 4", 1))
	s.OnceSent(1, "watch deployments", func() {
		s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:3"}]}}}}`)
	})
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", "was not ready after", `spec.replicas: "4" -> "3"`,
		`spec.template.spec.containers[name="app"].image: "nginx:3", owned by "kubectl-set"`, "The object is ready again", "not", "nginx:2\" ->")
	if spec := fmt.Sprint(s.Live(story.Web).Object["spec"]); !strings.Contains(spec, "image:nginx:3") || !strings.Contains(spec, "replicas:3") {
		t.Errorf("the Deployment has %s", spec)
	}
	has(strings.Replace(story.Deployment, "nginx:1.25", "nginx:3", 1))
	s.Do("apply", "-auto-approve")
	s.settled()
}

// Ctrl-C does not undo: who interrupts the wait may want to look.
func TestInterruptedWaitIsNotUndone(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	w.Configure(s.Manifest("test", story.Deployment, undoes))
	w.Do("apply", "-auto-approve")
	w.Configure(s.Manifest("test", crashing(story.Deployment), undoes))
	began := time.Now()
	printed := interrupted(w, "2", func(cli int) error { return syscall.Kill(cli, syscall.SIGINT) })
	if !strings.Contains(printed, "Wait Interrupted") || strings.Contains(printed, "set back") {
		t.Errorf("after %s, the apply says:\n%s", time.Since(began), printed)
	}
	if s.Live(story.Web).GetGeneration() != 2 {
		t.Errorf("the Deployment has the generation %d", s.Live(story.Web).GetGeneration())
	}
}
