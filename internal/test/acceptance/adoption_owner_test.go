package acceptance_test

import (
	"strings"
	"testing"
)

// The garbage collector deletes an object without an owner, so a plan tells owners that do not exist: once, and only
// where the manifest names them. One that the run creates has no uid yet.
func TestOwnerThatDoesNotExist(t *testing.T) {
	s := newSet(t)
	s.As("bob").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owner, namespace: NS}\n")
	owned := func(name, owner, uid string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS, ownerReferences: [{apiVersion: v1, kind: " + owner + ", uid: " + uid + "}]}\n"
	}
	real, dead := s.uid("v1 ConfigMap owner"), "11111111-2222-3333-4444-555555555555"
	namespace := s.Live("v1 Namespace " + s.Namespace)
	for name, tc := range map[string]struct {
		owner, uid string
		isTold     bool
	}{
		"another uid":     {"ConfigMap, name: owner", dead, true},
		"nobody":          {"Secret, name: gone", dead, true},
		"the owner":       {"ConfigMap, name: owner", real, false},
		"a cluster's":     {"Namespace, name: NS", string(namespace.GetUID()), false},
		"an unknown kind": {"Gone, name: gone", dead, false},
	} {
		t.Run(name, func(t *testing.T) {
			s.Configure(s.Manifest("test", owned("one", tc.owner, tc.uid)))
			out := s.Do("plan")
			if strings.Contains(out, "Owner Not Found: ConfigMap "+s.Namespace+"/one") != tc.isTold {
				t.Errorf("the plan says:\n%s", out)
			}
		})
	}
	t.Run("by a patch", func(*testing.T) {
		s.Configure(s.TypedPatchBlock("test", "v1 ConfigMap owner", "merge",
			`{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Secret", "name": "gone", "uid": "`+dead+`"}]}}`))
		s.expect(s.Do("plan"), "Owner Not Found", "Secret gone, uid "+dead)
	})
	t.Run("in a set", func(*testing.T) {
		s.has(map[string]string{"a": owned("a", "Secret, name: gone", dead), "b": owned("b", "Secret, name: gone", dead)})
		s.ExpectCost("two objects with one owner", []string{
			"get secrets NS/gone 404", "patch configmaps NS/a dry-run 201", "patch configmaps NS/b dry-run 201",
		}, "plan")
	})
	t.Run("one that the run creates", func(*testing.T) {
		s.Configure(s.Manifest("owner", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first, namespace: NS}\n"),
			s.Manifest("test", owned("one", "ConfigMap, name: first", "${k8sconnect_manifest.owner.object_ref.uid}")))
		s.expect(s.Do("apply", "-auto-approve"), "2 added", "not", "Owner Not Found")
		s.expect(s.Do("plan"), "No changes", "not", "Owner Not Found")
		s.Configure(s.Manifest("owner", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first, namespace: NS}\n"),
			s.Manifest("test", owned("one", "ConfigMap, name: first", dead)))
		s.expect(s.Do("plan"), "Owner Not Found", "ConfigMap first, uid "+dead)
	})
}
