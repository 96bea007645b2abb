package ownership

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// The claims of a subresource are those on its field, and a rewrite changes the entry that was written through it.
func TestClaimsOfASubresource(t *testing.T) {
	t.Parallel()
	entry := func(manager, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", Subresource: subresource,
			FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
		}
	}
	entries := []metav1.ManagedFieldsEntry{
		entry("patch", "", `{"f:spec":{"f:a":{}},"f:status":{"f:a":{}}}`), entry("patch", "status", `{"f:status":{"f:b":{}}}`),
		entry("kubelet", "status", `{"f:status":{"f:c":{}}}`),
	}
	claims, err := ParseSubresource(entries, "status")
	if err != nil {
		t.Fatal(err)
	}
	b := paths.NewSet(paths.Path{paths.Field("status"), paths.Field("b")})
	if own := claims.Own("patch"); !own.Equals(b) {
		t.Errorf("own is %s", own)
	}
	if spec := claims.Fields(); spec.Has(paths.Path{paths.Field("spec"), paths.Field("a")}) || spec.Size() != 3 {
		t.Errorf("the claims are on %s", spec)
	}
	for i, want := range []string{`"patch"`, `"patch"`, `"kubelet"`} {
		if got := claims[i].String(); got != want {
			t.Errorf("claim %d is called %s, want %s", i, got, want)
		}
	}
	left, err := Rewrite{Manager: "patch", Release: b, Subresource: "status"}.Entries(entries)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 || left[0].Subresource != "" || left[1].Manager != "kubelet" {
		t.Errorf("left are %v", left)
	}
}

// The API server merges the oldest of more than ten managers that update an object.
func TestWithForgotten(t *testing.T) {
	t.Parallel()
	field := func(name string) *paths.Set { return paths.NewSet(paths.Path{paths.Field(name)}) }
	claims := Claims{{Manager: Manager{Name: ancientChanges, Operation: metav1.ManagedFieldsOperationUpdate}, Fields: field("a").Union(field("b"))}}
	got := claims.WithForgotten("patch", field("a").Union(field("c")))
	if own := got.Own("patch"); !own.Equals(field("a")) {
		t.Errorf("own is %s", own)
	}
	if others := got.Others("patch").Fields(); !others.Equals(field("b")) {
		t.Errorf("others have %s", others)
	}
	if !claims.Fields().Equals(field("a").Union(field("b"))) {
		t.Error("the claims were mutated")
	}
	if same := claims.WithForgotten("patch", field("c")); len(same) != 1 {
		t.Errorf("nothing was forgotten, and the claims are %v", same)
	}
}
