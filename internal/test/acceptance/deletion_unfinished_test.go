package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// waitsFor returns the arguments of a resource that waits until data.done has this value. A wait for bmV2ZXI=, which no
// client writes, ends early.
func waitsFor(value string, more ...string) []string {
	wait := `wait = { ` + strings.Join(append([]string{`fields = { "data.done" = "` + value + `" }`}, more...), ", ") + " }"
	if value != "bmV2ZXI=" {
		return []string{wait}
	}
	return []string{wait, "timeouts {\n create = \"6s\"\n update = \"6s\"\n}"}
}

// unfinished is a resource whose create ended with an error, although its object exists.
type unfinished struct {
	*story.Workspace
	old *story.Sighting
}

// leaveUnfinished applies resources. The wait of the one whose object is old fails. Another client then makes the object
// ready.
func leaveUnfinished(s *story.Story, old string, resources ...string) unfinished {
	s.T.Helper()
	u := unfinished{s.HostedWorkspace(), s.Sight(old)}
	u.Configure(resources...)
	u.fails("The next apply keeps the object", "apply", "-auto-approve", "-no-color")
	story.Must(s.T, u.old.See(nil))
	s.As("eve").Patch(old, `{"data": {"done": "eWVz"}}`)
	return u
}

// says asserts that a text has these words.
func (u unfinished) says(printed string, want ...string) {
	u.T.Helper()
	said := strings.Join(strings.Fields(printed), " ")
	for _, words := range want {
		if !strings.Contains(said, words) {
			u.T.Errorf("not said: %q\n%s", words, printed)
		}
	}
}

// fails runs a command that has to fail, and asserts what it says.
func (u unfinished) fails(want string, args ...string) {
	u.T.Helper()
	printed, err := u.Try(args...)
	if err == nil {
		u.T.Fatalf("%v has not failed:\n%s", args, printed)
	}
	u.says(printed, want)
}

// isFinished asserts that the object is the old one, that only one manager applies to it, and that the next plan is
// empty.
func (u unfinished) isFinished() {
	u.T.Helper()
	story.Must(u.T, u.old.ExpectKept(nil))
	u.Exits(story.Nothing, "plan", "-detailed-exitcode")
	for _, entry := range u.Live(u.old.Target).GetManagedFields() {
		if strings.HasPrefix(entry.Manager, "k8sconnect") && entry.Manager != "k8sconnect" {
			u.T.Errorf("%q still owns fields of the object", entry.Manager)
		}
	}
}

const settingsSecret = "v1 Secret settings"

func secretOf(data string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata: {name: settings, namespace: NS}\ndata: " + data
}

// An object whose manifest has no field has no owner, and so no claim to hand over.
func TestUnfinishedCreateOfABareObject(t *testing.T) {
	s := story.New(t)
	bare := "apiVersion: v1\nkind: Secret\nmetadata: {name: settings, namespace: NS}\n"
	u := leaveUnfinished(s, settingsSecret, s.Manifest("test", bare, waitsFor("bmV2ZXI=")...))
	u.Configure(s.Manifest("test", bare, waitsFor("eWVz")...))
	u.Do("apply", "-auto-approve")
	u.isFinished()
}

// A create that fails after the object exists taints the resource, and Terraform plans a replacement. The object stays
// and is updated in place: with every way to apply, with a change, and if other managers have written to it.
func TestUnfinishedCreateStays(t *testing.T) {
	t.Parallel()
	apply := []string{"apply", "-auto-approve"}
	for name, next := range map[string]struct {
		body      string
		arguments []string
		commands  [][]string
	}{
		"an apply":               {commands: [][]string{apply}},
		"a saved plan":           {commands: [][]string{{"plan", "-out=plan"}, {"apply", "plan"}}},
		"an apply with a change": {body: secretOf(`{a: Mg==}`), commands: [][]string{apply}},
		"a change, saved":        {body: secretOf(`{b: MQ==}`), commands: [][]string{{"plan", "-out=plan"}, {"apply", "plan"}}},
		"without a refresh":      {commands: [][]string{{"apply", "-auto-approve", "-refresh=false"}}},
		"saved without a refresh": {
			body: secretOf(`{b: MQ==}`), commands: [][]string{{"plan", "-refresh=false", "-out=plan"}, {"apply", "plan"}},
		},
		"-replace":              {commands: [][]string{{"apply", "-auto-approve", "-replace=" + story.Address}}},
		"no wait any more":      {arguments: []string{"on_destroy = \"delete\""}, commands: [][]string{apply}},
		"protected":             {arguments: append(waitsFor("eWVz"), story.Protected), commands: [][]string{apply, {"plan"}}},
		"another field manager": {arguments: append(waitsFor("eWVz"), `field_manager = "k8sconnect"`), commands: [][]string{apply}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			u := leaveUnfinished(s, settingsSecret, s.Manifest("test", secretOf(`{a: MQ==}`), waitsFor("bmV2ZXI=")...))
			if next.body == "" {
				next.body = secretOf(`{a: MQ==}`)
			}
			if next.arguments == nil {
				next.arguments = waitsFor("eWVz")
			}
			u.Configure(s.Manifest("test", next.body, next.arguments...))
			advice := `To create a new one instead, set on_failure = "replace" in wait.`
			if name == "no wait any more" {
				advice = "To create a new one instead, delete it and plan again: kubectl delete secret/settings -n"
			}
			u.says(u.Do("plan", "-no-color"), "Object Stays", "The object stays and is updated in place.", advice,
				"1 to add, 0 to change, 1 to destroy")
			for _, command := range next.commands {
				u.Do(command...)
			}
			u.isFinished()
			story.Must(t, s.ExpectLive(settingsSecret, map[string]any{"data.done": "eWVz"})(nil))
			if !strings.Contains(strings.Join(next.arguments, ""), story.Protected) {
				u.Do("destroy", "-auto-approve")
				story.Must(t, s.ExpectGone(settingsSecret)(nil))
			}
		})
	}
}

// The destroy half of the replacement hands the claim over. The create half takes it back, as if the field manager had
// changed. Nothing else is sent.
func TestUnfinishedCreateCosts(t *testing.T) {
	s := story.New(t)
	u := leaveUnfinished(s, settingsSecret, s.Manifest("test", secretOf(`{a: MQ==}`), waitsFor("bmV2ZXI=")...))
	u.Configure(s.Manifest("test", secretOf(`{a: MQ==}`), waitsFor("eWVz")...))
	const get, try, patch = "get secrets NS/settings 200", "patch secrets NS/settings dry-run 200", "patch secrets NS/settings 200"
	u.ExpectCost("plan", []string{get}, "plan", "-out=plan")
	u.ExpectCost("apply", []string{get, patch, try, get, patch, patch}, "apply", "plan")
	u.isFinished()
}

// A wait that fails again leaves the resource unfinished again.
func TestUnfinishedCreateFailsAgain(t *testing.T) {
	s := story.New(t)
	u := leaveUnfinished(s, settingsSecret, s.Manifest("test", secretOf(`{a: MQ==}`), waitsFor("bmV2ZXI=")...))
	u.fails("The next apply keeps the object", "apply", "-auto-approve", "-no-color")
	story.Must(t, u.old.ExpectKept(nil))
	u.fails("The next apply keeps the object", "apply", "-auto-approve", "-no-color")
	u.Configure(s.Manifest("test", secretOf(`{a: Mg==}`), waitsFor("eWVz")...))
	u.Do("apply", "-auto-approve")
	u.isFinished()
	u.Do("taint", story.Address) // The create has ended well, so this is a taint like any other.
	u.Configure(s.Manifest("test", secretOf(`{a: Mg==, done: eWVz}`), waitsFor("eWVz")...))
	u.Do("apply", "-auto-approve")
	story.Must(t, u.old.ExpectReplaced(nil))
}

// What is not about the same object, or asks for a new one, deletes the object of an unfinished create.
func TestUnfinishedCreateEnds(t *testing.T) {
	t.Parallel()
	apply := []string{"apply", "-auto-approve", "-no-color"}
	never := waitsFor("bmV2ZXI=")
	for name, next := range map[string]struct {
		blocks   []string
		commands [][]string
		says     string
	}{
		"a destroy":            {[]string{secretOf(`{a: MQ==}`)}, [][]string{{"destroy", "-auto-approve"}}, ""},
		"a saved destroy":      {[]string{secretOf(`{a: MQ==}`)}, [][]string{{"plan", "-destroy", "-out=plan"}, {"apply", "plan"}}, ""},
		"without a refresh":    {[]string{secretOf(`{a: MQ==}`)}, [][]string{{"destroy", "-auto-approve", "-refresh=false"}}, ""},
		"no resource any more": {nil, [][]string{apply}, ""},
		"another name":         {[]string{strings.Replace(secretOf(`{a: MQ==, done: eWVz}`), "settings", "other", 1)}, [][]string{apply}, ""},
		"an immutable field":   {[]string{secretOf(`{a: MQ==, done: eWVz}`) + "\ntype: example.com/other"}, [][]string{apply}, ""},
		`on_failure = "replace"`: {
			[]string{secretOf(`{a: MQ==, done: eWVz}`), `on_failure = "replace"`}, [][]string{apply}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			u := leaveUnfinished(s, settingsSecret, s.Manifest("test", secretOf(`{a: MQ==}`), never...))
			u.Configure()
			if len(next.blocks) > 0 {
				u.Configure(s.Manifest("test", next.blocks[0], waitsFor("eWVz", next.blocks[1:]...)...))
			}
			if printed := u.Do("plan", "-no-color"); strings.Contains(printed, "Object Stays") != (len(next.blocks) > 0 && strings.Contains(strings.Join(next.commands[0], " "), "destroy")) {
				t.Errorf("the plan says what becomes of the object wrongly:\n%s", printed)
			}
			for _, command := range next.commands {
				u.Do(command...)
			}
			story.Must(t, u.old.ExpectReplaced(nil))
		})
	}
}

// Between the two halves of the replacement, no state has the object. If the apply ends there, because what the resource
// depends on has failed, the next apply takes the object up again. A resource of another manager does not.
func TestUnfinishedCreateIsTakenUp(t *testing.T) {
	s := story.New(t)
	first := func(value, done string) string {
		return s.Manifest("first", strings.Replace(secretOf(`{a: `+value+`}`), "settings", "first", 1), waitsFor(done)...)
	}
	second := func(value, done string, more ...string) string {
		return s.Manifest("test", secretOf(`{a: `+value+`}`), append(waitsFor(done), append(more, "depends_on = [k8sconnect_manifest.first]")...)...)
	}
	u := leaveUnfinished(s, settingsSecret, strings.Replace(first("MQ==", "MQ=="), "data.done", "data.a", 1), second("MQ==", "bmV2ZXI="))
	u.Configure(strings.Replace(first("Mg==", "bmV2ZXI="), "data.done", "data.a", 1), second("Mg==", "eWVz"))
	u.fails("Object Not Ready", "apply", "-auto-approve", "-no-color")
	story.Must(t, u.old.ExpectKept(nil))
	u.Configure(strings.Replace(first("Mg==", "Mg=="), "data.done", "data.a", 1), second("Mg==", "eWVz"))
	u.says(u.Do("plan", "-no-color"), "Existing Object Adopted", "an earlier apply of this resource ended before it could update the object")
	u.Do("apply", "-auto-approve")
	u.isFinished()
	story.Must(t, s.ExpectLive(settingsSecret, map[string]any{"data.a": "Mg==", "data.done": "eWVz"})(nil))
}

// With create_before_destroy, the create half comes first, in a process that knows nothing of the object. It refuses the
// object, and nothing is deleted. What the guide says helps.
func TestUnfinishedCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	resourceOf := func(s *story.Story, done string, more ...string) string {
		return s.Manifest("test", secretOf(`{a: MQ==}`), append(waitsFor(done), more...)...)
	}
	const lifecycle = "lifecycle {\n create_before_destroy = true\n}"
	for name, commands := range map[string][][]string{
		"untainted": {{"untaint", story.Address}, {"apply", "-auto-approve"}},
		"imported": {
			nil, {"state", "rm", story.Address},
			{"import", story.Address, "apiVersion=v1,kind=Secret,namespace=NS,name=settings"}, {"apply", "-auto-approve"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			u := leaveUnfinished(s, settingsSecret, resourceOf(s, "bmV2ZXI="))
			u.Configure(resourceOf(s, "eWVz", lifecycle))
			for _, command := range commands {
				if command == nil {
					refused := "Name Already In Use"
					if u.CLI.Product == testcluster.ProductOpenTofu { // It does not tell the provider that it applies.
						refused = "Object Already Exists"
					}
					u.fails(refused, "apply", "-auto-approve", "-no-color")
					story.Must(t, u.old.ExpectKept(nil))
					continue
				}
				for i, argument := range command {
					command[i] = s.Expand(argument)
				}
				u.Do(command...)
			}
			u.isFinished()
		})
	}
}

// With destroy = false, Terraform forgets the object before the create half, which refuses it. What the plan and the
// error say helps.
func TestUnfinishedCreateWithoutDestroy(t *testing.T) {
	s := story.New(t)
	resourceOf := func(done string, more ...string) string {
		return s.Manifest("test", story.Settings, append(waitsFor(done), more...)...)
	}
	lifecycle := story.Feature{TerraformVersionCheck: tfversion.SkipBelow(version.Must(version.NewVersion("1.16.0"))), Name: "destroy = false in a lifecycle"}
	lifecycle.Needed(s.Workspace())
	u := leaveUnfinished(s, story.SettingsTarget, resourceOf("bmV2ZXI="))
	u.Configure(resourceOf("eWVz", "lifecycle {\n destroy = false\n}"))
	u.says(u.Do("plan", "-no-color"), "or destroy = false in its lifecycle, run terraform untaint first")
	u.fails("With destroy = false, the state does not have it any more", "apply", "-auto-approve", "-no-color")
	u.Do("import", story.Address, s.Expand("apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings"))
	u.Do("apply", "-auto-approve")
	u.isFinished()
}

// With create_before_destroy, Terraform creates the new object while the old one has its name. The apply refuses that, and
// the state is as it was before: the next plan is the same replacement, and without create_before_destroy it is made. OpenTofu
// does not tell the provider that it applies: the object stays, too, and the next plan says what to do.
func TestCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	const lifecycle = "lifecycle {\n create_before_destroy = true\n}"
	single := func(arguments ...string) func(*story.Story, string, ...string) string {
		return func(s *story.Story, value string, more ...string) string {
			return s.Manifest("test", strings.Replace(secretOf(`{a: `+value+`}`), "kind: Secret", "kind: Secret\nimmutable: true", 1),
				append(more, arguments...)...)
		}
	}
	set := func(s *story.Story, value string, more ...string) string {
		return s.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    same    = jsonencode({apiVersion = "v1", kind = "ConfigMap", metadata = {name = "same", namespace = "NS"}})
    changed = jsonencode({apiVersion = "v1", kind = "Secret", immutable = true, data = {a = "` + value + `"}
                          metadata = {name = "settings", namespace = "NS"}})
  }
  ` + strings.Join(more, "\n") + `
}
`)
	}
	for name, test := range map[string]struct {
		of      func(*story.Story, string, ...string) string
		address string
		value   string
		replace bool
	}{
		"a replacement that was asked for": {single(), story.Address, "MQ==", true},
		"an immutable field":               {single(), story.Address, "Mg==", false},
		"an adoption":                      {single(story.Adopting), story.Address, "Mg==", false},
		"another field manager":            {single(`field_manager = "VALUE"`), story.Address, "Mg==", false},
		"a set":                            {set, "k8sconnect_manifests.test", "Mg==", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			kept := s.Sight(settingsSecret)
			of := func(value, manager string, more ...string) string {
				return strings.ReplaceAll(test.of(s, value, more...), "VALUE", manager)
			}
			apply := []string{"apply", "-auto-approve", "-no-color"}
			if test.replace {
				apply = append(apply, "-replace="+test.address)
			}
			w.Configure(of("MQ==", "one", lifecycle))
			w.Do("apply", "-auto-approve")
			story.Must(t, kept.See(nil))
			w.Configure(of(test.value, "two", lifecycle))
			for range 2 {
				out, err := w.Try(apply...)
				if err == nil {
					t.Fatalf("the apply has succeeded:\n%s", out)
				}
				story.Must(t, kept.ExpectKept(nil))
				if w.CLI.Product == testcluster.ProductOpenTofu {
					continue // The object stays deposed.
				}
				says(t, out, "Name Already In Use", "create_before_destroy")
				if state := w.Do("state", "pull"); strings.Contains(state, "deposed") || !strings.Contains(state, "settings") {
					t.Fatalf("the state does not have the object as before:\n%s", state)
				}
			}
			if w.CLI.Product == testcluster.ProductOpenTofu {
				out, _ := w.Try("plan", "-no-color")
				says(t, out, "Object Managed Twice", "create_before_destroy has failed", "terraform state rm")
				return
			}
			w.Configure(of(test.value, "two"))
			w.Do(apply...)
			w.Do("plan", "-detailed-exitcode")
		})
	}
}
