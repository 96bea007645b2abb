package ownership

import (
	"encoding/json"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// FuzzParse checks that any JSON as managedFields is an error or claims, of which every field is shown
// with all its owners, and that what is done with claims keeps its promises.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "null", "{}", "[]", "[{}]", "[null]", `[{"manager":1}]`, `[{"fieldsV1":1}]`, `[{"fieldsV1":null}]`,
		`[{"manager":"a","operation":"Apply","fieldsType":"FieldsV2"}]`, `[{"time":"x"}]`,
		`[{"manager":"k8sconnect","operation":"Apply","fieldsV1":{"f:a":{},"f:b.c":{"f:d":{}},"f:status":{"f:e":{}}}},
		  {"manager":"k","operation":"Update","time":"2024-05-01T12:00:00Z","subresource":"scale","fieldsV1":{"f:a":{},"f:b":{"f:c":{"f:d":{}}}}}]`,
		`[{"manager":"a","fieldsV1":{"f:l":{"k:{\"name\":\"x\"}":{".":{}},"v:\"red\"":{},"v:1":{},"i:3":{}}}},{"manager":"a","fieldsV1":{".":{}}}]`,
		`[{"fieldsV1":{"k:{}":{}}}]`, `[{"fieldsV1":{"k:{\"a\":1,\"a\":2}":{}}}]`, `[{"fieldsV1":{"v:{\"a\":[1]}":{}}}]`, `[{"fieldsV1":{"x:":[]}}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var entries []metav1.ManagedFieldsEntry
		if err := json.Unmarshal(text, &entries); err != nil {
			return
		}
		claims, err := Parse(entries)
		if err != nil {
			if claims != nil || err.Error() == "" {
				t.Fatalf("claims %v beside error %v", claims, err)
			}
			return
		}
		if len(claims) != len(entries) {
			t.Fatalf("%d claims of %d entries", len(claims), len(entries))
		}
		assertView(t, claims)
		assertPrediction(t, claims)
		assertRelease(t, entries, claims)
	})
}

// assertView checks that Flatten names an owner and all owners of every field.
func assertView(t *testing.T, claims Claims) {
	owners := claims.CoOwners(claims.Formatter())
	if fields := claims.Fields().Size(); len(owners) != fields {
		t.Fatalf("%d texts for %d fields", len(owners), fields)
	}
	view := owners.Flatten(View{})
	for field, managers := range owners {
		owner, shown := view.FieldOwnership[field]
		if !shown || owner != managers[0].Name || !slices.Contains(namesOf(managers), owner) {
			t.Fatalf("%s: shown owner %q of %v", field, owner, managers)
		}
		names := view.owners(field)
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Fatalf("%s: owners %q are not sorted and unique", field, names)
		}
	}
	again := owners.Flatten(view)
	for field, owner := range view.FieldOwnership {
		if again.FieldOwnership[field] != owner || !slices.Equal(again.owners(field), view.owners(field)) {
			t.Fatalf("%s: shown as %q, then as %q", field, owner, again.FieldOwnership[field])
		}
	}
}

// assertPrediction checks that a forced apply leaves us with what we applied, and that it takes no field
// whose value is equal.
func assertPrediction(t *testing.T, claims Claims) {
	applied := claims.Fields()
	apply := Apply{Manager: Manager{Name: "k8sconnect", Operation: applies}, Fields: applied}
	apply.Differs = func(paths.Path) bool { return false }
	if shared := claims.Predict(apply); len(shared.Taken) > 0 || !shared.After.Own("k8sconnect").Equals(applied) {
		t.Fatalf("equal values were taken: %v", shared)
	}
	apply.Differs = func(paths.Path) bool { return true }
	predicted := claims.Predict(apply)
	if !predicted.After.Own("k8sconnect").Equals(applied) {
		t.Fatalf("%s was applied, and %s is owned", applied, predicted.After.Own("k8sconnect"))
	}
	for _, taken := range predicted.Taken {
		if predicted.After.Others("k8sconnect").Fields().Has(taken.Path) || len(taken.From) == 0 {
			t.Fatalf("%s was taken and is still shared", paths.Format(taken.Path))
		}
	}
}

// assertRelease checks that a release takes every field from us and none from the others.
func assertRelease(t *testing.T, entries []metav1.ManagedFieldsEntry, claims Claims) {
	released, err := Rewrite{Manager: "k8sconnect", Release: claims.Fields()}.Entries(entries)
	if err != nil {
		t.Fatal(err)
	}
	after, err := Parse(released)
	if err != nil || released == nil {
		t.Fatalf("released entries %v: %v", released, err)
	}
	if !after.Own("k8sconnect").Empty() {
		t.Fatalf("%s is still ours", after.Own("k8sconnect"))
	}
	if !after.Others("k8sconnect").Fields().Equals(claims.Others("k8sconnect").Fields()) {
		t.Fatalf("the others hold %s, and held %s", after.Fields(), claims.Fields())
	}
}
