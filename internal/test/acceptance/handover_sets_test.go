package acceptance_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// workspace is a configuration of sets and single resources.
type workspace struct{ *story.Workspace }

func newWorkspace(t *testing.T) workspace { return workspace{story.New(t).HostedWorkspace()} }

// set returns a set of ConfigMaps with a label, by their names.
func (w workspace) set(name, arguments string, maps ...string) string {
	text := "resource \"k8sconnect_manifests\" \"" + name + "\" {\n  manifests = {\n"
	for _, one := range maps {
		text += "    " + one + " = <<-YAML\n" + w.Expand(labelledConfigMap(one)) + "    YAML\n"
	}
	return text + "  }\n" + arguments + "\n}\n"
}

func labelledConfigMap(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS, labels: {team: shop}}\ndata: {a: \"1\"}\n"
}

// says asserts that a command printed texts, whatever their line breaks.
func (w workspace) says(out string, texts ...string) {
	w.T.Helper()
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(out)), " ")
	for _, text := range texts {
		if !strings.Contains(flat, w.Expand(text)) {
			w.T.Errorf("no %q in:\n%s", w.Expand(text), out)
		}
	}
}

func (w workspace) apply(resources ...string) string {
	w.T.Helper()
	w.Configure(resources...)
	return w.Do("apply", "-auto-approve")
}

func (w workspace) check(checks ...func() error) {
	w.T.Helper()
	for _, check := range checks {
		if err := check(); err != nil {
			w.T.Error(err)
		}
	}
}

func (w workspace) settled() {
	w.T.Helper()
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// A set hands over an object that leaves it, and all of them when it is destroyed. The plan counts the fields once.
func TestSetHandsOver(t *testing.T) {
	w := newWorkspace(t)
	arguments := "  " + handOver + "\n  " + toFlux
	w.apply(w.set("maps", arguments, "one", "two", "three"))
	manager := w.Live("v1 ConfigMap one").GetManagedFields()[0].Manager
	out := w.apply(w.set("maps", arguments, "one", "two"))
	w.says(out, "Objects Handed Over: ConfigMap NS/three (v1)", `2 fields change owner, 0 values: "`+manager+`" -> "kustomize-controller".`)
	w.settled()
	w.Configure()
	w.says(w.Do("plan"), "Objects Handed Over: ConfigMap NS/one (v1) and 1 More", "They stay on the cluster",
		`4 fields change owner, 0 values: "`+manager+`" -> "kustomize-controller".`)
	w.Do("apply", "-auto-approve")
	for _, name := range []string{"one", "two", "three"} {
		w.check(
			func() error { return w.ExpectManagers("v1 ConfigMap "+name, "Apply "+flux)(nil) },
			func() error { return applyChangesNothing(w.Story, flux, labelledConfigMap(name))(nil) },
		)
	}
}

// Two sets become one, and one becomes two: the state forgets them, and another set with the field manager of one of them adopts
// the objects. No value and, where the manager stays, no resourceVersion changes, and what leaves the manifests is deleted.
func TestSetsJoinAndSplit(t *testing.T) {
	w := newWorkspace(t)
	w.apply(w.set("first", "  field_manager = \"first\"", "one", "two"), w.set("second", "  field_manager = \"second\"", "three"))
	versions := func() (all []string) {
		for _, name := range []string{"one", "two", "three"} {
			all = append(all, w.Live("v1 ConfigMap "+name).GetResourceVersion())
		}
		return all
	}
	forget := func(name string) string {
		return "removed {\n  from = k8sconnect_manifests." + name + "\n  lifecycle {\n    destroy = false\n  }\n}\n"
	}
	before := versions()
	w.apply(forget("first"), forget("second"))
	const adopt = "  adopt_existing = true\n  take_over_managers = [\"second\"]\n  field_manager = \"first\""
	w.apply(w.set("joined", adopt, "one", "two", "three"))
	w.settled()
	if after := versions(); after[0] != before[0] || after[1] != before[1] {
		t.Errorf("objects of the same manager were written: %q, before %q", after, before)
	}
	for _, name := range []string{"one", "two", "three"} {
		w.check(
			func() error { return w.ExpectManagers("v1 ConfigMap "+name, "Apply first")(nil) },
			w.holdsValues(name),
		)
	}

	before = versions()
	w.apply(forget("joined"))
	own := "  adopt_existing = true\n  field_manager = \"first\""
	w.apply(w.set("left", own, "one"), w.set("right", own, "two", "three"))
	w.settled()
	if after := versions(); !slices.Equal(after, before) {
		t.Errorf("the split has written objects: %q, before %q", after, before)
	}
	w.apply(w.set("left", own, "one"), w.set("right", own, "two"))
	if !w.Gone(w.Expand("v1 ConfigMap three")) {
		t.Error("what left a set is there")
	}
	w.check(w.holdsValues("one"), w.holdsValues("two"))
}

// holdsValues checks the label and the data of a ConfigMap.
func (w workspace) holdsValues(name string) func() error {
	return func() error {
		return errors.Join(
			w.ExpectLiveJSON("v1 ConfigMap "+name, `{"a":"1"}`, "data")(nil),
			w.ExpectLive("v1 ConfigMap "+name, map[string]any{"metadata.labels.team": "shop"})(nil),
		)
	}
}

func TestSetSuccessorInputs(t *testing.T) {
	w := newWorkspace(t)
	w.Configure(w.set("maps", "  "+handOver, "one"))
	w.says(w.Exits(story.Refused, "plan"), `on_destroy = "hand_over" needs successor.`)
	w.Configure(w.set("maps", "  "+toFlux, "one"))
	w.says(w.Exits(story.Refused, "plan"), `successor needs on_destroy = "hand_over".`)
	w.Configure(w.set("maps", "  "+handOver+"\n  successor = \"me\"\n  field_manager = \"me\"", "one"))
	w.says(w.Exits(story.Refused, "plan"), "successor is the field manager of this resource itself")
}
