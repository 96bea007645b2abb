package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// quota allows a number of ConfigMaps in the story's namespace, kube-root-ca.crt among them.
func (s *set) quota(count string) {
	s.T.Helper()
	s.Await("the namespace has kube-root-ca.crt", func() bool {
		_, err := s.Typed.CoreV1().ConfigMaps(s.Namespace).Get(s.T.Context(), "kube-root-ca.crt", metav1.GetOptions{})
		return err == nil
	})
	s.As("admin").Apply("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: NS}\nspec: {hard: {count/configmaps: \"" + count + "\"}}\n")
	s.Await("the quota is in force", func() bool {
		status, _ := s.Live("v1 ResourceQuota q").Object["status"].(map[string]any)
		hard, _ := status["hard"].(map[string]any)
		return hard["count/configmaps"] == count && status["used"] != nil
	})
}

// An object that fails does not stop the others. Nothing that was created is deleted, and the next apply has exactly
// what is left.
func TestSetCreateThatFailsInPart(t *testing.T) {
	s := newSet(t)
	s.quota("3")
	s.has(configMaps("1", "one", "two", "three", "four"))
	out := s.Exits(story.Refused, "apply", "-auto-approve")
	s.expect(out, "Error: Forbidden", "exceeded quota", "The objects:", "Warning: Objects Left: ConfigMap NS/", " and 1 More",
		"Of 4 objects with something to do, 2 are done:", "2 are left: the other messages say which, and why")
	if n := strings.Count(out, "Error: "); n != 1 {
		t.Errorf("one cause is reported %d times:\n%s", n, out)
	}
	state := s.Do("state", "show", "k8sconnect_manifests.test")
	uids := map[string]string{}
	for _, name := range []string{"one", "two", "three", "four"} {
		if _, pending, _ := strings.Cut(state, "pending"); !strings.Contains(pending, `"`+name+`"`) {
			uids[name] = s.uid("v1 ConfigMap " + name)
		}
	}
	if len(uids) != 2 {
		t.Fatalf("the state has %v:\n%s", uids, state)
	}
	s.quota("9")
	out = s.Do("apply", "-auto-approve")
	command := "kubectl delete"
	for _, name := range slices.Sorted(maps.Keys(uids)) {
		command += " configmap/" + name
	}
	s.expect(out, "Object Stays: ConfigMap NS/", "The object stays and is updated in place", command+" -n NS", "not", "more similar warning")
	s.settled()
	for name, uid := range uids {
		if got := s.uid("v1 ConfigMap " + name); got != uid {
			t.Errorf("%s was created again", name)
		}
	}
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap two", "v1 ConfigMap three", "v1 ConfigMap four")
}

// Without a refresh, Terraform destroys a tainted set and creates it again. The objects stay nevertheless.
func TestTaintedSetWithoutARefresh(t *testing.T) {
	s := newSet(t)
	s.quota("3")
	s.has(configMaps("1", "one", "two", "three", "four"))
	s.Exits(story.Refused, "apply", "-auto-approve")
	s.quota("9")
	was := map[string]string{}
	for _, name := range []string{"one", "two", "three", "four"} {
		if !s.Gone("v1 ConfigMap " + name) {
			was[name] = s.uid("v1 ConfigMap " + name)
		}
	}
	s.expect(s.Do("apply", "-refresh=false", "-auto-approve"), "Existing Object Adopted")
	s.settled()
	for name, uid := range was {
		if got := s.uid("v1 ConfigMap " + name); got != uid {
			t.Errorf("%s was created again", name)
		}
	}
	if len(was) != 2 {
		t.Errorf("the quota has let %d objects pass", len(was))
	}
}

// An update that fails in part leaves the state with what was applied, deletes nothing, and says why.
func TestSetUpdateThatFailsInPart(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two", "goes"))
	s.Do("apply", "-auto-approve")
	s.quota("5") // One more may be created, and each of two passes its dry-run.
	s.has(configMaps("2", "one", "two", "new", "more"))
	out := s.Exits(story.Refused, "apply", "-auto-approve")
	s.expect(out, "could not be created", "exceeded quota", "Objects Not Deleted: ConfigMap NS/goes (v1)",
		"Of 5 objects with something to do, 3 are done:", "2 are left")
	if s.uid("v1 ConfigMap goes") == "" {
		t.Error("an object was deleted in an apply that failed")
	}
	state := s.Do("state", "show", "k8sconnect_manifests.test")
	s.expect(state, `= "Forbidden"`, "name: goes", `data: {a: "2"}`)
	s.quota("9")
	s.expect(s.Do("apply", "-auto-approve"), "Objects Deleted: ConfigMap NS/goes (v1)")
	s.settled()
	s.gone("v1 ConfigMap goes")
}

// A namespace and a definition stay as long as an object is there that would go with them. Nothing leaves the state before it is
// gone from the cluster.
func TestSetKeepsWhatWouldTakeOthersAlong(t *testing.T) {
	s := newSet(t)
	held := maps.Clone(operatorFile)
	held["gadget"] = strings.Replace(held["gadget"], "metadata: {", "metadata: {finalizers: [example.com/hold], ", 1)
	const impatient = `timeouts {
    delete = "8s"
  }`
	for name, run := range map[string]struct {
		without map[string]string
		command []string
	}{
		"a destroy": {held, []string{"destroy", "-auto-approve"}},
		"an update": {map[string]string{"other": configMap("other", "1")}, []string{"apply", "-auto-approve"}},
	} {
		s.has(held, impatient)
		s.Do("apply", "-auto-approve")
		s.has(run.without, impatient)
		s.expect(s.Exits(story.Refused, run.command...), "Objects Kept: ", "Part NS-own/one (NS.example.org/v1) is still there",
			"Objects Left: CustomResourceDefinition parts.NS.example.org (apiextensions.k8s.io/v1) and 2 More")
		for _, target := range []string{"v1 Namespace NS-own", "apiextensions.k8s.io/v1 CustomResourceDefinition parts.NS.example.org"} {
			if object := s.Live(target); object.GetDeletionTimestamp() != nil {
				t.Errorf("%s: %s is being deleted", name, target)
			}
		}
		if !s.Gone("apps/v1 Deployment NS-own/web") {
			t.Errorf("%s has left the Deployment, which nothing holds", name)
		}
		state := s.Do("state", "show", "k8sconnect_manifests.test")
		s.expect(state, "kind: CustomResourceDefinition", "kind: Part", "kind: Namespace", "is still there", "not", "kind: Deployment")
		s.As("kubectl").Patch("NS.example.org/v1 Part NS-own/one", `{"metadata": {"finalizers": null}}`)
		s.Await("the namespace is gone, which takes longer than a delete may take here", func() bool {
			_, err := s.Try(run.command...)
			return err == nil
		})
		s.gone("NS.example.org/v1 Part NS-own/one", "v1 Namespace NS-own")
		s.Do("destroy", "-auto-approve")
	}
}

// Objects that need one that failed are not tried, and the error says which one. Each object waits by itself.
func TestSetDoesNotTryWhatCannotWork(t *testing.T) {
	s := newSet(t)
	const wait = `wait = { fields = { "metadata.annotations.fit" = "yes" } }`
	fits := func(text string) string {
		return strings.Replace(text, "metadata: {", "metadata: {annotations: {fit: \"yes\"}, ", 1)
	}
	manifests := map[string]string{
		"free": fits(configMap("free", "1")), "namespace": operatorFile["namespace"],
		"inside": fits(strings.ReplaceAll(configMap("inside", "1"), "NS", "NS-own")),
	}
	s.has(manifests, wait, "timeouts {\n    create = \"6s\"\n  }")
	out := s.Exits(story.Refused, "apply", "-auto-approve")
	s.expect(out, "Objects Not Tried: ConfigMap NS-own/inside (v1)", "need Namespace NS-own (v1)")
	s.gone("v1 ConfigMap NS-own/inside")
	if s.uid("v1 ConfigMap free") == "" {
		t.Error("an object that needs nothing was not applied")
	}
	manifests["namespace"] = fits(manifests["namespace"])
	s.has(manifests, wait)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap free", "v1 Namespace NS-own")
}

// Back to the old manifest of an object whose wait failed: no other configuration has written to it.
func TestSetGoesBackAfterAFailedWait(t *testing.T) {
	s := newSet(t)
	has := func(value string, more ...string) {
		s.has(configMaps(value, "a", "b"), append(more, `wait = { fields = { "data.a" = "good" } }`)...)
	}
	has("good")
	s.Do("apply", "-auto-approve")
	time.Sleep(1100 * time.Millisecond) // managedFields have times of whole seconds.
	has("bad", "timeouts {\n    update = \"6s\"\n  }")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Object Not Ready", "NS/a", "NS/b")
	has("good")
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), `"bad" -> "good"`, "not", "Field Manager Used Twice")
	s.Do("apply", "-auto-approve")
	s.settled()
}

// What is not tried is tried by the next apply, whatever of it the manifests do not show.
func TestSetTriesLaterWhatIsNotShown(t *testing.T) {
	s := newSet(t)
	has := func(fit, password string, more ...string) {
		t.Helper()
		annotated := "metadata: {annotations: {fit: \"yes\"}, "
		s.has(map[string]string{
			"namespace": strings.Replace(operatorFile["namespace"], "metadata: {", "metadata: {annotations: {fit: \""+fit+"\"}, ", 1),
			"inside":    strings.Replace(strings.ReplaceAll(loginSecret, "NS", "NS-own"), "metadata: {", annotated, 1),
			"settings":  strings.Replace(strings.ReplaceAll(configMap("settings", "1"), "NS", "NS-own"), "metadata: {", annotated, 1),
		}, append(more, `manifests_wo = { inside = yamlencode({ stringData = { password = "`+password+`" } }) }`,
			`manifests_wo_version = "`+password+`"`, `wait = { fields = { "metadata.annotations.fit" = "yes" } }`)...)
	}
	const rules = `rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.a"] }]`
	has("yes", "first")
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap NS-own/settings", `{"data": {"a": "9"}}`)
	has("no", "second", rules, "timeouts {\n    update = \"6s\"\n  }")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Objects Not Tried", "NS-own/login", "NS-own/settings")
	has("yes", "second", rules)
	s.expect(s.Do("apply", "-auto-approve"), "1 changed")
	s.settled()
	if data, _ := s.Live("v1 Secret NS-own/login").Object["data"].(map[string]any); data["password"] != "c2Vjb25k" {
		t.Errorf("the password is %v", data["password"])
	}
	if owners := s.Live("v1 ConfigMap NS-own/settings").GetManagedFields(); len(owners) != 2 {
		t.Errorf("the ConfigMap has the managers %v", owners)
	}
	s.Do("destroy", "-auto-approve")
}

// Two applies of one configuration at once, each with a state of its own, leave each object once and with its values, and
// the plan of the one that came too late says that another run has applied them.
func TestTwoAppliesOfASetAtOnce(t *testing.T) {
	s := newSet(t)
	both := []*set{s, {Workspace: s.HostedWorkspace()}}
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("c%02d", i))
	}
	said := make([]string, len(both))
	var all sync.WaitGroup
	for i, of := range both {
		of.has(configMaps("1", names...))
		all.Go(func() { said[i], _ = of.Try("apply", "-auto-approve") })
	}
	all.Wait()
	uid := s.uid("v1 ConfigMap c00")
	for i, of := range both {
		said[i] += of.Do("plan")
		of.expect(said[i], "not", "Object Managed Twice", `"1" ->`, "Objects Deleted")
		of.Do("apply", "-auto-approve")
		of.settled()
	}
	s.expect(said[0]+said[1], "or another run has applied it at the same time", "a destroy here deletes it")
	if s.uid("v1 ConfigMap c00") != uid {
		t.Error("an object was created again")
	}
}

// A set whose apply was killed finds by its field manager what it has applied, and takes over what it would not change.
func TestSetThatLostItsState(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two"))
	s.Do("apply", "-auto-approve")
	uid := s.uid("v1 ConfigMap one")
	story.Must(t, os.Remove(s.Dir+"/terraform.tfstate"))
	s.has(configMaps("1", "one", "two", "three"), `field_manager = "`+s.manager("v1 ConfigMap one")+`"`)
	out := s.Do("apply", "-auto-approve")
	s.expect(out, "an earlier apply may have ended before the state had it", "If another state, workspace or checkout manages it")
	s.settled()
	if got := s.uid("v1 ConfigMap one"); got != uid {
		t.Error("the object was created again")
	}
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap two", "v1 ConfigMap three")
}

// Another state of the same configuration changes nothing of the objects of the first one, unless it is told to.
func TestSetOfTwoStates(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two"))
	s.Do("apply", "-auto-approve")
	s.Do("workspace", "new", "other")
	s.has(configMaps("2", "one", "two"))
	out := s.Exits(story.Refused, "apply", "-auto-approve")
	s.expect(out, "Object Already Exists", "another state, workspace or checkout of the configuration may manage it", "set adopt_existing = true")
	s.Do("destroy", "-auto-approve")
	if value := s.Live("v1 ConfigMap two").Object["data"].(map[string]any)["a"]; value != "1" {
		t.Errorf("the other state has set %v", value)
	}
	s.has(configMaps("2", "one", "two"), story.Adopting)
	s.expect(s.Do("apply", "-auto-approve"), "Existing Object Adopted", `data.a: "1" -> "2"`)
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap two")
}

// An object that another client has made again leaves the set without being touched, by its key or by a destroy, and
// holds up nothing.
func TestSetForgetsARecreatedObject(t *testing.T) {
	s := newSet(t)
	recreate := func(name string) {
		s.As("kubectl").Remove("v1 ConfigMap " + name)
		s.As("kubectl-create").Create(configMap(name, "theirs"))
	}
	s.has(configMaps("1", "one", "two", "three"))
	s.Do("apply", "-auto-approve")
	recreate("one")
	s.expect(s.Do("plan"), "Object Was Recreated: ConfigMap", `To leave the object alone, remove manifests["one"].`, "not", "terraform state")
	s.has(configMaps("1", "two", "three"))
	s.expect(s.Do("apply", "-auto-approve"), "So the set does not delete it, and it leaves the state.", "1 changed", "not", "Objects Deleted")
	s.settled()
	recreate("two")
	s.expect(s.Do("destroy", "-auto-approve"), "So the set does not delete it", "1 destroyed")
	s.gone("v1 ConfigMap three")
	for _, name := range []string{"one", "two"} {
		if value := s.Live("v1 ConfigMap " + name).Object["data"].(map[string]any)["a"]; value != "theirs" {
			t.Errorf("%s has the value %v", name, value)
		}
	}
}

// manager returns the manager that has applied an object.
func (s *set) manager(target string) string {
	s.T.Helper()
	for _, entry := range s.Live(target).GetManagedFields() {
		if entry.Operation == "Apply" {
			return entry.Manager
		}
	}
	s.T.Fatalf("nobody has applied %s", target)
	return ""
}

// An object that leaves the set in the apply that sets force_destroy is deleted by force.
func TestSetForcesWhatLeavesInTheSameApply(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two"))
	s.Do("apply", "-auto-approve")
	s.As("guardian").Patch("v1 ConfigMap two", holding)
	s.has(configMaps("1", "one"), forced)
	s.expect(s.Do("apply", "-auto-approve"), "Finalizers Removed", "example.com/hold")
	s.gone("v1 ConfigMap two")
	s.settled()
}

// Of two manifests of a new set for one object, one of which has no namespace, the error says where to look.
func TestSetHasOneObjectTwice(t *testing.T) {
	s := newSet(t)
	twice := strings.Replace(configMap("NS-twice", "1"), "namespace: NS", "namespace: default", 1)
	s.has(map[string]string{"a": twice, "b": strings.Replace(twice, ", namespace: default", "", 1)})
	s.expect(s.Exits(story.Refused, "plan"), "Object Managed Twice", "another manifest of this set",
		"A manifest without a namespace gets that of the connection.")
}
