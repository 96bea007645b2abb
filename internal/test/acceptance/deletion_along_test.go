package acceptance_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	dataClaim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: NS}\nspec: " + claimSpec + "\n"
	claimSpec = "{storageClassName: NS, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
	// stateful deletes its claims with it.
	stateful = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: NS}\nspec:\n  replicas: 1\n  serviceName: web\n" +
		"  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n  selector: {matchLabels: {app: web}}\n" +
		"  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}\n" +
		"  volumeClaimTemplates: [{metadata: {name: data}, spec: " + claimSpec + "}]\n"
)

// scaled returns a StatefulSet with these replicas and a policy of whenScaled, whose pods start together.
func scaled(replicas, policy string) string {
	body := strings.Replace(stateful, "replicas: 1", "podManagementPolicy: Parallel\n  "+replicas, 1)
	return strings.Replace(body, "whenDeleted: Delete", "whenScaled: "+policy, 1)
}

// bindsTo creates a volume for a claim, as a provisioner does, and returns what waits until they are bound.
func (s *set) bindsTo(namespace, claim string) (awaitBound func()) {
	s.As("provisioner").CreateUntilEnd("apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: NS}\nspec:\n" +
		"  persistentVolumeReclaimPolicy: Delete\n  storageClassName: NS\n  capacity: {storage: 1Gi}\n  accessModes: [ReadWriteOnce]\n" +
		"  hostPath: {path: /nowhere}\n  claimRef: {namespace: " + namespace + ", name: " + claim + "}\n")
	return func() {
		s.Await("the claim is bound", func() bool {
			client := s.Resource("v1", "PersistentVolumeClaim", s.Expand(namespace))
			live, err := client.Get(s.T.Context(), claim, metav1.GetOptions{})
			if err != nil {
				return false
			}
			phase, _, _ := unstructured.NestedString(live.Object, "status", "phase")
			return phase == "Bound"
		})
	}
}

// A plan that deletes or replaces a claim, or an object that takes claims along, says which volumes are deleted with
// their data, and how to keep them. It says nothing of volumes that stay.
func TestDataThatGoesAlong(t *testing.T) {
	t.Parallel()
	const volume = "NS/data: PersistentVolume NS"
	t.Run("with a claim", func(t *testing.T) {
		s := newSet(t)
		awaitBound := s.bindsTo("NS", "data")
		s.Configure(s.Manifest("test", dataClaim))
		s.Do("apply", "-auto-approve")
		awaitBound()
		told := []string{"Data Deleted Too: PersistentVolumeClaim NS/data", volume, "To keep the data, run this first",
			`kubectl patch persistentvolume NS --type=merge -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`}
		s.expect(s.Do("plan", "-destroy"), told...)
		s.Configure(s.Manifest("test", strings.Replace(dataClaim, "storageClassName: NS", "storageClassName: other", 1)))
		s.expect(s.Do("plan"), append(told, "Immutable Field")...)
		s.Configure(s.Manifest("test", dataClaim))
		s.Do("taint", story.Address)
		s.expect(s.Do("plan"), append(told, "1 to destroy")...)
		s.Do("untaint", story.Address)
		s.expect(s.Do("plan"), "not", "Data Deleted Too")
		limited := s.Limited("reader", map[string][]string{"persistentvolumeclaims": {"get", "patch", "delete"}})
		s.ConfigureProvider(limited, s.Manifest("test", dataClaim))
		s.expect(s.Do("plan", "-destroy"), "unless their policy is Retain, which this user may not read", volume+" (policy not readable)")
		s.Configure(s.Manifest("test", dataClaim))
		s.As("kubectl-patch").Patch("v1 PersistentVolume NS", `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`)
		s.expect(s.Do("plan", "-destroy"), "1 to destroy", "not", "Data Deleted Too")
	})
	t.Run("with an object of a set", func(t *testing.T) {
		s := newSet(t)
		awaitBound := s.bindsTo("NS", "data")
		s.has(map[string]string{"data": dataClaim, "web": story.ConfigMap})
		s.Do("apply", "-auto-approve")
		awaitBound()
		s.has(map[string]string{"web": story.ConfigMap})
		s.expect(s.Do("plan"), "Data Deleted Too: PersistentVolumeClaim NS/data", volume)
		s.has(map[string]string{"data": dataClaim, "web": story.ConfigMap})
		s.Do("taint", "k8sconnect_manifests.test")
		s.expect(s.Do("plan"), "Data Deleted Too: PersistentVolumeClaim NS/data", volume)
		s.Do("untaint", "k8sconnect_manifests.test")
		s.has(map[string]string{"data": dataClaim, "web": story.ConfigMap}, `on_destroy = "release"`)
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "not", "Data Deleted Too")
	})
	t.Run("with a namespace", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n"))
		s.Do("apply", "-auto-approve")
		awaitBound := s.bindsTo("NS-gone", "data")
		other := s.HostedWorkspace() // Another state, whose claims this one does not have.
		other.Configure(other.Manifest("data", strings.Replace(dataClaim, "namespace: NS", "namespace: NS-gone", 1)))
		other.Do("apply", "-auto-approve")
		awaitBound()
		s.expect(s.Do("plan", "-destroy"), "Data Deleted Too: Namespace NS-gone", "NS-gone/data: PersistentVolume NS")
	})
	t.Run("with a StatefulSet", func(t *testing.T) {
		s := newSet(t)
		awaitBound := s.bindsTo("NS", "data-web-0")
		s.Configure(s.Manifest("test", stateful))
		s.Do("apply", "-auto-approve")
		awaitBound()
		s.Await("the claim has an owner", func() bool {
			return len(s.Live("v1 PersistentVolumeClaim data-web-0").GetOwnerReferences()) > 0
		})
		s.Configure(s.Manifest("test", strings.Replace(stateful, "serviceName: web", "serviceName: other", 1)))
		s.expect(s.Do("plan"), "Immutable Field", "Data Deleted Too: StatefulSet NS/web", "NS/data-web-0: PersistentVolume NS")
		s.Configure(s.Manifest("test", stateful))
		s.ExpectCost("a plan with -replace, whose warnings Terraform drops", []string{
			"create statefulsets NS dry-run 409", "get statefulsets NS/web 200", "patch statefulsets NS/web dry-run 200",
		}, "plan", "-replace="+story.Address)
		s.Do("taint", story.Address)
		s.expect(s.Do("plan"), "Data Deleted Too: StatefulSet NS/web", "NS/data-web-0: PersistentVolume NS")
		s.Do("untaint", story.Address)
		s.Configure(s.Manifest("test", stateful, `delete_propagation = "Orphan"`))
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "1 to destroy", "not", "Data Deleted Too")
	})
	t.Run("with pods that a StatefulSet loses", func(t *testing.T) {
		s := newSet(t)
		told := []string{"Data Deleted Too: StatefulSet NS/web", "fewer replicas", "NS/data-web-1: PersistentVolume NS", "whenScaled to Retain"}
		awaitBound := s.bindsTo("NS", "data-web-1")
		s.Configure(s.Manifest("test", scaled("replicas: 2", "Retain")))
		s.Do("apply", "-auto-approve")
		awaitBound()
		for _, fewer := range []string{"replicas: 1", "replicas: 0", "ordinals: {start: 2}\n  replicas: 2"} {
			s.Configure(s.Manifest("test", scaled(fewer, "Delete")))
			s.expect(s.Do("plan"), told...)
		}
		for _, other := range []string{scaled("replicas: 1", "Retain"), scaled("replicas: 2", "Delete"), scaled("ordinals: {start: 1}\n  replicas: 1", "Delete")} {
			s.Configure(s.Manifest("test", other))
			s.expect(s.Do("plan"), "1 to change", "not", "Data Deleted Too")
		}
		s.Configure(s.Manifest("test", scaled("replicas: 2", "Delete")))
		s.Do("apply", "-auto-approve")
		s.Configure(s.Manifest("test", scaled("", "Delete")))
		s.expect(s.Do("plan"), told...)
		others := &set{Workspace: s.HostedWorkspace()}
		const web = "apps/v1 StatefulSet web"
		others.Configure(s.PatchBlock("yaml", web, "spec: {replicas: 1}"))
		s.expect(others.Do("plan"), told...)
		for _, body := range []string{`{"spec": {"replicas": 1}}`, `{"spec": {"replicas": null}}`} {
			others.Configure(s.TypedPatchBlock("merge", web, "merge", body))
			s.expect(others.Do("plan"), told...)
		}
		others.has(map[string]string{"web": scaled("replicas: 1", "Delete")}, story.Adopting)
		s.expect(others.Do("plan"), told...)
	})
	t.Run("with pods that the end of a patch takes", func(t *testing.T) {
		s := newSet(t)
		awaitBound := s.bindsTo("NS", "data-web-1")
		s.As("bob").Create(scaled("replicas: 1", "Delete"))
		s.Configure(s.TypedPatchBlock("test", "apps/v1 StatefulSet web", "merge", `{"spec": {"replicas": 2}}`, `on_destroy = "restore"`))
		s.Do("apply", "-auto-approve")
		awaitBound()
		told := []string{"1 to destroy", "Data Deleted Too: StatefulSet NS/web", "NS/data-web-1: PersistentVolume NS"}
		s.expect(s.Do("plan", "-destroy"), told...)
		s.Configure()
		s.expect(s.Do("plan"), told...)
	})
	t.Run("with a custom resource", func(t *testing.T) {
		s := newSet(t)
		awaitBound := s.bindsTo("NS", "data")
		s.has(map[string]string{"kind": jobKind, "ours": strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)})
		s.Do("apply", "-auto-approve")
		s.As("operator").Create(strings.Replace(dataClaim, "namespace: NS", "namespace: NS, ownerReferences: ["+
			"{apiVersion: NS.example.com/v1, kind: Task, name: one, uid: "+s.uid(taskTarget)+"}]", 1))
		awaitBound()
		s.has(map[string]string{"kind": jobKind})
		s.expect(s.Do("plan"), "Data Deleted Too: Task NS/one", volume)
	})
}

// An object that a plan keeps, and that the garbage collector deletes with an owner that the plan deletes or replaces,
// is named, whichever of the two is planned first, and whoever wrote the owner reference.
func TestKeptObjectsThatGoWithTheirOwner(t *testing.T) {
	t.Parallel()
	const owner = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owner, namespace: NS}\ndata: {a: b}\n"
	kept := strings.Replace(owner, "name: owner", "name: kept", 1)
	const keptTarget = "v1 ConfigMap kept"
	told := []string{"Deleted With Its Owner: ConfigMap NS/kept", "this plan deletes or replaces ConfigMap NS/owner", "remove the owner reference"}
	owned := func(s *set, owners ...string) {
		var references []string
		for _, name := range owners {
			references = append(references, `{"apiVersion":"v1","kind":"ConfigMap","name":"`+name+`","uid":"`+s.uid("v1 ConfigMap "+name)+`"}`)
		}
		s.As("bob").Patch(keptTarget, `{"metadata":{"ownerReferences":[`+strings.Join(references, ",")+`]}}`)
	}
	t.Run("single resources", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", owner), s.Manifest("kept", kept))
		s.Do("apply", "-auto-approve")
		owned(s, "owner")
		s.expect(s.Do("plan", "-destroy"), "not", "Deleted With Its Owner")
		s.Configure(s.Manifest("test", owner), s.Manifest("kept", kept, "depends_on = [k8sconnect_manifest.test]"))
		s.expect(s.Do("plan", "-replace=k8sconnect_manifest.test"), told...)
		s.Do("taint", "k8sconnect_manifest.test")
		s.expect(s.Do("plan"), told...)
		s.Configure(s.Manifest("test", owner, "depends_on = [k8sconnect_manifest.kept]"), s.Manifest("kept", kept))
		s.expect(s.Do("plan"), told...)
		s.Do("untaint", "k8sconnect_manifest.test")
		another := strings.Replace(owner, "name: owner", "name: another", 1)
		s.Configure(s.Manifest("test", another), s.Manifest("kept", kept, "depends_on = [k8sconnect_manifest.test]"))
		s.expect(s.Do("plan"), told...)
		s.Configure(s.Manifest("test", another, "depends_on = [k8sconnect_manifest.kept]"), s.Manifest("kept", kept))
		s.expect(s.Do("plan"), told...)
		s.Configure(s.Manifest("kept", kept))
		s.expect(s.Do("plan"), told...)
		s.As("bob").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: NS}\n")
		owned(s, "owner", "other")
		s.expect(s.Do("plan"), "1 to destroy", "not", "Deleted With Its Owner")
		owned(s, "owner")
		s.expect(s.Do("apply", "-auto-approve"), told...)
		s.Await("the garbage collector has deleted the object", func() bool { return s.Gone(keptTarget) })
		s.expect(s.Do("plan"), "1 to add")
	})
	t.Run("a set", func(t *testing.T) {
		s := newSet(t)
		s.has(map[string]string{"owner": owner, "kept": kept})
		s.Do("apply", "-auto-approve")
		owned(s, "owner")
		s.settled()
		s.has(map[string]string{"kept": kept})
		s.expect(s.Do("plan"), told...)
	})
}
