package obstacles

import (
	"errors"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// refusing returns a server that refuses objects with too many of some fields of spec, by a cause.
func refusing(most int, cause metav1.StatusCause, names ...string) Accepts {
	return func(after map[string]any) (map[string]any, error) {
		spec, _ := after["spec"].(map[string]any)
		n := 0
		for _, name := range names {
			if spec[name] != nil {
				n++
			}
		}
		if n > most {
			return nil, refusalOf(cause)
		}
		return after, nil
	}
}

// A search finds the fields that have to go, and nothing if it is not certain which of them.
func TestSearch(t *testing.T) {
	t.Parallel()
	const theirs = `{"f:spec":{"f:a":{},"f:b":{},"f:c":{},"f:mine":{}}}`
	for name, test := range map[string]struct {
		cause   metav1.StatusCause
		most    int
		names   []string
		ignored []string
		want    []string
		left    []string
	}{
		"the named field": {
			cause: metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeForbidden}, names: []string{"a"}, want: []string{"spec.a"},
		},
		"one beside the named field": {
			cause: metav1.StatusCause{Field: "spec.mine", Type: metav1.CauseTypeForbidden}, names: []string{"b", "mine"}, most: 1,
			want: []string{"spec.b"},
		},
		"two below the named field": {
			cause: metav1.StatusCause{Field: "spec", Type: metav1.CauseTypeFieldValueInvalid}, names: []string{"a", "c"},
			want: []string{"spec.a", "spec.c"},
		},
		"one of two, whichever": {
			cause: metav1.StatusCause{Field: "spec", Type: metav1.CauseTypeFieldValueInvalid}, names: []string{"a", "b", "mine"}, most: 2,
		},
		"an ignored field": {
			cause: metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeForbidden}, names: []string{"a"}, ignored: []string{"spec.a"},
			left: []string{"spec.a"},
		},
		"an ignored field beside the named field": {
			cause: metav1.StatusCause{Field: "spec.mine", Type: metav1.CauseTypeForbidden}, names: []string{"b", "mine"}, most: 1,
			ignored: []string{"spec.b"}, left: []string{"spec.b"},
		},
		"another field than the ignored one": {
			cause: metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeForbidden}, names: []string{"a"}, ignored: []string{"spec.b"},
			want: []string{"spec.a"},
		},
		"a missing value": {
			cause: metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeFieldValueRequired}, names: []string{"mine"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("other", theirs)})
			live.Object["spec"] = map[string]any{"a": "1", "b": "1", "c": "1", "mine": "1"}
			found := searchIn(t, live, test.ignored, refusalOf(test.cause), refusing(test.most, test.cause, test.names...))
			if got := textsOf(found.Fields); !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if got := textsOf(found.Left); !slices.Equal(got, test.left) {
				t.Errorf("left to others: %q, want %q", got, test.left)
			}
		})
	}
}

// What ignore_fields covers stays if no manager owns it, too, and so does the map around it.
func TestSearchLeavesUnownedParts(t *testing.T) {
	t.Parallel()
	cause := metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeForbidden}
	for ignored, stays := range map[string]bool{"spec.a.x": true, "spec.a": true, "spec.a.y": false} {
		live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("other", `{"f:spec":{"f:mine":{}}}`)})
		live.Object["spec"] = map[string]any{"a": map[string]any{"x": "1"}, "mine": "1"}
		found := searchIn(t, live, []string{ignored}, refusalOf(cause), refusing(0, cause, "a"))
		if stays != (found.Fields == nil) || stays != (found.Left != nil) {
			t.Errorf("with %s: removed %q, left to others %q", ignored, textsOf(found.Fields), textsOf(found.Left))
		}
	}
}

func textsOf(fields *paths.Set) []string {
	var texts []string
	paths.Walk(paths.OrEmpty(fields), func(path paths.Path, _ bool) { texts = append(texts, paths.Format(path)) })
	return texts
}

// A field that the server names again after its removal is one that the server keeps.
func TestSearchFindsWhatTheServerKeeps(t *testing.T) {
	t.Parallel()
	never := func(cause metav1.StatusCause) Accepts {
		return func(map[string]any) (map[string]any, error) { return nil, refusalOf(cause) }
	}
	for name, test := range map[string]struct {
		field, owned string
		spec         map[string]any
		want         bool
	}{
		"a field":              {"spec.a", `{"f:spec":{"f:a":{},"f:mine":{}}}`, map[string]any{"a": "1", "mine": "1"}, true},
		"a field of a map":     {"spec.a.b", `{"f:spec":{"f:a":{"f:b":{}}}}`, map[string]any{"a": map[string]any{"b": "1"}}, true},
		"a field of ours only": {"spec.mine", `{"f:spec":{"f:a":{}}}`, map[string]any{"a": "1", "mine": "1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("other", test.owned)})
			live.Object["spec"] = test.spec
			cause := metav1.StatusCause{Field: test.field, Type: metav1.CauseTypeFieldValueInvalid}
			if got := searchIn(t, live, nil, refusalOf(cause), never(cause)); got.Kept != test.want || got.Fields != nil {
				t.Errorf("%+v, want kept %t", got, test.want)
			}
		})
	}
}

// In a list, the server names the position, at which there may be another item after a removal.
func TestIsOutsideItems(t *testing.T) {
	t.Parallel()
	first := 0
	item := paths.PathElement{Index: &first}
	if !isOutsideItems(paths.Path{paths.Field("spec"), paths.Field("a")}) {
		t.Error("spec.a is in a list item")
	}
	if isOutsideItems(paths.Path{paths.Field("spec"), paths.Field("a"), item}) || isOutsideItems(paths.Path{paths.Field("spec"), paths.Field("a"), item, paths.Field("b")}) {
		t.Error("an item, or a field in it, is in no list item")
	}
}

func searchIn(
	t *testing.T, live *unstructured.Unstructured, ignored []string, refusal error, accepts Accepts,
) Found {
	t.Helper()
	m := clustertest.Parsed(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}, spec: {mine: \"2\"}}")
	prior, err := record.PriorOf(live, record.Observation{ID: clustertest.ConfigMap})
	if err != nil {
		t.Fatal(err)
	}
	w := wanted.For(arguments.Arguments{
		Manifest: m, FieldManager: "k8sconnect", Ignore: clustertest.Patterns(t, ignored...),
	}, prior)
	a := Apply{Wanted: w, Body: w.Split(w.Claims().Fields()), ClaimsBefore: w.Claims()}
	found, err := a.Search(refusal, live.Object, accepts)
	if err != nil || cluster.ReasonOf(refusal) != cluster.ReasonInvalid {
		t.Fatalf("error %v, after %v", err, refusal)
	}
	return found
}

// A value of the manifest that is left to other managers, and that differs on the object, is what stands in the way if
// the server takes the object with it. What is beside it and equal does not.
func TestSearchFindsDeclaredValuesOfOthers(t *testing.T) {
	t.Parallel()
	cause := metav1.StatusCause{Field: "spec", Type: metav1.CauseTypeFieldValueInvalid, Message: "mine needs the mode manual"}
	needs := func(mode string) Accepts {
		return func(after map[string]any) (map[string]any, error) {
			if spec, _ := after["spec"].(map[string]any); spec["mode"] != mode {
				return nil, refusalOf(cause)
			}
			return after, nil
		}
	}
	for name, test := range map[string]struct {
		ignored, managers []string
		needs             string
		want              []string
	}{
		"of ignored fields":        {ignored: []string{"spec.mode", "spec.same"}, needs: "manual", want: []string{"spec.mode"}},
		"of an ignored manager":    {managers: []string{"other"}, needs: "manual", want: []string{"spec.mode"}},
		"with which it is refused": {ignored: []string{"spec.mode"}, needs: "none"},
		"of nobody else":           {needs: "auto"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("other", `{"f:spec":{"f:mode":{},"f:same":{}}}`)})
			live.Object["spec"] = map[string]any{"mode": "auto", "same": "1"}
			prior, err := record.PriorOf(live, record.Observation{ID: clustertest.ConfigMap})
			if err != nil {
				t.Fatal(err)
			}
			w := wanted.For(arguments.Arguments{
				Manifest: clustertest.Parsed(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}, "+
					`spec: {mine: "2", mode: manual, same: "1"}}`),
				FieldManager: "k8sconnect", Ignore: clustertest.Patterns(t, test.ignored...), IgnoreManagers: test.managers,
			}, prior)
			a := Apply{Wanted: w, Body: w.Split(w.Claims().Fields()), ClaimsBefore: w.Claims()}
			found, err := a.Search(refusalOf(cause), live.Object, needs(test.needs))
			if err != nil {
				t.Fatal(err)
			}
			if got := textsOf(found.Left); !slices.Equal(got, test.want) || found.Fields != nil || found.Kept && got != nil {
				t.Errorf("%+v, left to others: %q, want %q", found, got, test.want)
			}
		})
	}
}

// The error names the patterns that leave what is in the way to other managers, and what no removal gives a value.
func TestBlockedNamesPatternsAndWhatLacks(t *testing.T) {
	t.Parallel()
	live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("other", `{"f:spec":{"f:a":{"f:x":{}}}}`)})
	live.Object["spec"] = map[string]any{"a": map[string]any{"x": "1"}}
	prior, err := record.PriorOf(live, record.Observation{ID: clustertest.ConfigMap})
	if err != nil {
		t.Fatal(err)
	}
	w := wanted.For(arguments.Arguments{
		Manifest:     clustertest.Parsed(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}, spec: {mine: "2"}}`),
		FieldManager: "k8sconnect", Ignore: clustertest.Patterns(t, "spec.b", "spec.a.x"),
	}, prior)
	a := Apply{Wanted: w, Body: w.Split(w.Claims().Fields()), ClaimsBefore: w.Claims()}
	refusal := refusalOf(
		metav1.StatusCause{Field: "spec.a", Type: metav1.CauseTypeForbidden},
		metav1.StatusCause{Field: "spec.mine.z", Type: metav1.CauseTypeFieldValueRequired},
	)
	blocked, is := errors.AsType[*BlockedError](a.Blocked(refusal, live.Object, Found{}))
	if !is || !slices.Equal(blocked.Ignored, []string{"spec.a.x"}) || !slices.Equal(blocked.Lacking, []string{"spec.mine.z"}) {
		t.Errorf("%+v", blocked)
	}
}
