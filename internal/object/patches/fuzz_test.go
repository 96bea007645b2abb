package patches

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// FuzzApply checks that a text is a patch or an *Error, and that a patch applies to an object or fails with an *Error.
// A patch that applies is in effect afterwards, changes neither its input nor the identity of the object, and changes what
// its fields and its request say.
func FuzzApply(f *testing.F) {
	for _, tests := range []map[string]change{jsonChanges, itemChanges, mergeChanges, strategicChanges, numberChanges, secretChanges} {
		for _, tt := range tests {
			f.Add(kindNumber(tt.kind), body(f, tt.body), body(f, tt.live))
		}
	}

	f.Fuzz(func(t *testing.T, number uint8, text, live string) {
		patch, err := Parse("", []Type{JSON, Merge, Strategic}[int(number)%3], text)
		if err != nil {
			isFault(t, err)
			return
		}
		var object map[string]any
		if utiljson.Unmarshal([]byte(live), &object) != nil || object == nil {
			return
		}
		for _, kind := range []string{"Deployment", "ConfigMap", "Secret"} {
			checkApply(t, patch, object, kind)
		}
	})
}

func kindNumber(kind Type) uint8 {
	for i, one := range []Type{JSON, Merge, Strategic} {
		if one == kind {
			return uint8(i)
		}
	}
	return 0
}

func checkApply(t *testing.T, patch Patch, live map[string]any, kind string) {
	t.Helper()
	gvk := configMap
	switch kind {
	case "Deployment":
		gvk = deployment
	case "Secret":
		gvk = secret
	}
	was := jsonOf(t, live)
	got, err := patch.Apply(live, gvk)
	if jsonOf(t, live) != was {
		t.Fatalf("%s became %s", was, jsonOf(t, live))
	}
	if err != nil {
		isFault(t, err)
		return
	}
	again, err := patch.Apply(got.After, gvk)
	if err != nil || !again.InEffect || !reflect.DeepEqual(again.After, got.After) {
		t.Fatalf("applied again: %v, %s", err, cmp.Diff(got.After, again.After))
	}
	finalizer := paths.Path{paths.Field("metadata"), paths.Field("finalizers"), paths.Value("a/x")}
	for _, known := range []*paths.Set{nil, paths.NewSet(finalizer)} {
		if changes := projection.Changes(got.Before, got.After, known); (len(changes) == 0) != got.InEffect {
			t.Fatalf("in effect: %t, changes %v", got.InEffect, changes)
		}
	}
	for _, change := range projection.Changes(got.Before, got.After, nil) {
		if fault := checkTarget(namesOf(change.Path), ""); fault != nil {
			t.Fatalf("%s: %v", paths.Format(change.Path), fault)
		}
	}
	sent, err := Parse("", patch.Type, string(got.Body))
	if err != nil {
		if !got.InEffect {
			t.Fatalf("%s is sent: %v", got.Body, err)
		}
		return
	}
	if answer, err := sent.Apply(live, gvk); err != nil || !reflect.DeepEqual(answer.After, got.After) {
		t.Fatalf("%s is sent: %v, %s", got.Body, err, cmp.Diff(got.After, answer.After))
	}
}

// namesOf returns the names that a path begins with.
func namesOf(path paths.Path) pointer {
	var names pointer
	for _, element := range path {
		if element.FieldName == nil {
			break
		}
		names = append(names, *element.FieldName)
	}
	return names
}

// FuzzReference compares JSON and merge patches with their RFCs, wherever Apply accepts them.
func FuzzReference(f *testing.F) {
	for _, tests := range []map[string]change{jsonChanges, itemChanges, mergeChanges, numberChanges} {
		for _, tt := range tests {
			f.Add(tt.kind == JSON, body(f, tt.body), body(f, tt.live))
		}
	}
	f.Fuzz(func(t *testing.T, operations bool, text, live string) {
		kind := Merge
		if operations {
			kind = JSON
		}
		patch, err := Parse("", kind, text)
		if err != nil {
			return
		}
		var object map[string]any
		if utiljson.Unmarshal([]byte(live), &object) != nil || object == nil {
			return
		}
		got, err := patch.Apply(object, gadget)
		if err != nil {
			return
		}
		checkReference(t, patch.Type, got)
	})
}

func checkReference(t *testing.T, kind Type, got Result) {
	t.Helper()
	sent, want := decoded(t, string(got.Body)), any(got.Before)
	if kind == Merge {
		want = referenceMerge(want, sent)
	} else {
		operations, err := canonical(sent)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range operations.([]any) {
			after, err := referenceOperate(want, one.(map[string]any))
			if err != nil {
				t.Fatalf("%v does not apply to %s", one, jsonOf(t, want))
			}
			want = after
			remove(want, isNull) // What is null is missing for the next operation too.
		}
	}
	want, err := canonical(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, any(got.After)); diff != "" {
		t.Fatalf("after (-reference +got):\n%s", diff)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := utiljson.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
