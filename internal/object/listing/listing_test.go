package listing

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// entry returns an entry of managedFields that is two days old.
func entry(manager string, operation metav1.ManagedFieldsOperationType, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: operation, APIVersion: "v1", FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
		Time: &metav1.Time{Time: now.Add(-50 * time.Hour)},
	}
}

const data = `{"f:data":{"f:a":{}}}`

// object returns an object with these owners.
func object(kind, namespace, name string, entries ...metav1.ManagedFieldsEntry) *unstructured.Unstructured {
	made := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": kind}}
	made.SetNamespace(namespace)
	made.SetName(name)
	made.SetManagedFields(entries)
	return made
}

func TestFilter(t *testing.T) {
	t.Parallel()
	kubectl := entry("kubectl-client-side-apply", metav1.ManagedFieldsOperationUpdate, data)
	ours := entry("k8sconnect", metav1.ManagedFieldsOperationApply, data)
	is := func(name string) func(string) bool { return func(manager string) bool { return manager == name } }
	status := entry("kube-controller-manager", metav1.ManagedFieldsOperationUpdate, `{"f:status":{}}`)
	status.Subresource = "status"
	owned := object("Pod", "shop", "web-1", kubectl)
	owned.SetOwnerReferences([]metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web", Controller: new(true)}})
	dependent := object("ConfigMap", "shop", "web", kubectl)
	dependent.SetOwnerReferences([]metav1.OwnerReference{{Kind: "Shop", Name: "web"}})
	release := object("Secret", "shop", "sh.helm.release.v1.web.v1", entry("helm", metav1.ManagedFieldsOperationUpdate, data))
	lookalike := release.DeepCopy()
	release.SetLabels(map[string]string{"owner": "helm"})
	for name, test := range map[string]struct {
		filter Filter
		object *unstructured.Unstructured
		want   bool
	}{
		"somebody's":                    {Filter{}, object("ConfigMap", "shop", "web", kubectl), true},
		"without any record":            {Filter{}, object("ServiceAccount", "shop", "robot"), true},
		"the control plane's":           {Filter{}, object("ServiceAccount", "kube-system", "job-controller"), false},
		"the control plane's, wanted":   {Filter{Controlled: true}, object("ServiceAccount", "kube-system", "job-controller"), true},
		"somebody's in kube-system":     {Filter{}, object("ConfigMap", "kube-system", "web", kubectl), true},
		"a controller's":                {Filter{}, object("ConfigMap", "shop", "web", entry("kube-controller-manager", metav1.ManagedFieldsOperationUpdate, data)), false},
		"an operator's":                 {Filter{}, object("ConfigMap", "shop", "web", entry("shop-operator", metav1.ManagedFieldsOperationUpdate, data)), false},
		"somebody's, with a status":     {Filter{}, object("Service", "shop", "web", status, kubectl), true},
		"of a controller":               {Filter{}, owned, false},
		"of an owner, no controller":    {Filter{}, dependent, true},
		"a default ServiceAccount":      {Filter{}, object("ServiceAccount", "shop", "default", kubectl), false},
		"the root certificates":         {Filter{}, object("ConfigMap", "shop", "kube-root-ca.crt", kubectl), false},
		"a release of Helm":             {Filter{}, release, false},
		"a Secret named like a release": {Filter{}, lookalike, true},
		"a manager":                     {Filter{Manager: "kubectl*"}, object("ConfigMap", "shop", "web", ours, kubectl), true},
		"a manager by operation":        {Filter{Manager: "kubectl*", Operation: metav1.ManagedFieldsOperationApply}, object("ConfigMap", "shop", "web", kubectl), false},
		"a manager of nothing":          {Filter{Manager: "kubectl"}, object("ConfigMap", "shop", "web", entry("kubectl", metav1.ManagedFieldsOperationUpdate, `{}`)), false},
		"unmanaged":                     {Filter{Without: is("k8sconnect")}, object("ConfigMap", "shop", "web", kubectl), true},
		"managed":                       {Filter{Without: is("k8sconnect")}, object("ConfigMap", "shop", "web", kubectl, ours), false},
		"the manager of a status":       {Filter{Manager: "kube-controller-manager", Controlled: true}, object("Service", "shop", "web", status), true},
		"applied":                       {AppliedBy("k8sconnect"), owned, false},
		"applied, by a controller, too": {AppliedBy("k8sconnect"), object("Service", "shop", "web", status, ours), true},
		"of which the status is applied": {AppliedBy("k8sconnect"), object("Service", "shop", "web",
			entry("k8sconnect", metav1.ManagedFieldsOperationApply, `{"f:status":{"f:a":{}}}`)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := test.filter.Keep(test.object)
			if err != nil || got != test.want {
				t.Errorf("kept: %v, %v; want %v", got, err, test.want)
			}
		})
	}
	unknown := entry("kubectl", metav1.ManagedFieldsOperationUpdate, data)
	unknown.FieldsType = "FieldsV9"
	broken := object("ConfigMap", "shop", "web", unknown)
	if _, err := (Filter{Manager: "x"}).Keep(broken); err == nil {
		t.Error("an object whose managedFields cannot be parsed is no error")
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	kubectl := entry("kubectl-client-side-apply", metav1.ManagedFieldsOperationUpdate, data)
	later := entry("kubectl-edit", metav1.ManagedFieldsOperationUpdate, data)
	later.Time = &metav1.Time{Time: now.Add(-time.Hour)}
	controller := entry("kube-controller-manager", metav1.ManagedFieldsOperationUpdate, data)
	controller.Time = &metav1.Time{Time: now}
	timeless := entry("k8sconnect", metav1.ManagedFieldsOperationApply, data)
	timeless.Time = nil
	for name, test := range map[string]struct {
		manager string
		object  *unstructured.Unstructured
		want    string
	}{
		"the last person":           {"", object("ConfigMap", "shop", "web", kubectl, later, controller), "ConfigMap shop/web (kubectl-edit, 1 hour ago)"},
		"the manager asked for":     {"kubectl-client*", object("ConfigMap", "shop", "web", kubectl, later), "ConfigMap shop/web (kubectl-client-side-apply, 2 days ago)"},
		"a controller, for want":    {"", object("Node", "", "n1", controller), "Node n1 (kube-controller-manager, just now)"},
		"a claim without a time":    {"", object("ConfigMap", "shop", "web", timeless), "ConfigMap shop/web (k8sconnect)"},
		"nobody":                    {"", object("ServiceAccount", "shop", "robot"), "ServiceAccount shop/robot (no owner)"},
		"a time after the people's": {"kube-controller-manager", object("ConfigMap", "shop", "web", kubectl, controller), "ConfigMap shop/web (kube-controller-manager, just now)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims, err := claimsOf(test.object)
			if err != nil {
				t.Fatal(err)
			}
			if got := (Query{Now: now, Filter: Filter{Manager: test.manager}}).label(test.object, claims); got != test.want {
				t.Errorf("label %q, want %q", got, test.want)
			}
		})
	}
}

func TestAgo(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59*time.Minute + 59*time.Second: "59 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "1 day ago", 48 * time.Hour: "2 days ago", 400 * 24 * time.Hour: "400 days ago",
	} {
		if got := ago(age); got != want {
			t.Errorf("%s is %q, want %q", age, got, want)
		}
	}
}

func TestParseKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]cluster.ServedKind{
		"Deployment": {Kind: "Deployment"}, "apps/v1 Deployment": {APIVersion: "apps/v1", Kind: "Deployment"}, "v1  Service": {APIVersion: "v1", Kind: "Service"},
	} {
		if got, ok := ParseKind(text); !ok || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "apps/v1", "apps/v1/Deployment", "apps/v1 Deployment web", "a/b/c Kind", "v1 apps/Kind"} {
		if got, ok := ParseKind(text); ok {
			t.Errorf("%q is %v, want none", text, got)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	served := []cluster.ServedKind{
		{APIVersion: "apps/v1", Kind: "Deployment", Scope: cluster.ScopeNamespaced},
		{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Scope: cluster.ScopeNamespaced},
		{APIVersion: "example.com/v1", Kind: "Event", Scope: cluster.ScopeNamespaced},
		{APIVersion: "v1", Kind: "Event", Scope: cluster.ScopeNamespaced},
		{APIVersion: "v1", Kind: "Namespace", Scope: cluster.ScopeCluster},
	}
	names := func(kinds []cluster.ServedKind) (all []string) {
		for _, kind := range kinds {
			all = append(all, kind.APIVersion+" "+kind.Kind)
		}
		return all
	}
	if diff := cmp.Diff([]string{"apps/v1 Deployment", "example.com/v1 Event", "v1 Namespace"}, names(all(served, ""))); diff != "" {
		t.Errorf("all kinds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"apps/v1 Deployment", "example.com/v1 Event"}, names(all(served, "shop"))); diff != "" {
		t.Errorf("all kinds of a namespace (-want +got):\n%s", diff)
	}
	got, err := inVersions([]cluster.ServedKind{{Kind: "Deployment"}, {APIVersion: "v9", Kind: "Event"}, {APIVersion: "apps/v1", Kind: "Deployment"}}, served)
	if diff := cmp.Diff([]string{"apps/v1 Deployment", "v9 Event"}, names(got)); err != nil || diff != "" {
		t.Errorf("%v; kinds in their versions (-want +got):\n%s", err, diff)
	}
	twice := Query{Kinds: slices.Repeat([]cluster.ServedKind{{APIVersion: "apps/v1", Kind: "Deployment"}}, 2)}
	if got, _, err := twice.kinds(t.Context(), nil); err != nil || len(got) != 1 {
		t.Errorf("a kind that is named twice: %v, %v", got, err)
	}
	for kind, want := range map[string]string{
		"Event":  "the cluster serves the kind Event in example.com/v1 and in v1",
		"Gadget": "the cluster serves no kind Gadget whose objects can be listed and applied",
	} {
		if _, err := inVersions([]cluster.ServedKind{{Kind: kind}}, served); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", kind, err, want)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	want := []Object{
		{ID: manifest.Identity{Kind: "Namespace", Name: "shop"}},
		{ID: manifest.Identity{Kind: "CustomResourceDefinition", Name: "b"}},
		{ID: manifest.Identity{Kind: "ClusterRole", Name: "a"}},
		{ID: manifest.Identity{Kind: "ConfigMap", Namespace: "a", Name: "z"}},
		{ID: manifest.Identity{Kind: "Secret", Namespace: "a", Name: "a"}},
		{ID: manifest.Identity{Kind: "ConfigMap", Namespace: "b", Name: "a"}},
		{ID: manifest.Identity{Kind: "Namespace", Namespace: "b", Name: "a"}}, // A custom resource of that name.
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byNeed)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestInOrder(t *testing.T) {
	t.Parallel()
	var all []int
	for i := range 100 {
		all = append(all, i)
	}
	if diff := cmp.Diff(all, InOrder(all, func(i int) int { return i })); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if got := InOrder([]int{}, func(i int) int { return i }); len(got) != 0 {
		t.Errorf("results of nothing: %v", got)
	}
}

// partly serves kinds, and an API server of others does not answer.
type partly struct{ clustertest.Stub }

func (partly) Kinds(context.Context) (cluster.Kinds, error) {
	return cluster.Kinds{Failed: []*cluster.Error{{Reason: cluster.ReasonUnreachable, Object: manifest.Identity{APIVersion: "example.com/v1"}}}}, nil
}

// A kind that is not known may be one of an API server that does not answer.
func TestKindOfNoAnswer(t *testing.T) {
	t.Parallel()
	_, err := Query{Kinds: []cluster.ServedKind{{Kind: "Package"}}}.Find(t.Context(), partly{})
	const want = "the cluster serves no kind Package whose objects can be listed and applied. What is in example.com/v1 is not known, because its API server does not answer"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}
