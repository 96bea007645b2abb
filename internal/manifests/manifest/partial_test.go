package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const whole = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b, labels: {x: y}}\ndata: {kept: k, replaced: r}\nlist: [1, 2]\nempty: {}\n"

func TestOverlay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		part   string
		want   string
		fields [][]string
	}{
		"maps are merged": {
			"data: {replaced: n, added: a}", strings.Replace(whole, "replaced: r", "replaced: n, added: a", 1),
			[][]string{{"data", "added"}, {"data", "replaced"}},
		},
		"lists are replaced":               {"list: [3]", strings.Replace(whole, "1, 2", "3", 1), [][]string{{"list"}}},
		"maps are added":                   {"new: {a: {b: c}, d: {}}", whole + "new: {a: {b: c}, d: {}}\n", [][]string{{"new", "a", "b"}, {"new", "d"}}},
		"an empty map adds nothing to one": {"data: {}", whole, nil},
		"a value replaces a map":           {"data: x", strings.Replace(whole, "{kept: k, replaced: r}", "x", 1), [][]string{{"data"}}},
		"null is absent":                   {"data: null", whole, nil},
		"the same identity":                {"apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b, labels: {z: s}}", strings.Replace(whole, "x: y", "x: y, z: s", 1), [][]string{{"metadata", "labels", "z"}}},
		"JSON":                             {`{"data": {"kept": "j"}}`, strings.Replace(whole, "kept: k", "kept: j", 1), [][]string{{"data", "kept"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := Parse(whole)
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
			want, err := Parse(tc.want)
			if err != nil {
				t.Fatal(err)
			}
			want.Text = "" // Nobody wrote the merged one.
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Error{})); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.fields, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			if again, _ := Parse(whole); !Equal(again, base) {
				t.Error("the manifest was changed")
			}
		})
	}
}

// Faults of a secret text quote nothing of it.
func TestPartialFaultsQuoteNothing(t *testing.T) {
	t.Parallel()
	base, err := Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"a: hunter2: b", "a: {hunter2", "a: 'hunter2", "hunter2", "- hunter2", "a: *hunter2", "hunter2: 1\nhunter2: 2", "a: !hunter2 {", "a: !!int hunter2",
		"{a: hunter2}\n---\n{}", "", "# hunter2", "\thunter2: a", "kind: hunter2", "metadata: {name: hunter2}", "metadata: {namespace: hunter2}",
		"apiVersion: hunter2", "metadata: {uid: hunter2}", "metadata: hunter2", "a: .nan #hunter2", "<<: hunter2", "? [hunter2]\n: b",
	} {
		part, err := ParsePartial(text)
		if err == nil {
			_, _, err = base.Overlay(part)
		}
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
