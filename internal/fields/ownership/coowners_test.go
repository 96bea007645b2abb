package ownership

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestFlatten(t *testing.T) {
	t.Parallel()
	replicas := `{"f:spec":{"f:replicas":{}}}`
	tests := map[string]struct {
		entries []metav1.ManagedFieldsEntry
		shown   View
		want    View
	}{
		"a field without others shows its owner and no co-owners": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, replicas)},
			want:    View{FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"}},
		},
		"a shared field shows the first in the server's order and all names sorted": {
			entries: []metav1.ManagedFieldsEntry{
				entry("zeta", applies, 1, replicas), entry("alpha", updates, 0, replicas), entry("mid", updates, 2, replicas),
			},
			want: View{
				FieldOwnership: map[string]string{"spec.replicas": "zeta"},
				CoOwners:       map[string][]string{"spec.replicas": {"alpha", "mid", "zeta"}},
			},
		},
		"several managers of one name are one name": {
			entries: []metav1.ManagedFieldsEntry{
				entry("kubectl", updates, 1, replicas), through("scale", entry("kubectl", updates, 2, replicas)),
			},
			want: View{FieldOwnership: map[string]string{"spec.replicas": "kubectl"}},
		},
		"the shown owner stays while the owners are the same": {
			entries: []metav1.ManagedFieldsEntry{entry("flux", applies, 1, replicas), entry("k8sconnect", applies, 2, replicas)},
			shown: View{
				FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
				CoOwners:       map[string][]string{"spec.replicas": {"flux", "k8sconnect"}},
			},
			want: View{
				FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
				CoOwners:       map[string][]string{"spec.replicas": {"flux", "k8sconnect"}},
			},
		},
		"the first owner shows once another joins": {
			entries: []metav1.ManagedFieldsEntry{
				entry("flux", applies, 1, replicas), entry("k8sconnect", applies, 2, replicas), entry("kubectl", updates, 3, replicas),
			},
			shown: View{
				FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
				CoOwners:       map[string][]string{"spec.replicas": {"flux", "k8sconnect"}},
			},
			want: View{
				FieldOwnership: map[string]string{"spec.replicas": "flux"},
				CoOwners:       map[string][]string{"spec.replicas": {"flux", "k8sconnect", "kubectl"}},
			},
		},
		"the first owner shows once another leaves": {
			entries: []metav1.ManagedFieldsEntry{entry("flux", applies, 1, replicas)},
			shown: View{
				FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
				CoOwners:       map[string][]string{"spec.replicas": {"flux", "k8sconnect"}},
			},
			want: View{FieldOwnership: map[string]string{"spec.replicas": "flux"}},
		},
		"a transfer shows": {
			entries: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 1, replicas)},
			shown:   View{FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"}},
			want:    View{FieldOwnership: map[string]string{"spec.replicas": "kubectl"}},
		},
		"co-owners that were shown without an owner do not empty it": {
			entries: []metav1.ManagedFieldsEntry{entry("a", applies, 1, replicas), entry("b", applies, 2, replicas)},
			shown:   View{CoOwners: map[string][]string{"spec.replicas": {"a", "b"}}},
			want: View{
				FieldOwnership: map[string]string{"spec.replicas": "a"},
				CoOwners:       map[string][]string{"spec.replicas": {"a", "b"}},
			},
		},
		"containers that are owned show beside their members": {
			entries: []metav1.ManagedFieldsEntry{entry("a", applies, 1,
				`{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{}}},"f:colours":{"v:\"red\"":{}}}}`)},
			want: View{FieldOwnership: map[string]string{
				`spec.containers[name="app"]`:       "a",
				`spec.containers[name="app"].image`: "a",
				`spec.colours[="red"]`:              "a",
			}},
		},
		"dotted keys are written bare": {
			entries: []metav1.ManagedFieldsEntry{entry("a", applies, 1,
				`{"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{}}},"f:data":{"f:nginx.conf":{}}}`)},
			want: View{FieldOwnership: map[string]string{"metadata.labels.app.kubernetes.io/name": "a", "data.nginx.conf": "a"}},
		},
		"keys that would share a text are quoted, whoever owns them": {
			entries: []metav1.ManagedFieldsEntry{
				entry("a", applies, 1, `{"f:data":{"f:x.y":{},"f:z.z":{}}}`),
				entry("b", updates, 1, `{"f:data":{"f:x":{"f:y":{}}}}`),
			},
			want: View{FieldOwnership: map[string]string{`data["x.y"]`: "a", "data.z.z": "a", `data["x"]["y"]`: "b"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims := parse(t, tt.entries...)
			got := claims.CoOwners(claims.Formatter()).Flatten(tt.shown)
			if tt.want.CoOwners == nil {
				tt.want.CoOwners = map[string][]string{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("view (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCoOwnersKeepsTheServersOrder(t *testing.T) {
	t.Parallel()
	claims := parse(t,
		entry("zeta", applies, 1, `{"f:a":{},"f:b":{}}`),
		entry("alpha", applies, 2, `{"f:a":{}}`),
		through("scale", entry("zeta", updates, -1, `{"f:a":{}}`)),
	)
	want := CoOwners{
		"a": {claims[0].Manager, claims[1].Manager, claims[2].Manager},
		"b": {claims[0].Manager},
	}
	if diff := cmp.Diff(want, claims.CoOwners(claims.Formatter())); diff != "" {
		t.Errorf("co-owners (-want +got):\n%s", diff)
	}
}

// Neighbouring fields share a list of owners only if they have the same owners.
func TestCoOwnersOfNeighbours(t *testing.T) {
	t.Parallel()
	claims := parse(t,
		entry("first", applies, 1, `{"f:a":{},"f:b":{},"f:e":{}}`),
		entry("second", applies, 2, `{"f:c":{},"f:d":{}}`),
		entry("third", applies, 3, `{"f:a":{},"f:b":{},"f:c":{},"f:d":{},"f:e":{},"f:f":{}}`),
	)
	first, second, third := claims[0].Manager, claims[1].Manager, claims[2].Manager
	want := CoOwners{
		"a": {first, third}, "b": {first, third}, "c": {second, third}, "d": {second, third}, "e": {first, third}, "f": {third},
	}
	if diff := cmp.Diff(want, claims.CoOwners(claims.Formatter())); diff != "" {
		t.Errorf("co-owners (-want +got):\n%s", diff)
	}
}

// TestFormatterKnowsFurtherFields checks that a text means one field even beside fields that no manager owns.
func TestFormatterKnowsFurtherFields(t *testing.T) {
	t.Parallel()
	claims := parse(t, entry("a", applies, 1, `{"f:data":{"f:x.y":{}}}`))
	formatter := claims.Formatter(set(t, `{"f:data":{"f:x":{"f:y":{}}}}`), nil)
	want := CoOwners{`data["x.y"]`: {claims[0].Manager}}
	if diff := cmp.Diff(want, claims.CoOwners(formatter)); diff != "" {
		t.Errorf("co-owners (-want +got):\n%s", diff)
	}
}

func TestWithoutStatusWriters(t *testing.T) {
	t.Parallel()
	const revision = `{"f:metadata":{"f:annotations":{".":{},"f:revision":{}}}}`
	status := func(manager string) metav1.ManagedFieldsEntry {
		return through("status", entry(manager, updates, 1, revision))
	}
	ours := entry("k8sconnect", applies, 1, `{"f:spec":{"f:replicas":{}}}`)
	tests := map[string]struct {
		entries  []metav1.ManagedFieldsEntry
		declared string
		want     []string
	}{
		"what a controller writes with the status": {
			entries: []metav1.ManagedFieldsEntry{ours, status("kube-controller-manager")},
		},
		"a declared field": {
			entries: []metav1.ManagedFieldsEntry{ours, status("kube-controller-manager")}, declared: revision,
			want: []string{"metadata.annotations", "metadata.annotations.revision"},
		},
		"a field of somebody else, too": {
			entries: []metav1.ManagedFieldsEntry{
				ours, entry("helm", applies, 1, `{"f:metadata":{"f:annotations":{"f:revision":{}}}}`), status("operator"),
			},
			want: []string{"metadata.annotations.revision"},
		},
		"a person who writes the status": {
			entries: []metav1.ManagedFieldsEntry{ours, status("kubectl-patch")},
			want:    []string{"metadata.annotations", "metadata.annotations.revision"},
		},
		"a controller that writes the object": {
			entries: []metav1.ManagedFieldsEntry{ours, entry("kube-controller-manager", updates, 1, revision)},
			want:    []string{"metadata.annotations", "metadata.annotations.revision"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var declared *paths.Set
			if tt.declared != "" {
				declared = set(t, tt.declared)
			}
			claims := parse(t, tt.entries...)
			before := summary(t, claims)
			owners := claims.WithoutStatusWriters(declared).CoOwners(claims.Formatter())
			want := append([]string{"spec.replicas"}, tt.want...)
			slices.Sort(want)
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(owners))); diff != "" {
				t.Errorf("owned fields (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, summary(t, claims)); diff != "" {
				t.Errorf("the claims themselves changed (-before +after):\n%s", diff)
			}
		})
	}
}
