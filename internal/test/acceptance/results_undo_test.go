package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// undoes makes each failed update go back.
const undoes = `wait = { on_failure = "undo" }`

// crashing returns the Deployment with another image and pods that crash.
func crashing(body string) string {
	return strings.NewReplacer("metadata: {labels: {app: web}}", "metadata: {labels: {app: web, example.com/plays: crashes}}",
		"nginx:1.25", "nginx:2").Replace(body)
}

// A rollout that cannot succeed is undone: what the apply has changed goes back, what other managers have written
// meanwhile stays, and the old pods run. The state is as before, so that the next plan has the change again.
func TestUndo(t *testing.T) {
	s := &set{Workspace: story.New(t).Workspace()}
	has := func(body string) { s.Configure(s.Manifest("test", body, undoes)) }
	has(story.Deployment)
	s.Do("apply", "-auto-approve")
	has(crashing(story.Deployment))
	s.OnceSent(1, "watch deployments", func() {
		s.As("kubectl").Scale(story.Web, 5)
		s.As("kubectl-annotate").Patch(story.Web, `{"metadata": {"annotations": {"note": "looking"}}}`)
	})
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"),
		"Object Not Ready", "cannot become ready", "The apply has set back what it had changed:",
		`spec.template.metadata.labels.example.com/plays: "crashes" -> (removed)`,
		`spec.template.spec.containers[name="app"].image: "nginx:2" -> "nginx:1.25"`,
		"Others have written these fields since, so they stay:", `spec.replicas: "5", owned by "kubectl"`,
		"The object is ready again", "the next plan has the change again")
	story.Must(t, s.ExpectLive(story.Web, map[string]any{
		"spec.replicas": int64(5), "metadata.annotations.note": "looking", "status.readyReplicas": int64(5),
	})(nil))
	if containers := fmt.Sprint(s.Live(story.Web).Object["spec"]); !strings.Contains(containers, "image:nginx:1.25") {
		t.Errorf("the containers are %s", containers)
	}
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"),
		`"nginx:1.25" -> "nginx:2"`, `"kubectl"`, "not", "Field Manager Used Twice")
	has(strings.Replace(story.Deployment, "replicas: 3", "replicas: 5", 1))
	s.Do("apply", "-auto-approve")
	s.settled()
}

// goal waits for a value of a ConfigMap that no controller writes.
const goal = `wait = { fields = { "data.mode" = "good" }, on_failure = "undo" }`

const endsSoon = "timeouts {\n update = \"12s\"\n}"

// Each way of a field: changed, added, removed, set by another client meanwhile, removed by another client, and owned
// by other managers beside us.
func TestUndoOfFields(t *testing.T) {
	s := newSet(t)
	has := func(data string) {
		s.Configure(s.Manifest("test", story.ConfigMapIn("settings", "data: {"+data+"}"), goal, endsSoon))
	}
	has(`mode: good, changed: "1", removed: "1", back: "1", gone: "1", stays: "1"`)
	s.Do("apply", "-auto-approve")
	has(`mode: bad, changed: "2", added: "2", shared: "2", gone: "2", stays: "1", taken: "2"`)
	s.OnceSent(1, "watch configmaps", func() {
		s.As("bob").Apply(story.ConfigMapIn("settings", `data: {shared: "2"}`))
		s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"back": "9", "gone": null, "taken": "9", "theirs": "9"}}`)
	})
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", "was not ready after",
		`data.added: "2" -> (removed)`, `data.changed: "2" -> "1"`, `data.mode: "bad" -> "good"`, `data.removed: -> "1"`,
		"Others have written these fields since, so they stay:", `data.back: "9", owned by "kubectl-edit"`, `data.gone: (removed)`,
		`data.shared: "2", owned by "bob"`, `data.taken: "9", owned by "kubectl-edit"`, "The object is ready again")
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget,
		`{"back":"9","changed":"1","mode":"good","removed":"1","shared":"2","stays":"1","taken":"9","theirs":"9"}`, "data")(nil))
	has(`mode: good, changed: "1", removed: "1", back: "1", gone: "1", stays: "1"`)
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), `data.back: "9" -> "1"`, "data.gone", "not", "data.changed", "Field Manager Used Twice")
	s.Do("apply", "-auto-approve")
	s.settled()
}

// What the apply takes from other managers gets the value that they had given it: of a field that the manifest did not
// have, that ignore_fields left to them, and that they had changed under the manifest. The undo gives it to nobody.
func TestUndoGivesBackValues(t *testing.T) {
	s := newSet(t)
	has := func(data string, arguments ...string) {
		s.Configure(s.Manifest("test", story.ConfigMapIn("settings", "data: {"+data+"}"), append(arguments, goal, endsSoon)...))
	}
	has(`mode: good, ignored: "1", drifted: "1", kept: "1"`, `ignore_fields = ["data.ignored"]`)
	s.Do("apply", "-auto-approve")
	s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"theirs": "9", "same": "2", "ignored": "9", "drifted": "9"}}`)
	has(`mode: bad, ignored: "2", drifted: "2", kept: "2", theirs: "2", same: "2"`)
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), `data.drifted: "2" -> "9"`, `data.ignored: "2" -> "9"`, `data.theirs: "2" -> "9"`,
		`data.kept: "2" -> "1"`, `data.mode: "bad" -> "good"`)
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"drifted":"9","ignored":"9","kept":"1","mode":"good","same":"2","theirs":"9"}`, "data")(nil))
	has(`mode: good, ignored: "1", drifted: "1", kept: "1"`, `ignore_fields = ["data.ignored"]`)
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), `data.drifted: "9" -> "1"`, "not", "data.kept", "data.theirs")
	s.Do("apply", "-auto-approve")
	s.settled()
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"drifted":"1","ignored":"9","kept":"1","mode":"good","same":"2","theirs":"9"}`, "data")(nil))
}

// A pattern that covers more than what the apply has taken leaves the rest to the others.
func TestUndoBesideABroadPattern(t *testing.T) {
	s := newSet(t)
	has := func(mode, ours, ignored string) {
		annotations := `annotations: {ours: "` + ours + `", spared: "1"}`
		s.Configure(s.Manifest("test", story.ConfigMapIn("settings", "data: {mode: "+mode+"}", annotations), `ignore_fields = ["`+ignored+`"]`, goal, endsSoon))
	}
	has("good", "1", "metadata.annotations")
	s.Do("apply", "-auto-approve")
	s.As("kubectl-edit").Patch(story.SettingsTarget, `{"metadata": {"annotations": {"ours": "9", "spared": "9"}}}`)
	has("bad", "2", "metadata.annotations.spared")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), `metadata.annotations.ours: "2" -> "9"`)
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"ours":"9","spared":"9"}`, "metadata", "annotations")(nil))
	story.Must(t, s.ExpectOwners(story.SettingsTarget, "metadata.annotations.spared", "kubectl-edit")(nil))
}

// One object of a set does not become ready: what the apply has changed of the others goes back, too. What it has created stays, and
// what it was to delete is there.
func TestUndoOfASet(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][]string{
		"argument": {`wait = { fields = { "data.mode" = "/good|none/" }, on_failure = "undo" }`},
		"rule":     {`rules = [{ kinds = ["ConfigMap"], names = ["bad"], wait = { fields = { "data.mode" = "good" }, on_failure = "undo" } }]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			of := func(mode, value string, names ...string) map[string]string {
				all := map[string]string{"bad": story.ConfigMapIn("bad", "data: {mode: "+mode+"}")}
				for _, name := range names {
					all[name] = story.ConfigMapIn(name, `data: {mode: none, a: "`+value+`"}`)
				}
				return all
			}
			many := []string{"leaves"}
			for i := range 18 {
				many = append(many, fmt.Sprintf("c%02d", i))
			}
			has := func(manifests map[string]string) { s.has(manifests, append(arguments, endsSoon)...) }
			has(of("good", "1", many...))
			s.Do("apply", "-auto-approve")
			has(of("bad", "2", append(many[1:], "new")...))
			s.OnceSent(1, "watch configmaps", func() { s.As("kubectl-edit").Patch("v1 ConfigMap c03", `{"data": {"a": "9"}}`) })
			s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", `data.mode: "bad" -> "good"`,
				"Changes Undone", "because these did not become ready: ConfigMap NS/bad (v1)", `ConfigMap NS/c00 (v1): data.a: "2" -> "1"`, "and 7 more",
				`ConfigMap NS/c03 (v1): data.a: "9", owned by "kubectl-edit"`, "All of them are ready again.", "What the apply has created stays.", "Objects Not Deleted",
				"not", "ConfigMap NS/new (v1):")
			for target, data := range map[string]string{
				"bad": `{"mode":"good"}`, "c00": `{"a":"1","mode":"none"}`, "c03": `{"a":"9","mode":"none"}`, "c17": `{"a":"1","mode":"none"}`,
				"leaves": `{"a":"1","mode":"none"}`, "new": `{"a":"2","mode":"none"}`,
			} {
				story.Must(t, s.ExpectLiveJSON("v1 ConfigMap "+target, data, "data")(nil))
			}
			s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), `"bad"`, "c17", "not", "Field Manager Used Twice")
			has(of("good", "1", append(many, "new")...))
			s.expect(s.Do("apply", "-auto-approve"), "~ new", `+ "c03"`, "not", "~ c17", `+ "c17"`)
			s.settled()
			has(of("good", "3", many[1:]...))
			s.Do("apply", "-auto-approve")
			s.settled()
			s.gone("v1 ConfigMap new", "v1 ConfigMap leaves")
		})
	}
}

// What could not go back is refused before anything is sent.
func TestUndoIsRefused(t *testing.T) {
	t.Parallel()
	const job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: IMAGE}]}}}\n"
	for name, test := range map[string]struct {
		configure func(s *set, value string)
		says      []string
	}{
		"a replacement": {
			func(s *set, value string) {
				s.Configure(s.Manifest("test", strings.Replace(job, "IMAGE", "app:"+value, 1), undoes))
			},
			[]string{"Undo Not Possible", "because it replaces the object", `Set on_failure = "fail"`},
		},
		"a replacement in a set": {
			func(s *set, value string) {
				s.has(map[string]string{"job": strings.Replace(job, "IMAGE", "app:"+value, 1)}, undoes)
			},
			[]string{"Undo Not Possible", "because it replaces the object", "only for kinds whose objects can go back"},
		},
		"another name": {
			func(s *set, value string) {
				s.Configure(s.Manifest("test", story.ConfigMapIn("c"+value, "data: {mode: good}"), goal))
			},
			[]string{"Undo Not Possible", "because it replaces the object"},
		},
		"a write-only part": {
			func(s *set, value string) {
				s.Configure(s.Manifest("test", story.ConfigMapIn("settings", "data: {mode: good}"), goal,
					`yaml_body_wo = "data: {secret: s`+value+`}"`, `yaml_body_wo_version = "`+value+`"`))
			},
			[]string{"Undo Not Possible", "whose former values are stored nowhere"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			test.configure(s, "1")
			s.Do("apply", "-auto-approve")
			test.configure(s, "2")
			s.expect(s.Exits(story.Refused, "plan"), test.says...)
			s.Do("destroy", "-auto-approve")
		})
	}
}
