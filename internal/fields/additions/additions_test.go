package additions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

const (
	applies = metav1.ManagedFieldsOperationApply
	updates = metav1.ManagedFieldsOperationUpdate
)

// claim returns the claim of a manager on fields, as managedFields has them.
func claim(t *testing.T, name string, how metav1.ManagedFieldsOperationType, subresource, fields string) ownership.Claim {
	t.Helper()
	set, err := paths.ParseSet([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	return ownership.Claim{
		Manager: ownership.Manager{Name: name, Operation: how, APIVersion: "apps/v1", Subresource: subresource}, Fields: set,
	}
}

const ours = `{"f:spec":{"f:selector":{},"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`

func TestSearch(t *testing.T) {
	t.Parallel()
	const item = `{"f:spec":{"f:containers":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:image":{}}}}}`
	for name, test := range map[string]struct {
		others []ownership.Claim
		search Search
		want   []string
	}{
		"an item is one addition": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", item)},
			want:   []string{`spec.containers[name="x"]`},
		},
		"a finalizer": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", `{"f:metadata":{"f:finalizers":{".":{},"v:\"example.com/hold\"":{}}}}`)},
			want:   []string{"metadata.finalizers"},
		},
		"a part of an item of ours": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:command":{}}}}}`)},
			want:   []string{`spec.containers[name="app"].command`},
		},
		"what we own, too": {
			others: []ownership.Claim{claim(t, "kubectl", applies, "", ours)},
		},
		"a map that was added, and an entry of one with a controller's": {
			others: []ownership.Claim{
				claim(t, "kubectl-edit", updates, "", `{"f:metadata":{"f:labels":{".":{},"f:a":{},"f:b":{}},"f:annotations":{".":{},"f:a":{}}}}`),
				claim(t, "kube-controller-manager", updates, "", `{"f:metadata":{"f:annotations":{"f:revision":{}}}}`),
			},
			want: []string{"metadata.annotations.a", "metadata.labels"},
		},
		"an item in which a controller owns a part is mixed": {
			others: []ownership.Claim{
				claim(t, "kubectl-edit", updates, "", item),
				claim(t, "x-operator", updates, "", `{"f:spec":{"f:containers":{"k:{\"name\":\"x\"}":{"f:command":{}}}}}`),
			},
			want: []string{`spec.containers[name="x"] controller`},
		},
		"controllers, subresources, other resources of this provider and notes of kubectl": {
			others: []ownership.Claim{
				claim(t, "x-operator", updates, "", item), claim(t, "acme", updates, "scale", `{"f:spec":{"f:replicas":{}}}`),
				claim(t, "k8sconnect-patch-1", applies, "", item),
				claim(t, "kubectl-rollout", updates, "", `{"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/restartedAt":{}}}}`),
			},
		},
		"kubectl rollout undo after two restarts": {
			others: []ownership.Claim{
				claim(t, "kubectl-rollout", updates, "", `{"f:spec":{"f:template":{"f:metadata":{"f:annotations":{}}}}}`),
				claim(t, "kubectl", updates, "", `{"f:spec":{"f:template":{"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/restartedAt":{}}}}}}`),
			},
		},
		"what another has put into a map": {
			others: []ownership.Claim{
				claim(t, "kubectl-rollout", updates, "", `{"f:metadata":{"f:annotations":{}}}`),
				claim(t, "kubectl-edit", updates, "", `{"f:metadata":{"f:annotations":{"f:a":{}}}}`),
			},
			want: []string{"metadata.annotations.a"},
		},
		"an item of which a part is left": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", item)},
			search: Search{Left: paths.PatternsOf([]string{`spec.containers[name="x"].image`})},
			want:   []string{`spec.containers[name="x"] left`},
		},
		"a manager that updates the status is the controller": {
			others: []ownership.Claim{
				claim(t, "acme", updates, "", `{"f:metadata":{"f:labels":{".":{},"f:a":{}}}}`),
				claim(t, "kubectl-edit", updates, "", `{"f:spec":{"f:hostNetwork":{}}}`),
				claim(t, "kustomize-controller", updates, "", `{"f:metadata":{"f:finalizers":{".":{},"v:\"finalizers.fluxcd.io\"":{}}}}`),
				claim(t, "kustomize-controller", applies, "", `{"f:spec":{"f:minReadySeconds":{}}}`),
			},
			search: Search{Controllers: []string{"acme", "kubectl-edit", "kustomize-controller"}},
			want:   []string{"spec.hostNetwork", "spec.minReadySeconds"},
		},
		"the finalizer of an unknown manager is a controller's": {
			others: []ownership.Claim{
				claim(t, "agent", updates, "", `{"f:metadata":{"f:finalizers":{".":{},"v:\"example.com/clean\"":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"1\"}":{}}}}`),
				claim(t, "kubectl-patch", updates, "", `{"f:metadata":{"f:finalizers":{"v:\"example.com/hold\"":{}}}}`),
				claim(t, "helm", updates, "", `{"f:metadata":{"f:finalizers":{"v:\"example.com/chart\"":{}}}}`),
			},
			want: []string{`metadata.finalizers[="example.com/chart"]`, `metadata.finalizers[="example.com/hold"]`},
		},
		"a map with a note of a command is not whole": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "",
				`{"f:metadata":{"f:annotations":{".":{},"f:a":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}`)},
			want: []string{"metadata.annotations.a"},
		},
		"the label by which the API server names a namespace": {
			others: []ownership.Claim{claim(t, "kubectl-create", updates, "", `{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}`)},
		},
		"what is left to others": {
			others: []ownership.Claim{
				claim(t, "kubectl-edit", updates, "", item), claim(t, "helm", applies, "", `{"f:spec":{"f:minReadySeconds":{}}}`),
			},
			search: Search{
				Left:     paths.PatternsOf([]string{`spec.containers[name="x"]`}),
				IsLeftTo: func(manager string) bool { return manager == "helm" },
			},
		},
		"a map of which all is left to others": {
			others: []ownership.Claim{claim(t, "kubectl-create", updates, "", `{"f:data":{".":{},"f:a":{}}}`)},
			search: Search{Left: paths.PatternsOf([]string{"data.a"})},
		},
		"a leaf without a value": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", `{"f:metadata":{"f:labels":{}}}`)},
			search: Search{IsEmpty: func(paths.Path) bool { return true }},
		},
		"a declared field that somebody else owns": {
			others: []ownership.Claim{claim(t, "kubectl-edit", updates, "", `{"f:spec":{"f:replicas":{}}}`)},
			search: Search{Declared: paths.NewSet(paths.Path{paths.Field("spec"), paths.Field("replicas")})},
		},
		"the defaults in the entry of a creator": {
			others: []ownership.Claim{claim(t, "kubectl-create", updates, "",
				`{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:selector":{},"f:hostNetwork":{},"f:dnsPolicy":{},"f:containers":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`)},
			want: []string{"metadata.labels.a", `spec.containers[name="x"]`},
		},
		"an entry of kubectl apply that shares nothing with us": {
			others: []ownership.Claim{claim(t, "kubectl-client-side-apply", updates, "", `{"f:spec":{"f:hostNetwork":{},"f:dnsPolicy":{}}}`)},
			want:   []string{"spec.hostNetwork"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims := append(ownership.Claims{claim(t, "k8sconnect", applies, "", ours)}, test.others...)
			search := test.search
			search.FieldManager = "k8sconnect"
			if search.IsEmpty == nil {
				search.IsEmpty = func(paths.Path) bool { return false }
			}
			var got []string
			for _, addition := range search.In(claims) {
				text := paths.Format(addition.Path)
				got = append(got, strings.TrimSpace(text+" "+string(addition.Stays)))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The annotation of kubectl apply tells what it has written from what the API server has filled in, if both are about one
// version. What is filled in is no addition.
func TestByKubectl(t *testing.T) {
	t.Parallel()
	const entry = `{"f:spec":{"f:size":{},"f:note":{},"f:routes":{"k:{\"port\":80}":{"f:weight":{}}}}}`
	const applied = `{"apiVersion":"apps/v1","spec":{"note":"x","routes":[{"port":80}]}}`
	by := claim(t, ClientSide, updates, "", entry)
	by.APIVersion = "apps/v1"
	claims := ownership.Claims{claim(t, "k8sconnect", applies, "", `{"f:spec":{"f:routes":{"k:{\"port\":80}":{".":{},"f:port":{}}}}}`), by}
	search := Search{FieldManager: "k8sconnect", IsEmpty: func(paths.Path) bool { return false }}
	for text, want := range map[string]string{
		applied: "[spec.note]",
		strings.Replace(applied, "apps/v1", "apps/v2", 1): "[spec.note spec.routes[port=80].weight spec.size]",
		"{": "[spec.note spec.routes[port=80].weight spec.size]",
	} {
		if all, written := ByKubectl(map[string]string{corev1.LastAppliedConfigAnnotation: text}, claims); all != nil {
			search.Filled = search.MaybeFilled(claims).Intersection(all).Difference(written)
		} else {
			search.Filled = nil
		}
		var got []string
		for _, addition := range search.In(claims) {
			got = append(got, paths.Format(addition.Path))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	secret := claim(t, ClientSide, updates, "", `{"f:data":{"f:a":{}}}`)
	secret.APIVersion = "v1"
	text := `{"apiVersion":"v1","kind":"Secret","stringData":{"a":"x"}}`
	if _, written := ByKubectl(map[string]string{corev1.LastAppliedConfigAnnotation: text}, ownership.Claims{secret}); !written.Has(paths.Path{paths.Field("data"), paths.Field("a")}) {
		t.Error("the stringData of a Secret is not its data")
	}
}

// The time of a write stays while the value and the owners do: each write of a manager moves the time of all its fields.
func TestShowKeepsTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)
	owner := ownership.Holder{Manager: ownership.Manager{Name: "kubectl-edit", Operation: updates}, Time: at}
	value, other := "1", "2"
	show := func(value *string, when time.Time, before ByField) string {
		owner.Time = when
		shown := Show([]Named{{Addition: Addition{Owners: []ownership.Holder{owner}}, Field: "a", Value: value}}, before)
		return shown["a"].Owners["kubectl-edit"]
	}
	before := Show([]Named{{Addition: Addition{Owners: []ownership.Holder{owner}}, Field: "a", Value: &value}}, nil)
	const first, second = "person: Update at 2026-11-28T09:30:00Z", "person: Update at 2026-11-28T10:30:00Z"
	if got := show(&value, at.Add(time.Hour), before); got != first {
		t.Errorf("another write of the manager: %s", got)
	}
	if got := show(&other, at.Add(time.Hour), before); got != second {
		t.Errorf("another value: %s", got)
	}
	eve := ownership.Holder{Manager: ownership.Manager{Name: "eve", Operation: updates}, Time: at}
	twins := []Named{
		{Addition: Addition{Owners: []ownership.Holder{owner}}, Field: "a"}, {Addition: Addition{Owners: []ownership.Holder{owner, eve}}, Field: "a"},
	}
	if got := Show(twins, nil)["a"].Owners; len(got) != 2 || got["kubectl-edit"] != second {
		t.Errorf("two of one field: %q", got)
	}
	if Show(nil, before) != nil {
		t.Error("no additions are not nil")
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	field := func(names ...string) (path paths.Path) {
		for _, name := range names {
			path = append(path, paths.Field(name))
		}
		return path
	}
	inOrder := []paths.Path{
		append(field("spec", "containers"), paths.Key(map[string]any{"name": "x"})), field("spec", "hostNetwork"),
		append(field("spec", "containers"), paths.Key(map[string]any{"name": "x"}), paths.Field("securityContext")),
		field("spec", "volumes"), field("spec", "env"), field("metadata", "labels", "a"),
	}
	for i, path := range inOrder {
		if got := (Addition{Path: path}).Rank(); got != i {
			t.Errorf("the rank of %s is %d, want %d", paths.Format(path), got, i)
		}
	}
}
