package acceptance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	recreatedTarget = "v1 ConfigMap web"
	ourWebMap       = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {a: ours}}"
	theirWebMap     = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {a: theirs, b: precious}}"
)

// applied returns a workspace that has applied the ConfigMap, and the uid that the ConfigMap has.
func applied(t *testing.T, arguments ...string) (*story.Workspace, string) {
	t.Helper()
	w := story.New(t).HostedWorkspace()
	w.Configure(w.Manifest("test", ourWebMap, arguments...))
	w.Do("apply", "-auto-approve")
	return w, string(w.Live(recreatedTarget).GetUID())
}

// recreate deletes the ConfigMap and has create make another one. It returns the uid and all of the object as it is then.
func recreate(w *story.Workspace, create func()) (uid, seen string) {
	w.T.Helper()
	w.As("kubectl").Remove(recreatedTarget)
	create()
	return string(w.Live(recreatedTarget).GetUID()), asItIs(w)
}

// asItIs returns all of the ConfigMap, managedFields and resourceVersion included.
func asItIs(w *story.Workspace) string {
	w.T.Helper()
	text, err := json.Marshal(w.Live(recreatedTarget).Object)
	story.Must(w.T, err)
	return string(text)
}

// refuses asserts that a command ends with an error that says all of texts.
func refuses(w *story.Workspace, args []string, texts ...string) {
	w.T.Helper()
	if out, err := w.Try(args...); err == nil || !story.Saying(texts...).MatchString(out) {
		w.T.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// Another client has deleted the object and created another one of the name. A destroy does not delete that one: it
// says whose it is, and what to do. It is the same for each way to lose the object, whether the refresh was in the same
// run or not.
func TestDestroyAsksForRecreatedObject(t *testing.T) {
	t.Parallel()
	byKubectl := func(w *story.Workspace) func() { return func() { w.As("kubectl-create").Create(theirWebMap) } }
	for name, tc := range map[string]struct {
		args      []string
		configure func(*story.Workspace)
		refreshed bool
		arguments []string
		create    func(*story.Workspace) func()
		says      []string
	}{
		"destroyed": {args: []string{"destroy", "-auto-approve"}, says: []string{"refused to delete it", "terraform state rm", "To delete the object, apply the resource first"}},
		"destroyed without a refresh": {
			args: []string{"destroy", "-auto-approve", "-refresh=false"}, refreshed: true, says: []string{"refused to delete it"},
		},
		"with equal values": {
			args: []string{"destroy", "-auto-approve"}, says: []string{"refused to delete it"},
			create: func(w *story.Workspace) func() { return func() { w.As("kubectl-create").Create(ourWebMap) } },
		},
		"removed from the configuration": {
			args: []string{"apply", "-auto-approve"}, configure: func(w *story.Workspace) { w.Configure() }, refreshed: true, says: []string{"refused to delete it"},
		},
		"replaced": {
			args: []string{"apply", "-auto-approve", "-replace=" + story.Address}, says: []string{"refused to replace it"},
		},
		"tainted": {
			args: []string{"apply", "-auto-approve"}, configure: func(w *story.Workspace) { w.Do("taint", story.Address) }, says: []string{"refused to replace it"},
		},
		"renamed": {
			args: []string{"apply", "-auto-approve"},
			configure: func(w *story.Workspace) {
				w.Configure(w.Manifest("test", strings.Replace(ourWebMap, "name: web", "name: other", 1)))
			},
			says: []string{"refused to replace it: yaml_body names another object"},
		},
		"protected": {
			args: []string{"destroy", "-auto-approve"}, arguments: []string{"delete_protection = true"}, says: []string{"Object Protected"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, was := applied(t, tc.arguments...)
			create := byKubectl
			if tc.create != nil {
				create = tc.create
			}
			is, seen := recreate(w, create(w))
			if tc.refreshed {
				w.Do("apply", "-refresh-only", "-auto-approve")
			}
			if tc.configure != nil {
				tc.configure(w)
			}
			says := tc.says
			if len(tc.arguments) == 0 {
				says = append([]string{"Object Was Recreated", "its uid was " + was + " and is now " + is, `owns nothing of it; its field managers are "kubectl-create"`}, says...)
			}
			for range 2 {
				refuses(w, tc.args, says...)
			}
			if now := asItIs(w); now != seen {
				t.Errorf("the object was\n%s\nand is\n%s", seen, now)
			}
			w.Do("state", "rm", story.Address)
		})
	}
}

// A plan says that it is about another object, whose it is, and what the apply takes. After that apply the object is the resource's, and a
// destroy deletes it.
func TestPlanOfRecreatedObject(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		create string
		as     string
		says   []string
	}{
		"with another value": {
			create: theirWebMap, as: "kubectl-create", says: []string{"The plan for this object: ", `data.a: "theirs" -> "ours", owned by "kubectl-create"`},
		},
		"with equal values": {create: ourWebMap, as: "kubectl-create", says: []string{"The apply takes over the fields in yaml_body."}},
		"without fields": {
			create: "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}}", as: "argocd", says: []string{"terraform state rm"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			var was, is string
			config := s.Config(ourWebMap)
			told := func(says ...string) []string {
				return append([]string{"Object Was Recreated: ConfigMap", "another object than the one of the last apply", "This resource owns nothing of it"}, says...)
			}
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						was = string(s.Live(recreatedTarget).GetUID())
						s.As("kubectl").Remove(recreatedTarget)
						is = string(s.As(tc.as).Create(tc.create).GetUID())
					}),
					Config: config,
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						s.ExpectPlanSays(told(tc.says...)...),
						story.Meanwhile(func() {
							story.Must(t, s.Warned("its uid was "+was+" and is now "+is))
						}),
					),
					Check: s.ExpectOwners(recreatedTarget, "data.a", story.Us),
				},
				resource.TestStep{PreConfig: s.NextStep(), Config: config, PlanOnly: true, ConfigPlanChecks: resource.ConfigPlanChecks{}},
				resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone(recreatedTarget)},
			)
		})
	}
}

// What the resource's manager owns is the resource's, whatever uid it has: a backup was restored, for example. An object that it created
// is its own, whoever has cleared the owners. With on_destroy = "release" there is nothing to ask.
func TestDestroyOfOwnObjectAsksNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		arguments []string
		change    func(*story.Workspace)
		stays     bool
	}{
		"it was restored with our claims": {
			change: func(w *story.Workspace) { recreate(w, func() { w.As(story.Us).Apply(ourWebMap) }) },
		},
		"its owners were cleared": {
			change: func(w *story.Workspace) { w.As("admin").StripManagedFields(recreatedTarget, "[{}]") },
		},
		"it is released": {
			arguments: []string{`on_destroy = "release"`}, stays: true,
			change: func(w *story.Workspace) { recreate(w, func() { w.As("kubectl-create").Create(theirWebMap) }) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := applied(t, tc.arguments...)
			tc.change(w)
			seen := asItIs(w)
			if out := w.Do("destroy", "-auto-approve"); strings.Contains(out, "Recreated") {
				t.Errorf("the destroy says:\n%s", out)
			}
			switch gone := w.Gone(recreatedTarget); {
			case gone == tc.stays:
				t.Errorf("gone: %t", gone)
			case tc.stays && asItIs(w) != seen:
				t.Errorf("the object was\n%s\nand is\n%s", seen, asItIs(w))
			}
		})
	}
}

// The object of a patch is another client's in any case. If it was created again, the plan says so and applies the
// patch to it. A destroy without that apply leaves the object as it is.
func TestRecreatedObjectOfAPatch(t *testing.T) {
	t.Parallel()
	const before = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {a: before}}"
	for name, resourceOf := range map[string]func(*story.Story) string{
		"yaml_body": func(s *story.Story) string {
			return s.PatchConfig(recreatedTarget, "data: {a: ours}", `field_manager = "patch"`)
		},
		"yaml_body, restored": func(s *story.Story) string {
			return s.PatchConfig(recreatedTarget, "data: {a: ours}", `field_manager = "patch"`, `on_destroy = "restore"`)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchConfig(recreatedTarget, "merge", `{"data": {"a": "ours"}}`, `field_manager = "patch"`, `on_destroy = "restore"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			_, block, _ := strings.Cut(resourceOf(s), "resource ")
			w.Configure("resource " + block)
			for _, applies := range []bool{false, true} {
				w.As("bob").Apply(before)
				w.Do("apply", "-auto-approve")
				_, seen := recreate(w, func() { w.As("bob").Apply(theirWebMap) })
				if out := w.Do("plan"); !story.Saying("Object Was Recreated", "is another object than the one of the last apply", `its field managers are "bob"`).MatchString(out) {
					t.Errorf("the plan says:\n%s", out)
				}
				if applies {
					w.Do("apply", "-auto-approve")
				}
				w.Do("destroy", "-auto-approve")
				if now := asItIs(w); !applies && now != seen {
					t.Errorf("the object was\n%s\nand is\n%s", seen, now)
				}
				w.As("bob").Remove(recreatedTarget)
			}
		})
	}
}
