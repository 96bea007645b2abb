package acceptance_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// inside returns a manifest in a namespace whose name begins with that of the story.
func inside(namespace, manifest string) string {
	return strings.ReplaceAll(manifest, "namespace: NS", "namespace: NS-"+namespace)
}

func namespaceOf(name string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-" + name + "}\n"
}

// A key that names another namespace takes the old one out of the set, as if it had gone: what is still in there stays. If
// all leave, the new ones are there first.
func TestSetWhoseKeyNamesAnotherNamespace(t *testing.T) {
	s := newSet(t)
	of := func(namespace, with string) map[string]string {
		return map[string]string{"ns": namespaceOf(namespace), "db": inside(with, configMap("db", "1"))}
	}
	s.has(of("shop", "shop"))
	s.Do("apply", "-auto-approve")
	before := s.uid("v1 ConfigMap NS-shop/db")
	s.has(of("store", "shop"))
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes Namespace NS-shop (v1)", "ConfigMap NS-shop/db (v1)", "not", "Deleted Too")
	s.has(of("shop", "shop"))
	s.settled()
	if got := s.uid("v1 ConfigMap NS-shop/db"); got != before {
		t.Errorf("the object is another one: %s, was %s", got, before)
	}
	s.has(of("store", "store"))
	s.expect(s.Do("apply", "-auto-approve"), "Objects Deleted: ConfigMap NS-shop/db (v1) and 1 More", "not", "Deleted Too")
	s.settled()
	s.gone("v1 Namespace NS-shop")
	s.Do("destroy", "-auto-approve")
	s.gone("v1 Namespace NS-store")
}

// Keys that all name other objects: the old ones leave in the order of a destroy, after the new ones are there.
func TestSetMovesAnOperatorToAnotherNamespace(t *testing.T) {
	s := newSet(t)
	const rbac = "apiVersion: rbac.authorization.k8s.io/v1\n"
	of := func(namespace, task string) map[string]string {
		return map[string]string{
			"ns": namespaceOf(namespace), "kind": jobKind, "account": inside(namespace, accountManifest), "operator": inside(namespace, operator), "task": inside(namespace, task),
			"role": inside(namespace, rbac+"kind: Role\nmetadata: {name: tasks, namespace: NS}\nrules: [{apiGroups: [NS.example.com], resources: [tasks], verbs: ['*']}]\n"),
			"binding": inside(namespace, rbac+"kind: RoleBinding\nmetadata: {name: tasks, namespace: NS}\nsubjects: [{kind: ServiceAccount, name: app, namespace: NS}]\n"+
				"roleRef: {kind: Role, name: tasks, apiGroup: rbac.authorization.k8s.io}\n"),
		}
	}
	s.has(of("shop", task))
	s.Do("apply", "-auto-approve")
	s.has(of("store", strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)))
	done := make(chan string)
	go func() {
		const old = "NS.example.com/v1 Task NS-shop/one"
		s.Await("the custom resource is being deleted", func() bool { return s.Gone(old) || s.Live(old).GetDeletionTimestamp() != nil })
		var wrong []string
		for _, target := range []string{"v1 Namespace NS-shop", "apps/v1 Deployment NS-shop/operator", "apps/v1 Deployment NS-store/operator", "NS.example.com/v1 Task NS-store/one"} {
			if s.Gone(target) || s.Live(target).GetDeletionTimestamp() != nil {
				wrong = append(wrong, target)
			}
		}
		s.As("operator").JSONPatch(old, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
		done <- strings.Join(wrong, ", ")
	}()
	s.Do("apply", "-auto-approve")
	if wrong := <-done; wrong != "" {
		t.Errorf("while the custom resource was being deleted, these were not there, or on their way out: %s", wrong)
	}
	s.settled()
	s.gone("v1 Namespace NS-shop")
	s.Do("destroy", "-auto-approve")
}

// Keys name other objects, and the API server refuses one of the new ones: nothing is deleted. The next apply has what is
// left, with the new configuration and with the old one.
func TestSetWhoseKeyNamesAnObjectThatFails(t *testing.T) {
	t.Parallel()
	for name, next := range map[string][2]string{"goes on": {"three", "four"}, "goes back": {"one", "two"}} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			of := func(a, b string) map[string]string {
				return map[string]string{"a": configMap(a, "1"), "b": configMap(b, "1")}
			}
			s.has(of("one", "two"))
			s.Do("apply", "-auto-approve")
			s.quota("4") // One more may be created, and each of two passes its dry-run.
			uids := map[string]string{"one": s.uid("v1 ConfigMap one"), "two": s.uid("v1 ConfigMap two")}
			s.has(of("three", "four"))
			s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "exceeded quota", "Objects Not Deleted: ConfigMap NS/one (v1) and 1 More")
			for _, name := range []string{"one", "two"} {
				if s.uid("v1 ConfigMap "+name) != uids[name] {
					t.Errorf("%s is another object", name)
				}
			}
			for _, name := range []string{"three", "four"} {
				if !s.Gone("v1 ConfigMap " + name) {
					uids[name] = s.uid("v1 ConfigMap " + name)
				}
			}
			s.quota("9")
			s.has(of(next[0], next[1]))
			s.Do("apply", "-auto-approve")
			s.settled()
			for _, name := range []string{"one", "two", "three", "four"} {
				was, is := uids[name], !s.Gone("v1 ConfigMap "+name)
				if wanted := name == next[0] || name == next[1]; is != wanted || is && was != "" && s.uid("v1 ConfigMap "+name) != was {
					t.Errorf("%s: is there: %t, wanted: %t, or it was created again", name, is, wanted)
				}
			}
			s.Do("destroy", "-auto-approve")
		})
	}
}

// Keys name other objects, and one of the old ones cannot be deleted: the state has it beside the new one of its key, until
// it is gone.
func TestSetWhoseKeyNamedAnObjectThatStays(t *testing.T) {
	s := newSet(t)
	held := strings.Replace(configMap("one", "1"), "metadata: {", "metadata: {finalizers: [example.com/hold], ", 1)
	const impatient = "timeouts {\n    delete = \"2s\"\n  }"
	s.has(map[string]string{"a": held}, impatient)
	s.Do("apply", "-auto-approve")
	old := s.uid("v1 ConfigMap one")
	s.has(map[string]string{"a": configMap("two", "1")}, impatient)
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Deletion Blocked", "example.com/hold")
	holds := func(want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for key, object := range s.State()[0].AttributeValues["objects"].(map[string]any) {
			got[key] = object.(map[string]any)["uid"].(string)
		}
		if !maps.Equal(got, want) {
			t.Errorf("the state has %v, want %v", got, want)
		}
	}
	uid := s.uid("v1 ConfigMap two")
	for range 2 { // It stays so, as often as the deletion fails.
		holds(map[string]string{"a": uid, s.Expand("a: ConfigMap NS/one (v1)"): old})
		s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Deletion Blocked")
	}
	s.As("kubectl").Patch("v1 ConfigMap one", `{"metadata": {"finalizers": null}}`)
	s.Do("apply", "-auto-approve")
	s.settled()
	holds(map[string]string{"a": uid})
	s.gone("v1 ConfigMap one")
	s.Do("destroy", "-auto-approve")
}

// The object that a key has named before stays if the set releases what leaves it, and the plan says so.
func TestSetReleasesWhatAKeyNamedBefore(t *testing.T) {
	s := newSet(t)
	s.has(map[string]string{"a": configMap("one", "1")}, `on_destroy = "release"`)
	s.Do("apply", "-auto-approve")
	uid := s.uid("v1 ConfigMap one")
	s.has(map[string]string{"a": configMap("two", "1")}, `on_destroy = "release"`)
	s.expect(s.Do("apply", "-auto-approve"), "Objects Released: ConfigMap NS/one (v1)", "not", "Objects Deleted")
	s.settled()
	if s.uid("v1 ConfigMap one") != uid || s.uid("v1 ConfigMap two") == "" {
		t.Error("the old object is gone, or the new one is missing")
	}
	if got := s.managers("one"); len(got) > 0 {
		t.Errorf("the released object has the managers %v", got)
	}
}

// Two keys change places, and nothing else: the objects stay, and what the state says of each is under its key. So it is without a
// refresh, and with arguments that change nothing.
func TestSetOfTwoWhoseKeysChangePlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ flag, argument string }{
		"with a refresh":             {"-refresh=true", ""},
		"without a refresh":          {"-refresh=false", ""},
		"with a rule that says that": {"-refresh=true", `rules = [{ kinds = ["Secret"], on_conflict = "force" }]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			of := func(names ...string) map[string]string {
				manifests := map[string]string{}
				for i, name := range names {
					manifests[fmt.Sprint(i)] = configMap(name, "1")
				}
				return manifests
			}
			s.has(of("one", "two"))
			s.Do("apply", "-auto-approve")
			uids := [2]string{s.uid("v1 ConfigMap one"), s.uid("v1 ConfigMap two")}
			s.has(of("two", "one"), test.argument)
			s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode", test.flag), "1 to change", "not", "Objects Deleted")
			s.expect(s.Do("apply", "-auto-approve", test.flag), "1 changed")
			s.settled()
			objects := s.State()[0].AttributeValues["objects"].(map[string]any)
			for key, uid := range map[string]string{"0": uids[1], "1": uids[0]} {
				if got := objects[key].(map[string]any)["uid"]; got != uid || s.uid("v1 ConfigMap two") != uids[1] {
					t.Errorf("under the key %s is %v, want %s", key, got, uid)
				}
			}
			s.has(of("one", "two"), test.argument)
			s.Do("apply", "-auto-approve", test.flag)
			s.settled()
			s.Do("destroy", "-auto-approve")
			s.gone("v1 ConfigMap one", "v1 ConfigMap two")
		})
	}
}

// A key whose object is known only during the apply may turn out to be about the old object, or about another one.
func TestSetWhoseKeyNamesAnUnknownObject(t *testing.T) {
	s := newSet(t)
	configure := func(trigger, name string) {
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`, fmt.Sprintf("resource \"terraform_data\" \"t\" {\n  input = %q\n  triggers_replace = %q\n}\n", name, trigger),
			s.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    a = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = terraform_data.t.output, namespace = "NS" }, data = { a = "1" } }
  }
}
`))
	}
	configure("1", "one")
	s.Do("apply", "-auto-approve")
	s.settled()
	uid := s.uid("v1 ConfigMap one")
	configure("2", "one")
	s.Do("apply", "-auto-approve")
	s.settled()
	if s.uid("v1 ConfigMap one") != uid {
		t.Error("the object was created again")
	}
	configure("3", "two")
	s.Do("apply", "-auto-approve")
	s.settled()
	s.gone("v1 ConfigMap one")
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap two")
}

// A definition that can only be replaced is not, as long as the set keeps objects of its kind.
func TestSetKeepsADefinitionThatWouldBeReplaced(t *testing.T) {
	s := newSet(t)
	free := strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)
	of := func(scope string) string { return strings.Replace(jobKind, "scope: Namespaced", "scope: "+scope, 1) }
	s.has(map[string]string{"kind": of("Namespaced"), "task": free})
	s.Do("apply", "-auto-approve")
	uid := s.uid(taskTarget)
	s.has(map[string]string{"kind": of("Cluster"), "task": free})
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes CustomResourceDefinition tasks.NS.example.com", "Task NS/one")
	if s.uid(taskTarget) != uid {
		t.Error("the custom resource is another one")
	}
	s.has(map[string]string{"kind": of("Cluster")})
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "delete these objects first")
	s.has(map[string]string{"kind": of("Namespaced")})
	s.Do("apply", "-auto-approve")
	s.has(map[string]string{"kind": of("Cluster")})
	s.Do("apply", "-auto-approve")
	s.has(map[string]string{"kind": of("Cluster"), "task": strings.Replace(free, ", namespace: NS", "", 1)})
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
}

// An object that another client has made again is nobody's of the set: a plan that deletes its namespace or its
// definition lists it, and is refused if it has to stay.
func TestSetWhoseRecreatedObjectWouldGoAlong(t *testing.T) {
	t.Parallel()
	t.Run("with a namespace", func(t *testing.T) {
		s := newSet(t)
		all := map[string]string{"ns": namespaceOf("shop"), "one": inside("shop", configMap("one", "1")), "other": configMap("other", "1")}
		s.has(all)
		s.Do("apply", "-auto-approve")
		s.As("kubectl").Remove("v1 ConfigMap NS-shop/one")
		s.As("kubectl-create").Create(inside("shop", configMap("one", "theirs")))
		s.has(map[string]string{"other": all["other"]})
		s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes Namespace NS-shop (v1)", "ConfigMap NS-shop/one (v1)")
		s.has(map[string]string{"ns": all["ns"], "other": all["other"]})
		plan := s.Do("plan")
		s.expect(plan, "Object Was Recreated: ConfigMap NS-shop/one", "So the set does not delete it, and it leaves the state.")
		s.has(all)
		s.expect(s.Do("destroy", "-auto-approve"), "Object Was Recreated: ConfigMap NS-shop/one", "Deleted Too: Namespace NS-shop", "ConfigMap NS-shop/one (kubectl-create, ",
			"not", "stays on the cluster")
		s.gone("v1 Namespace NS-shop")
	})
	t.Run("with a definition", func(t *testing.T) {
		s := newSet(t)
		free := strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)
		s.has(map[string]string{"kind": jobKind, "task": free})
		s.Do("apply", "-auto-approve")
		s.As("kubectl").Remove(taskTarget)
		s.As("kubectl-create").Create(free)
		uid := s.uid(taskTarget)
		s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Object Protected", "1 of them may be of others", "Task NS/one (no owner)")
		if s.uid(taskTarget) != uid {
			t.Error("the custom resource is another one")
		}
		client, name := s.ResourceOf(s.Parse(free)), "one"
		story.Must(t, client.Delete(t.Context(), name, metav1.DeleteOptions{}))
		s.Do("destroy", "-auto-approve")
	})
}
