package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// hooked plays a set with a ConfigMap and hooks.
type hooked struct {
	*story.Workspace
	hooks map[string]string
}

// job returns a Job that is a hook. plays is how its pods fail; "" if they end well.
func job(name, annotations, plays string) string {
	labels := ""
	if plays != "" {
		labels = fmt.Sprintf("metadata: {labels: {example.com/plays: %s}}\n    ", plays)
	}
	return fmt.Sprintf(`apiVersion: batch/v1
kind: Job
metadata:
  name: %s
  namespace: NS
  annotations: {%s}
spec:
  backoffLimit: 0
  template:
    %sspec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
`, name, annotations, labels)
}

func newHooked(t *testing.T) *hooked {
	t.Helper()
	return &hooked{story.New(t).HostedWorkspace(), map[string]string{}}
}

// set configures the hooks, and the value of the ConfigMap.
func (h *hooked) set(value string, arguments ...string) {
	h.T.Helper()
	var hooks strings.Builder
	for key, text := range h.hooks {
		fmt.Fprintf(&hooks, "    %q = <<-EOT\n%s\nEOT\n", key, h.Expand(text))
	}
	h.Configure(h.Expand(fmt.Sprintf(`resource "k8sconnect_manifests" "test" {
  manifests = { a = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: NS}, data: {a: '%s'}}" }
  hooks = {
%s  }
%s
}
`, value, hooks.String(), strings.Join(arguments, "\n"))))
}

// begun returns the objects that a command writes first, in this order.
func (h *hooked) begun(args ...string) []string {
	h.T.Helper()
	log := story.AuditLog(h.T)
	mark := log.Mark()
	h.Do(args...)
	sent, err := log.Since(mark)
	story.Must(h.T, err)
	var wrote []string
	for _, request := range sent {
		isOurs := request.Namespace == h.Namespace && request.Verb == "patch" && request.DryRun == testcluster.DryRunNone && request.Subresource == ""
		if isOurs && strings.Contains(request.URI, "fieldManager=k8sconnect") && !slices.Contains(wrote, request.Name) {
			wrote = append(wrote, request.Name)
		}
	}
	return wrote
}

func (h *hooked) expect(what string, got, want []string) {
	h.T.Helper()
	if !slices.Equal(got, want) {
		h.T.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Hooks run by their events and weights, and stay or go as their policies say.
func TestHooksOfASet(t *testing.T) {
	h := newHooked(t)
	h.hooks["late"] = job("late", `helm.sh/hook: pre-install, helm.sh/hook-weight: "5", helm.sh/hook-delete-policy: hook-succeeded`, "")
	h.hooks["early"] = job("early", `helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "-5"`, "")
	h.hooks["done"] = job("done", `helm.sh/hook: "post-install,post-upgrade,post-delete", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"`, "")
	h.hooks["gone"] = job("gone", `helm.sh/hook: pre-delete`, "")
	h.hooks["tried"] = job("tried", `helm.sh/hook: test`, "")
	h.hooks["account"] = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: account, namespace: NS, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: \"-9\"}}\n"
	h.set("1")
	plan := h.Exits(story.Changes, "plan", "-detailed-exitcode")
	order := regexp.MustCompile(`\+ "(p\w+-\w+ \w+)"`)
	var planned []string
	for _, found := range order.FindAllStringSubmatch(plan, -1) {
		planned = append(planned, found[1])
	}
	h.expect("the plan", planned, []string{"pre-install account", "pre-install early", "pre-install late", "post-install done"})
	h.expect("the apply", h.begun("apply", "-auto-approve"), []string{"account", "early", "late", "a", "done"})
	for target, isGone := range map[string]bool{"early": false, "late": true, "done": true, "gone": true, "tried": true} {
		if h.Gone("batch/v1 Job NS/"+target) != isGone {
			t.Errorf("%s: want it gone: %t", target, isGone)
		}
	}
	early := h.Live("batch/v1 Job NS/early")
	h.Live("v1 ServiceAccount NS/account")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	h.set("2")
	h.Do("apply", "-auto-approve")
	if again := h.Live("batch/v1 Job NS/early"); again.GetUID() == early.GetUID() {
		t.Error("the upgrade did not run its hook again")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	// A change of one hook runs that one.
	account := h.Live("v1 ServiceAccount NS/account").GetUID()
	early = h.Live("batch/v1 Job NS/early")
	h.hooks["done"] = strings.Replace(h.hooks["done"], "a:1", "a:2", 1)
	h.set("2")
	text := h.Do("apply", "-auto-approve")
	if strings.Contains(text, "pre-upgrade early") && strings.Contains(text, `+ "pre-upgrade early"`) || h.Live("batch/v1 Job NS/early").GetUID() != early.GetUID() ||
		h.Live("v1 ServiceAccount NS/account").GetUID() != account {
		t.Errorf("a changed hook runs another one:\n%s", text)
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	if out := h.Do("destroy", "-auto-approve"); !strings.Contains(out, "pre-delete gone") || !strings.Contains(out, "post-delete done") {
		t.Errorf("the destroy does not say what it runs:\n%s", out)
	}
	if h.Gone("batch/v1 Job NS/gone") || !h.Gone("v1 ConfigMap NS/a") {
		t.Error("the hook before the destroy did not run, or the object stays")
	}
	for _, name := range []string{"early", "gone"} {
		if marked := h.Live("batch/v1 Job NS/" + name).GetAnnotations()["k8sconnect.io/hook-of"]; marked != "" {
			t.Errorf("the hook %s still has %s", name, marked)
		}
	}
}

// A hook that fails before the objects stops, one after them leaves them, and the next run runs what is left.
func TestHooksThatFail(t *testing.T) {
	h := newHooked(t)
	h.hooks["first"] = job("first", `helm.sh/hook: pre-install, helm.sh/hook-weight: "-5"`, "")
	h.hooks["second"] = job("second", `helm.sh/hook: pre-install`, "exits")
	h.set("1")
	h.refused("Hook Failed", "The pre-install hook Job "+h.Namespace+"/second", "Of the objects of the set, at most new namespaces and definitions were created.")
	if !h.Gone("v1 ConfigMap NS/a") || len(h.State()) > 0 {
		t.Error("the object was created after its hook has failed")
	}
	first := h.Live("batch/v1 Job NS/first").GetUID()
	h.hooks["second"] = job("second", `helm.sh/hook: pre-install`, "")
	h.hooks["third"] = job("third", `helm.sh/hook: "post-install,post-upgrade"`, "exits")
	h.set("1")
	h.refused("Hook Failed", "The post-install hook Job "+h.Namespace+"/third", "The objects of the set are as the configuration says.")
	object := h.Live("v1 ConfigMap NS/a").GetUID()
	if h.Live("batch/v1 Job NS/first").GetUID() != first {
		t.Error("a hook that had ended well ran again")
	}
	h.hooks["third"] = job("third", `helm.sh/hook: "post-install,post-upgrade"`, "")
	h.set("1")
	h.Do("apply", "-auto-approve")
	if h.Live("v1 ConfigMap NS/a").GetUID() != object {
		t.Error("the object was created again")
	}
	if h.Live("batch/v1 Job NS/first").GetUID() != first {
		t.Error("a hook that had ended well ran again after a hook of the end had failed")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	h.hooks["third"] = job("third", `helm.sh/hook: "post-install,post-upgrade"`, "exits")
	h.set("2")
	h.refused("Hook Failed", "The post-upgrade hook Job")
	if value := dataOf(h.Live("v1 ConfigMap NS/a"))["a"]; value != "2" {
		t.Errorf("the object has %s", value)
	}
	plan := h.Exits(story.Changes, "plan", "-detailed-exitcode")
	if !strings.Contains(plan, "post-upgrade third") {
		t.Errorf("the next plan does not run the hook:\n%s", plan)
	}
	h.hooks["third"] = job("third", `helm.sh/hook: "post-install,post-upgrade"`, "")
	h.hooks["save"] = job("save", `helm.sh/hook: pre-delete`, "")
	h.hooks["last"] = job("last", `helm.sh/hook: post-delete`, "exits")
	h.set("2")
	h.Do("apply", "-auto-approve")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	h.refused("The post-delete hook Job", "The objects of the set are deleted.")
	saved := h.Live("batch/v1 Job NS/save").GetUID()
	h.refused("The post-delete hook Job", "The objects of the set are deleted.")
	if h.Live("batch/v1 Job NS/save").GetUID() != saved {
		t.Error("the second destroy ran a hook again that had ended well")
	}
	h.set("3")
	h.Do("apply", "-auto-approve")
	h.refused("The post-delete hook Job")
	if h.Live("batch/v1 Job NS/save").GetUID() == saved {
		t.Error("a destroy after another apply did not run its hook")
	}
}

// The hooks after an apply that has failed run in the next one, also if no manifest changes then. A hook in pending that
// leaves the configuration leaves pending.
func TestHooksAfterAFailedApply(t *testing.T) {
	h := newHooked(t)
	h.hooks["after"] = job("after", `helm.sh/hook: "post-install,post-upgrade"`, "")
	deployment := func(plays string) string {
		labels := "app: b"
		if plays != "" {
			labels += ", example.com/plays: " + plays
		}
		return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, namespace: NS}, spec: {selector: {matchLabels: {app: b}}, "+
			"template: {metadata: {labels: {%s}}, spec: {containers: [{name: b, image: b}]}}}}", labels)
	}
	configure := func(plays, arguments string) {
		t.Helper()
		h.set("1", "wait = {}", arguments)
		file := filepath.Join(h.Dir, "main.tf")
		text, err := os.ReadFile(file)
		story.Must(t, err)
		with := strings.Replace(string(text), "manifests = { a = ", "manifests = { b = \""+h.Expand(deployment(plays))+"\", a = ", 1)
		story.Must(t, os.WriteFile(file, []byte(with), 0o600))
	}
	configure("", "")
	h.Do("apply", "-auto-approve")
	ran := h.Live("batch/v1 Job NS/after").GetUID()
	configure("never-ready", "timeouts { update = \"10s\" }")
	h.refused("Object Not Ready")
	if h.Live("batch/v1 Job NS/after").GetUID() != ran {
		t.Error("the hook ran after an apply that has failed")
	}
	if plan := h.Exits(story.Changes, "plan", "-detailed-exitcode"); !strings.Contains(plan, "post-upgrade after") {
		t.Errorf("the next plan does not run the hook:\n%s", plan)
	}
	delete(h.hooks, "after")
	configure("", "")
	h.Do("apply", "-auto-approve")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	h.hooks["after"] = job("after", `helm.sh/hook: "post-install,post-upgrade"`, "exits")
	configure("", "")
	h.refused("Hook Failed")
	delete(h.hooks, "after")
	configure("", "")
	h.Do("apply", "-auto-approve")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// A hook that has failed in an upgrade does not stop the destroy, whose state has the hook as it was before.
func TestDestroyAfterAFailedHook(t *testing.T) {
	h := newHooked(t)
	h.hooks["first"] = job("first", `helm.sh/hook: "pre-install,pre-upgrade"`, "")
	h.set("1")
	h.Do("apply", "-auto-approve")
	h.hooks["first"] = job("first", `helm.sh/hook: "pre-install,pre-upgrade"`, "exits")
	h.set("2")
	h.refused("Hook Failed", "pods say: pod first-", "last exit code 3")
	h.Do("destroy", "-auto-approve")
	first := h.Live("batch/v1 Job NS/first")
	if marked := first.GetAnnotations()["k8sconnect.io/hook-of"]; marked != "" || !h.Gone("v1 ConfigMap NS/a") {
		t.Errorf("the hook still has %q, or the object stays", marked)
	}
}

// refused applies, or destroys if a text is about that, and expects an error with texts.
func (h *hooked) refused(texts ...string) {
	h.T.Helper()
	command := []string{"apply", "-auto-approve"}
	if strings.Contains(texts[0], "-delete hook") {
		command[0] = "destroy"
	}
	out, err := h.Try(command...)
	if err == nil {
		h.T.Fatalf("it is not refused:\n%s", out)
	}
	said := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(out)), " ")
	for _, text := range texts {
		if !strings.Contains(said, text) {
			h.T.Errorf("%q is not in:\n%s", text, said)
		}
	}
}

// A hook of two events of one operation runs in each of them.
func TestHooksOfTwoEvents(t *testing.T) {
	h := newHooked(t)
	h.hooks["both"] = job("both", `helm.sh/hook: "pre-install,post-install"`, "")
	h.set("1")
	log := story.AuditLog(t)
	mark := log.Mark()
	h.Do("apply", "-auto-approve")
	sent, err := log.Since(mark)
	story.Must(t, err)
	creates := 0
	for _, request := range sent {
		if request.Namespace == h.Namespace && request.Name == "both" && request.Verb == "patch" && request.DryRun == testcluster.DryRunNone {
			creates++
		}
	}
	if creates != 2 {
		t.Errorf("the hook was created %d times", creates)
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// A hook that is a Pod has run once the Pod has succeeded, not once it is ready. One that fails stops the apply.
func TestHooksThatArePods(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: NS, annotations: {helm.sh/hook: \"pre-install,pre-upgrade\"}, labels: {%s}}\n" +
		"spec: {restartPolicy: Never, containers: [{name: a, image: \"a:1\"}]}\n"
	h := newHooked(t)
	h.hooks["bad"] = fmt.Sprintf(pod, "bad", "example.com/plays: exits")
	h.set("1")
	h.refused("Hook Failed", "The pre-install hook Pod "+h.Namespace+"/bad", "exit code 3")
	h.hooks = map[string]string{"good": fmt.Sprintf(pod, "good", "app: good")}
	h.set("1")
	h.OnceSent(1, "watch pods", func() {
		h.Await("the Pod runs", func() bool {
			return fmt.Sprint(h.Live("v1 Pod NS/good").Object["status"].(map[string]any)["phase"]) == "Running"
		})
		if !h.Gone("v1 ConfigMap NS/a") {
			t.Error("the object was created before the hook had ended")
		}
		h.As("kubelet").Patch("v1 Pod NS/good", `{"status": {"phase": "Succeeded"}}`, "status")
	})
	h.Do("apply", "-auto-approve")
	h.Live("v1 ConfigMap NS/a")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// The items of a hook that is a List are created before the objects, Jobs after the other items. They are deleted by the
// policy of the List.
func TestHooksThatAreLists(t *testing.T) {
	h := newHooked(t)
	writeChart(h.Workspace, map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: buoy\nversion: 1.2.3\n",
		"templates/prepare.yaml": `apiVersion: v1
kind: List
metadata: {name: prepare, annotations: {helm.sh/hook: "pre-install,post-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}}
items:
- apiVersion: batch/v1
  kind: Job
  metadata: {name: move}
  spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: script}
`,
		"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {depth: {{ .Values.depth | quote }} }\n",
	})
	configure := func(depth string) {
		h.Configure(h.Expand(`data "k8sconnect_chart" "buoy" {
  chart     = "${path.module}/buoy"
  release   = "north"
  namespace = "NS"
  values    = ["depth: ` + depth + `"]
}
resource "k8sconnect_manifests" "buoy" {
  manifests = data.k8sconnect_chart.buoy.manifests
  hooks     = data.k8sconnect_chart.buoy.hooks
}
`))
	}
	configure("1")
	h.expect("an install", h.begun("apply", "-auto-approve"), []string{"script", "move", "config"})
	if !h.Gone("v1 ConfigMap NS/script") || !h.Gone("batch/v1 Job NS/move") {
		t.Error("the items stay after they have succeeded")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	configure("2")
	h.expect("an upgrade", h.begun("apply", "-auto-approve"), []string{"config", "script", "move"})
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// Annotations and labels are strings: the API server refuses others, and a hook with one is refused in the plan.
func TestHooksWithUnquotedValues(t *testing.T) {
	h := newHooked(t)
	for value, problem := range map[string]string{
		`annotations: {helm.sh/hook: post-install, helm.sh/hook-weight: 5}`:                                "metadata.annotations.helm.sh/hook-weight is a number, not a string",
		`annotations: {helm.sh/hook: post-install, inject: false}`:                                         "metadata.annotations.inject is a boolean, not a string",
		`labels: {version: 1.5}, annotations: {helm.sh/hook: post-install}`:                                "metadata.labels.version is a number, not a string",
		`annotations: {helm.sh/hook: [post-install]}`:                                                      "metadata.annotations.helm.sh/hook is a list, not a string",
		`annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: {a: before-hook-creation}}`: "metadata.annotations.helm.sh/hook-delete-policy is an object, not a string",
	} {
		h.hooks["late"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: late, namespace: NS, " + value + "}\n"
		h.set("1")
		out := strings.Join(strings.Fields(strings.ReplaceAll(h.Exits(story.Refused, "plan", "-detailed-exitcode"), "│", "")), " ")
		if !strings.Contains(out, "Invalid Manifest") || !strings.Contains(out, problem) {
			t.Errorf("%q is not in:\n%s", problem, out)
		}
	}
	h.hooks = map[string]string{"tried": job("tried", `helm.sh/hook: test, weight: 5`, "")}
	h.set("1")
	h.Exits(story.Changes, "plan", "-detailed-exitcode") // Only helm test runs it.
	writeChart(h.Workspace, map[string]string{
		"Chart.yaml":            "apiVersion: v2\nname: buoy\nversion: 1.2.3\n",
		"templates/late.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: late, annotations: {helm.sh/hook: post-install, helm.sh/hook-weight: 5}}\n",
		"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\n",
	})
	h.Configure(h.Expand(`data "k8sconnect_chart" "buoy" {
  chart     = "${path.module}/buoy"
  release   = "north"
  namespace = "NS"
}
resource "k8sconnect_manifests" "buoy" {
  manifests = data.k8sconnect_chart.buoy.manifests
  hooks     = data.k8sconnect_chart.buoy.hooks
}
`))
	h.refused("Invalid Manifest", "metadata.annotations.helm.sh/hook-weight is a number, not a string")
	if !h.Gone("v1 ConfigMap NS/config") {
		t.Error("an object was created")
	}
}

// Whether the hooks of an upgrade run is not known as long as nothing but values that are not known yet makes the
// manifests differ.
func TestHooksOfASetWhoseUnknownValueIsTheOldOne(t *testing.T) {
	h := newHooked(t)
	configure := func(trigger, output, value string) {
		h.Configure("resource \"terraform_data\" \"t\" {\n  input = \""+output+"\"\n  triggers_replace = \""+trigger+"\"\n}\n", h.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    one = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "one", namespace = "NS" }, data = { a = terraform_data.t.output } }
    two = "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: NS}, data: {a: '`+value+`'}}"
  }
  hooks = { early = <<-EOT
`+job("early", `helm.sh/hook: "pre-install,pre-upgrade"`, "")+`
EOT
  }
}
`))
	}
	configure("1", "v", "1")
	h.Do("apply", "-auto-approve")
	ran := h.Live("batch/v1 Job NS/early").GetUID()
	configure("2", "v", "1")
	if out := h.Do("apply", "-auto-approve"); !regexp.MustCompile(`revision += 1 -> \(known after apply\)`).MatchString(out) {
		t.Errorf("the plan knows the revision:\n%s", out)
	}
	if h.Live("batch/v1 Job NS/early").GetUID() != ran {
		t.Error("the hook ran though no manifest has changed")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	configure("3", "w", "1")
	h.Do("apply", "-auto-approve")
	again := h.Live("batch/v1 Job NS/early").GetUID()
	if again == ran {
		t.Error("the hook did not run though a manifest has changed")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	// A value that is known changes, too.
	configure("4", "w", "2")
	if out := h.Do("apply", "-auto-approve"); !regexp.MustCompile(`revision += 2 -> 3`).MatchString(out) {
		t.Errorf("the plan does not know the revision:\n%s", out)
	}
	if h.Live("batch/v1 Job NS/early").GetUID() == again {
		t.Error("the hook did not run though a manifest has changed")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// An apply that a hook stops leaves no trace of its plan: no object has drifted to what it has, a drift is still shown,
// and that of an object whose key changes, too.
func TestHookThatFailsLeavesTheRecords(t *testing.T) {
	h := newHooked(t)
	ends, fails := job("first", `helm.sh/hook: "pre-install,pre-upgrade"`, ""), job("first", `helm.sh/hook: "pre-install,pre-upgrade"`, "exits")
	drift := regexp.MustCompile(`drifted += \{\s+"a" = \{\s+"data.a" = "2"`)
	expect := func(has bool) {
		t.Helper()
		h.Do("apply", "-refresh-only", "-auto-approve")
		if out := h.Do("state", "show", "k8sconnect_manifests.test"); drift.MatchString(out) != has || strings.Contains(out, "drifted          = {}") == has {
			t.Errorf("want a drift: %t\n%s", has, out)
		}
	}
	h.hooks["first"] = ends
	h.set("1")
	h.Do("apply", "-auto-approve")
	h.hooks["first"] = fails
	h.set("2")
	h.refused("Hook Failed")
	expect(false)

	h.As("bob").Patch("v1 ConfigMap NS/a", `{"data": {"a": "2"}}`)
	h.refused("Hook Failed")
	expect(true)
	file := filepath.Join(h.Dir, "main.tf")
	text, err := os.ReadFile(file)
	story.Must(t, err)
	story.Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), "manifests = { a = ", "manifests = { renamed = ", 1)), 0o600))
	h.refused("Hook Failed")
	expect(true)
	h.hooks["first"] = ends
	h.set("1")
	h.Do("apply", "-auto-approve")
	expect(false)
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")

	// The destroy half of a replacement gets the records of the create half.
	h.hooks["last"] = job("last", `helm.sh/hook: pre-delete`, "exits")
	h.set("1")
	h.Do("apply", "-auto-approve")
	h.set("2")
	out, err := h.Try("apply", "-replace=k8sconnect_manifests.test", "-auto-approve")
	if err == nil || !strings.Contains(out, "Hook Failed") {
		t.Fatalf("want a failed hook:\n%s", out)
	}
	expect(false)
	h.set("1")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// Hooks that are not known in the plan may be those that have not ended well in the apply before.
func TestHooksThatAreNotKnownYet(t *testing.T) {
	h := newHooked(t)
	configure := func(value, hook string) {
		h.Configure(h.Expand(`resource "terraform_data" "t" {
  input            = <<-EOT
` + job("after", `helm.sh/hook: "post-install,post-upgrade"`, "") + `
EOT
  triggers_replace = "` + value + `"
}
resource "k8sconnect_manifests" "test" {
  manifests = { a = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: NS}, data: {a: '` + value + `'}}" }
  hooks     = { after = ` + hook + ` }
}
`))
	}
	fails := "<<-EOT\n" + job("after", `helm.sh/hook: "post-install,post-upgrade"`, "exits") + "\nEOT\n"
	configure("1", "terraform_data.t.output")
	h.Do("apply", "-auto-approve")
	configure("2", fails)
	h.refused("Hook Failed")
	configure("3", "terraform_data.t.output")
	h.Do("apply", "-auto-approve")
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	if out := h.Do("state", "show", "k8sconnect_manifests.test"); !strings.Contains(out, "pending          = {}") {
		t.Errorf("something is pending:\n%s", out)
	}
}

// A manifest that is written in another form is no change, also beside a change of an argument: no hook runs.
func TestHooksDoNotRunForAnotherForm(t *testing.T) {
	h := newHooked(t)
	set := func(data, arguments string) {
		h.Configure(h.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = { a = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: NS}, data: ` + data + `}" }
  hooks     = { before = <<-EOT
` + job("before", `helm.sh/hook: pre-upgrade`, "") + `
EOT
  }
  ` + arguments + `
}
`))
	}
	set(`{a: '1'}`, "")
	h.Do("apply", "-auto-approve")
	set(`{'a':   '1'}`, `on_conflict = "fail"`)
	h.expect("with an argument", h.begun("apply", "-auto-approve"), nil)
	set(`{'a':   '2'}`, `on_conflict = "fail"`)
	h.expect("with a value", h.begun("apply", "-auto-approve"), []string{"before", "a"})
}

// A hook that has left the configuration runs again when it comes back: nothing remembers what it ran for, also if a
// hook beside it has failed then.
func TestHooksThatComeBack(t *testing.T) {
	h := newHooked(t)
	migrate := job("migrate", `helm.sh/hook: "pre-install,pre-upgrade"`, "")
	h.hooks["migrate"] = migrate
	h.set("1")
	h.Do("apply", "-auto-approve")
	ran := h.Live("batch/v1 Job NS/migrate").GetUID()
	expect := func(what string) {
		t.Helper()
		h.Exits(story.Nothing, "plan", "-detailed-exitcode")
		now := h.Live("batch/v1 Job NS/migrate").GetUID()
		if now == ran {
			t.Errorf("%s: the hook did not run", what)
		}
		ran = now
	}
	delete(h.hooks, "migrate")
	h.set("1")
	h.Do("apply", "-auto-approve")
	h.Do("destroy", "-auto-approve")
	h.hooks["migrate"] = migrate
	h.set("1")
	h.Do("apply", "-auto-approve")
	expect("installed again")

	h.hooks["after"] = job("after", `helm.sh/hook: post-upgrade`, "exits")
	h.set("2")
	h.refused("Hook Failed")
	migrated := h.Live("batch/v1 Job NS/migrate").GetUID()
	if migrated == ran {
		t.Error("the hook did not run before the one that fails")
	}
	ran = migrated
	h.hooks = map[string]string{}
	h.set("2")
	h.Do("apply", "-auto-approve")
	h.set("1")
	h.Do("apply", "-auto-approve")
	h.hooks["migrate"] = migrate
	h.set("2")
	h.Do("apply", "-auto-approve")
	expect("upgraded again")
}

// A hook in a version that the cluster does not serve any more is no reason to apply nothing, whether it leaves the
// configuration or goes on in another version.
func TestHooksOfAVersionThatIsGone(t *testing.T) {
	h := newHooked(t)
	h.InstallKind(h.Expand(fleets(newFields, oldFields)))
	for _, name := range []string{"stays", "goes"} {
		h.hooks[name] = "{apiVersion: NS.example.com/v1alpha1, kind: Fleet, metadata: {name: " + name +
			", namespace: NS, annotations: {helm.sh/hook: pre-install}}, spec: {size: 1}}"
	}
	h.set("1")
	h.Do("apply", "-auto-approve")
	redefine(h.Story, h.Expand(fleets(newFields, "")), func() bool {
		served, err := h.Typed.Discovery().ServerResourcesForGroupVersion(h.Expand("NS.example.com/v1alpha1"))
		return err != nil || len(served.APIResources) == 0
	})
	h.hooks = map[string]string{"stays": strings.Replace(h.hooks["stays"], "v1alpha1", "v1", 1)}
	h.set("2")
	out := h.Do("apply", "-auto-approve")
	if !strings.Contains(out, h.Namespace+"/goes (") || strings.Contains(out, h.Namespace+"/stays (") {
		t.Errorf("the apply does not tell which hook it cannot read:\n%s", out)
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	if got := h.Live("v1 ConfigMap NS/a").Object["data"].(map[string]any)["a"]; got != "2" {
		t.Errorf("the ConfigMap has %v", got)
	}
}

// A chart whose hooks have drawn names, one of which nothing runs, comes to an empty plan, and runs them once. One that
// has failed is tried again under its name.
func TestHooksThatDraw(t *testing.T) {
	h := newHooked(t)
	of := map[string]string{
		"Chart.yaml":            "apiVersion: v2\nname: buoy\nversion: 1.2.3\n",
		"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {depth: {{ .Values.depth | quote }} }\n",
		"templates/test.yaml":   "apiVersion: v1\nkind: Pod\nmetadata: {name: \"{{ .Release.Name }}-test-{{ randAlphaNum 5 | lower }}\", annotations: {helm.sh/hook: test}}\nspec: {containers: [{name: a, image: a}]}\n",
		"templates/migrate.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-{{ randAlphaNum 5 | lower }}
  annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: hook-succeeded, at: {{ now | quote }} }
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"{{ if .Values.drawn }}, args: [{{ randAlphaNum 9 | quote }}]{{ end }}}]}}}
`,
	}
	writeChart(h.Workspace, of)
	configure := func(values string) {
		h.Configure(h.Expand(`data "k8sconnect_chart" "buoy" {
  chart     = "${path.module}/buoy"
  release   = "north"
  namespace = "NS"
  values    = ["` + values + `"]
}
resource "k8sconnect_manifests" "buoy" {
  manifests = data.k8sconnect_chart.buoy.manifests
  hooks     = data.k8sconnect_chart.buoy.hooks
}
`))
	}
	ran := func(what string) {
		t.Helper()
		begun := h.begun("apply", "-auto-approve")
		if len(begun) != 2 || !strings.HasPrefix(begun[0], "migrate-") || begun[1] != "config" {
			t.Errorf("%s: %q", what, begun)
		}
		if plan := h.Exits(story.Nothing, "plan", "-detailed-exitcode"); strings.Contains(plan, "Generated Values") {
			t.Errorf("%s:\n%s", what, plan)
		}
	}
	configure("{depth: 1, drawn: false}")
	ran("an install")
	configure("{depth: 2, drawn: false}")
	ran("an upgrade")
	good := of["templates/migrate.yaml"]
	of["templates/migrate.yaml"] = strings.Replace(good, "template: {", "template: {metadata: {labels: {example.com/plays: exits}}, ", 1)
	writeChart(h.Workspace, of)
	configure("{depth: 3, drawn: false}")
	h.refused("Hook Failed")
	of["templates/migrate.yaml"] = good
	writeChart(h.Workspace, of)
	ran("another try")
	configure("{depth: 3, drawn: true}")
	if plan := h.Do("plan"); !story.Saying("so that each apply runs them: batch/Job/" + h.Namespace + "/migrate-").MatchString(plan) {
		t.Error(plan)
	}
}
