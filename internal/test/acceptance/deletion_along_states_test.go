package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	goneSpace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n"
	theirTask = "apiVersion: NS.example.com/v1\nkind: Task\nmetadata: {name: theirs, namespace: NS}\nspec: {size: 1}\n"
	theirData = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs, namespace: NS-gone}\ndata: {a: b}\n"
)

// What this provider has applied for another state is that state's: a plan names it, and a set does not delete its
// definition, by whichever way that leaves.
func TestObjectsOfAnotherStateThatGoAlong(t *testing.T) {
	t.Parallel()
	const (
		kind, space    = "CustomResourceDefinition tasks.NS.example.com", "Namespace NS-gone"
		theirs, mapped = "Task NS/theirs (k8sconnect", "ConfigMap NS-gone/theirs (k8sconnect"
		unseen         = "Terraform shows no warning if -replace or replace_triggered_by requests that"
	)
	// beside applies objects of another state that depend on those of s.
	beside := func(s *set) *set {
		other := &set{Workspace: s.HostedWorkspace()}
		other.Configure(other.Manifest("task", theirTask), other.Manifest("data", theirData))
		other.Do("apply", "-auto-approve")
		other.expect(other.Do("plan", "-destroy"), "2 to destroy", "not", "Deleted Too")
		return other
	}
	t.Run("with resources", func(t *testing.T) {
		s := newSet(t)
		configure := func(arguments ...string) {
			s.Configure(s.Manifest("kind", jobKind, arguments...), s.Manifest("space", goneSpace, arguments...))
		}
		configure()
		s.Do("apply", "-auto-approve")
		other := beside(s)
		told := []string{"Deleted Too: " + kind, theirs, "Deleted Too: " + space, mapped}
		s.expect(s.Do("plan", "-destroy"), told...)
		s.Configure()
		s.expect(s.Do("plan"), told...)
		configure()
		for _, name := range []string{"kind", "space"} {
			s.expect(s.Exits(story.Refused, "plan", "-replace=k8sconnect_manifest."+name), "Object Protected", unseen, "NS/theirs", "delete_protection = false")
			s.expect(s.Exits(story.Refused, "plan", "-refresh=false", "-replace=k8sconnect_manifest."+name), "Object Protected", unseen)
			s.Do("taint", "k8sconnect_manifest."+name)
		}
		s.expect(s.Do("plan"), append(told, "2 to destroy")...)
		configure("delete_protection = false")
		s.Do("untaint", "k8sconnect_manifest.kind")
		s.Do("untaint", "k8sconnect_manifest.space")
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-replace=k8sconnect_manifest.kind"), "1 to destroy")
		other.Do("destroy", "-auto-approve")
		configure()
		s.expect(s.Do("apply", "-auto-approve", "-replace=k8sconnect_manifest.space"), "1 destroyed", "not", "Deleted Too")
	})
	t.Run("with a set", func(t *testing.T) {
		s := newSet(t)
		all := map[string]string{"kind": jobKind, "space": goneSpace}
		s.has(all)
		s.Do("apply", "-auto-approve")
		other := beside(s)
		refused := []string{"Object Protected", kind, "1 of them may be of others", theirs}
		s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), append(refused, "Deleted Too: "+space, mapped)...)
		s.has(map[string]string{"space": goneSpace})
		s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), refused...)
		s.has(map[string]string{"kind": jobKind})
		s.expect(s.Do("plan"), "Deleted Too: "+space, mapped)
		s.has(all)
		s.expect(s.Exits(story.Refused, "plan", "-replace=k8sconnect_manifests.test"), append(refused, unseen, mapped)...)
		s.Do("taint", "k8sconnect_manifests.test")
		s.expect(s.Exits(story.Refused, "plan"), append(refused, "Deleted Too: "+space)...)
		s.Do("untaint", "k8sconnect_manifests.test")
		s.has(all, "delete_protection = false")
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "Deleted Too: "+kind, theirs)
		s.Do("plan", "-replace=k8sconnect_manifests.test")
		other.Do("destroy", "-auto-approve")
		s.has(all)
		s.expect(s.Do("apply", "-auto-approve", "-replace=k8sconnect_manifests.test"), "1 destroyed", "not", "Deleted Too")
	})
}

// A plan guards what goes with a definition and a namespace also without a refresh, and without the manifests of a set.
func TestObjectsThatGoAlongUnseen(t *testing.T) {
	s := newSet(t)
	all := map[string]string{"kind": jobKind, "space": goneSpace, "ours": strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)}
	s.has(all)
	s.Do("apply", "-auto-approve")
	other := &set{Workspace: s.HostedWorkspace()}
	other.Configure(other.Manifest("data", theirData))
	other.Do("apply", "-auto-approve")
	s.has(map[string]string{"space": goneSpace, "ours": all["ours"]})
	s.expect(s.Exits(story.Refused, "apply", "-refresh=false", "-auto-approve"), "Object Still Needed")
	s.Configure(s.Expand("resource \"terraform_data\" \"all\" {\n  input = { space = <<-EOT\n" + goneSpace + "EOT\n  }\n}\n" +
		"resource \"k8sconnect_manifests\" \"test\" {\n  manifests = terraform_data.all.output\n}\n"))
	s.expect(s.Exits(story.Refused, "plan", "-replace=k8sconnect_manifests.test"), "Object Protected", "Namespace NS-gone", "ConfigMap NS-gone/theirs")
	other.Do("plan", "-destroy")

	single := &set{Workspace: s.HostedWorkspace()}
	space := strings.ReplaceAll(goneSpace, "NS-gone", "NS-other")
	data := strings.ReplaceAll(theirData, "NS-gone", "NS-other")
	single.Configure(single.Manifest("space", space))
	single.Do("apply", "-auto-approve")
	other.Configure(other.Manifest("data", theirData), other.Manifest("more", data))
	other.Do("apply", "-auto-approve")
	single.Configure(single.Manifest("space", strings.ReplaceAll(space, "NS-other", "NS-third")))
	single.expect(single.Do("apply", "-refresh=false", "-auto-approve"), "Deleted Too: Namespace NS-other", "ConfigMap NS-other/theirs", "1 destroyed")
}

// Objects of the same configuration that go with a definition are named where the plan keeps them, and those that it
// deletes are not. Terraform plans what depends on a set after it: a set takes that for objects of other managers.
func TestObjectsOfThisStateThatGoAlong(t *testing.T) {
	t.Parallel()
	free := strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)
	cluster := strings.Replace(jobKind, "scope: Namespaced", "scope: Cluster", 1)
	t.Run("with a resource", func(t *testing.T) {
		s := newSet(t)
		ours := s.Manifest("task", free, "depends_on = [k8sconnect_manifest.kind]")
		s.Configure(s.Manifest("kind", jobKind), ours)
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "2 to destroy", "not", "Deleted Too")
		s.expect(s.Exits(story.Refused, "plan", "-replace=k8sconnect_manifest.kind"), "Object Protected", "Task NS/one")
		s.Do("taint", "k8sconnect_manifest.kind")
		s.ExpectCost("a plan that replaces a definition", []string{
			"create customresourcedefinitions dry-run 409", "create tasks NS dry-run 409", "get customresourcedefinitions tasks.NS.example.com 200",
			"get customresourcedefinitions tasks.NS.example.com 200", "get tasks NS/one 200", "list persistentvolumeclaims NS 200",
			"list tasks 200", "patch customresourcedefinitions tasks.NS.example.com dry-run 200", "patch tasks NS/one dry-run 200",
		}, "plan")
		s.expect(s.Do("plan"), "Deleted Too: CustomResourceDefinition tasks.NS.example.com", "Replaced With Its Definition: Task NS/one")
		s.Do("untaint", "k8sconnect_manifest.kind")
		s.Configure(s.Manifest("kind", cluster), ours)
		s.expect(s.Do("plan"), "Deleted Too: CustomResourceDefinition tasks.NS.example.com", "Task NS/one")
		s.Configure()
		s.expect(s.Do("apply", "-auto-approve"), "2 destroyed", "not", "Deleted Too")
	})
	t.Run("with a set", func(t *testing.T) {
		s := newSet(t)
		configure := func(manifests map[string]string, others ...string) {
			s.has(manifests)
			story.Must(t, os.WriteFile(filepath.Join(s.Dir, "others.tf"), []byte(strings.Join(others, "\n")), 0o600))
		}
		ours := s.Manifest("task", free, "depends_on = [k8sconnect_manifests.test]")
		configure(map[string]string{"kind": jobKind, "web": story.ConfigMap}, ours)
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "2 to destroy", "not", "Deleted Too")
		refused := []string{"Object Protected", "1 of them may be of others", "Task NS/one"}
		configure(map[string]string{"web": story.ConfigMap}, ours)
		s.expect(s.Exits(story.Refused, "plan"), refused...)
		configure(map[string]string{"kind": cluster, "web": story.ConfigMap}, ours)
		s.expect(s.Exits(story.Refused, "plan"), refused...)
		configure(map[string]string{"web": story.ConfigMap})
		s.expect(s.Do("apply", "-auto-approve"), "1 changed, 1 destroyed", "not", "Deleted Too")
	})
}

// A patch of an object that goes with its namespace or its definition is named as one of an object that the plan deletes.
func TestPatchOfAnObjectThatGoesAlong(t *testing.T) {
	const target = `target = { api_version = "v1", kind = "ConfigMap", namespace = "NS-gone", name = "theirs" }`
	s := newSet(t)
	configure := func(values string, others ...string) {
		s.Configure(append(others, s.Expand(`resource "k8sconnect_patch" "test" {
  `+target+`
  yaml_body     = "data: {`+values+`}"
  field_manager = "patch"
}
`))...)
	}
	space := s.Manifest("space", goneSpace)
	s.Configure(space)
	s.Do("apply", "-auto-approve")
	s.As("bob").Apply(theirData)
	configure("c: d", space)
	s.Do("apply", "-auto-approve")
	s.expect(s.Do("plan", "-destroy"), "2 to destroy", "not", "Patched Object Deleted")
	configure("c: d")
	s.expect(s.Do("plan"), "Deleted Too: Namespace NS-gone", "Patched Object Deleted: ConfigMap NS-gone/theirs", `field managers "patch"`)
	configure("c: e")
	s.expect(s.Exits(story.Refused, "plan"), "Patched Object Deleted", "Remove these patches, too")
}
