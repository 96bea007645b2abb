package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServerOwnedFields(t *testing.T) {
	t.Parallel()
	const empty = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, creationTimestamp: null, generation: 0, managedFields: [], " +
		"resourceVersion: '', uid: ~, deletionGracePeriodSeconds: 0.0}\n"
	parsed, err := Parse(empty)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"name": "web"}, parsed.Object["metadata"]); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if !EqualText(empty, web) {
		t.Error("what is dropped tells two manifests apart")
	}
	assertError(t, "apiVersion: v1\nkind: A\nmetadata: {name: a, uid: x, selfLink: '', resourceVersion: '7', generation: 1}",
		"only the API server writes metadata.generation, metadata.resourceVersion and metadata.uid. Remove them from the manifest.")
}

const opaque = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"

// The right side of each pair is what the server makes of the left one.
func TestStringDataAsData(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ written, sent string }{
		"a text":                       {"stringData: {a: hello}", "data: {a: aGVsbG8=}"},
		"beside data":                  {"stringData: {a: hello}\ndata: {b: Yg==}", "data: {a: aGVsbG8=, b: Yg==}"},
		"stringData wins":              {"stringData: {a: hello}\ndata: {a: Yg==}", "data: {a: aGVsbG8=}"},
		"bytes of UTF-8":               {`stringData: {a: "é\n"}`, "data: {a: w6kK}"},
		"an empty text":                {`stringData: {a: ""}`, `data: {a: ""}`},
		"null is an empty text":        {"stringData: {a: null}", `data: {a: ""}`},
		"data that is null":            {"stringData: {a: hello}\ndata: null", "data: {a: aGVsbG8=}"},
		"nothing in it":                {"stringData: {}", ""},
		"null in its place":            {"stringData: null", ""},
		"nothing in either":            {"stringData: {}\ndata: {}", "data: {}"},
		"the rest stays":               {"stringData: {a: hello}\ntype: x\nimmutable: true", "data: {a: aGVsbG8=}\ntype: x\nimmutable: true"},
		"without stringData":           {"data: {a: b}", "data: {a: b}"},
		"a number stays, a text moves": {"stringData: {a: 1, b: b}", "stringData: {a: 1}\ndata: {b: Yg==}"},
		"a map stays":                  {"stringData: {a: {b: c}}", "stringData: {a: {b: c}}"},
		"a text in its place stays":    {"stringData: abc", "stringData: abc"},
		"data that is a text":          {"stringData: {a: b}\ndata: c", "stringData: {a: b}\ndata: c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !EqualText(opaque+tc.written, opaque+tc.sent) {
				t.Errorf("%s is not equal to %s", tc.written, tc.sent)
			}
			got, err := Parse(opaque + tc.written)
			if err != nil {
				t.Fatal(err)
			}
			want, err := decode(opaque + tc.sent)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.Object); diff != "" {
				t.Errorf("object (-want +got):\n%s", diff)
			}
		})
	}
	for _, other := range []string{"v1\nkind: ConfigMap", "example.com/v1\nkind: Secret"} {
		text := "apiVersion: " + other + "\nmetadata: {name: a}\nstringData: {a: hello}"
		if got, err := Parse(text); err != nil || got.Object["data"] != nil || got.Object["stringData"] == nil {
			t.Errorf("%s: %v, %v", text, got.Object, err)
		}
	}
}

// StringDataAsData does not change its argument.
func TestStringDataAsDataMutatesNothing(t *testing.T) {
	t.Parallel()
	written := func() map[string]any {
		return map[string]any{"stringData": map[string]any{"a": "b", "c": int64(1)}, "data": map[string]any{"d": "ZQ=="}}
	}
	object := written()
	StringDataAsData(object)
	if diff := cmp.Diff(written(), object); diff != "" {
		t.Errorf("object (-want +got):\n%s", diff)
	}
}

// A part overrides the manifest, whether they write a key in data or in stringData.
func TestOverlayOfStringData(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ base, part, want string }{
		"both as stringData":       {"stringData: {a: one, b: one}", "stringData: {a: two}", "data: {a: dHdv, b: b25l}"},
		"stringData over data":     {"data: {a: b25l, b: b25l}", "stringData: {a: two}", "data: {a: dHdv, b: b25l}"},
		"data over stringData":     {"stringData: {a: one, b: one}", "data: {a: dHdv}", "data: {a: dHdv, b: b25l}"},
		"stringData over nothing":  {"", "stringData: {a: two}", "data: {a: dHdv}"},
		"both at once in the part": {"", "stringData: {a: two}\ndata: {a: b25l}", "data: {a: dHdv}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := Parse(opaque + tc.base)
			if err != nil {
				t.Fatal(err)
			}
			part, err := ParsePartial(tc.part)
			if err != nil {
				t.Fatal(err)
			}
			got, fields, err := base.Overlay(part)
			if err != nil {
				t.Fatal(err)
			}
			want, err := decode(opaque + tc.want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.Object); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([][]string{{"data", "a"}}, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsSecret(t *testing.T) {
	t.Parallel()
	for id, want := range map[Identity]bool{
		{APIVersion: "v1", Kind: "Secret"}: true, {APIVersion: "v1", Kind: "ConfigMap"}: false, {APIVersion: "example.com/v1", Kind: "Secret"}: false,
	} {
		if got := id.IsSecret(); got != want {
			t.Errorf("%v: %t", id, got)
		}
	}
}

// decode returns a document as it is.
func decode(text string) (map[string]any, error) {
	part, err := ParsePartial(text)
	return part, err
}
