package ownership

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// TestPredictLosses checks what other managers lose in addition to the fields that are taken from them.
func TestPredictLosses(t *testing.T) {
	t.Parallel()
	const item = `{"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:n":{}}}}`
	tests := map[string]struct {
		before []metav1.ManagedFieldsEntry
		fields string
		// whole are the fields whose live value has no parts, replaces those whose value in the body has none.
		whole, replaces, differs []string
		// absent are the fields of other managers without a live value.
		absent               []string
		want, taken, removed []string
	}{
		"the leaves of an item that goes, without its keys": {
			before: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 1, item),
				entry("kubectl", updates, 2, `{"f:l":{"k:{\"n\":\"a\"}":{"f:env":{".":{},"k:{\"n\":\"T\"}":{".":{},"f:n":{},"f:v":{}},"k:{\"n\":\"U\"}":{".":{},"f:n":{}}},"f:n":{}}}}`),
				entry("tuner", applies, 2, `{"f:l":{"k:{\"n\":\"a\"}":{"f:env":{"k:{\"n\":\"T\"}":{"f:v":{}}}}}}`),
			},
			fields: `{}`,
			removed: []string{
				`l[n="a"].env[n="T"].v with l[n="a"] from "kubectl" using apps/v1, "tuner"`,
				`l[n="a"].env[n="U"] with l[n="a"] from "kubectl" using apps/v1`,
			},
		},
		"an item that others hold stays": {
			before: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 1, item), entry("kubectl", updates, 2, `{"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:x":{}}}}`),
			},
			fields: `{}`,
			want:   []string{`Update "kubectl" using apps/v1 {"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:x":{}}}}`},
		},
		"a value becomes a map": {
			before: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 2, `{"f:free":{"f:cfg":{},"f:x":{}}}`)},
			fields: `{"f:free":{"f:cfg":{".":{},"f:x":{}}}}`, whole: []string{"free.cfg"},
			want: []string{
				`Apply "k8sconnect" {"f:free":{"f:cfg":{".":{},"f:x":{}}}}`, `Update "kubectl" using apps/v1 {"f:free":{"f:x":{}}}`,
			},
			taken: []string{`free.cfg from "kubectl" using apps/v1`},
		},
		"a map that others hold by itself gets parts": {
			before: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 2, `{"f:cfg":{}}`)},
			fields: `{"f:cfg":{".":{},"f:x":{}}}`,
			want:   []string{`Apply "k8sconnect" {"f:cfg":{".":{},"f:x":{}}}`, `Update "kubectl" using apps/v1 {"f:cfg":{}}`},
		},
		"a map that others hold, and that has no value, comes into being with our parts": {
			before: []metav1.ManagedFieldsEntry{entry("argocd", applies, 2, `{"f:cfg":{},"f:x":{}}`)},
			fields: `{"f:cfg":{"f:y":{}}}`, absent: []string{"cfg"},
			want:  []string{`Apply "argocd" {"f:x":{}}`, `Apply "k8sconnect" {"f:cfg":{"f:y":{}}}`},
			taken: []string{`cfg from "argocd"`},
		},
		"a map becomes a value": {
			before: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 1, `{"f:cfg":{".":{},"f:x":{}}}`),
				entry("kubectl", updates, 2, `{"f:cfg":{".":{},"f:y":{}},"f:z":{}}`),
				entry("tuner", updates, 2, `{"f:cfg":{"f:w":{"f:v":{}}}}`),
			},
			fields: `{"f:cfg":{}}`, differs: []string{"cfg"}, replaces: []string{"cfg"},
			want:    []string{`Apply "k8sconnect" {"f:cfg":{}}`, `Update "kubectl" using apps/v1 {"f:z":{}}`},
			taken:   []string{`cfg from "kubectl" using apps/v1`},
			removed: []string{`cfg.w.v with cfg from "tuner" using apps/v1`, `cfg.y with cfg from "kubectl" using apps/v1`},
		},
		"an empty map is merged": {
			before: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 2, `{"f:cfg":{".":{},"f:y":{}}}`)},
			fields: `{"f:cfg":{}}`,
			want:   []string{`Apply "k8sconnect" {"f:cfg":{}}`, `Update "kubectl" using apps/v1 {"f:cfg":{".":{},"f:y":{}}}`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			among := func(texts []string) func(paths.Path) bool {
				return func(path paths.Path) bool { return slices.Contains(texts, paths.Format(path)) }
			}
			predicted := parse(t, tt.before...).Predict(Apply{
				Manager: Manager{Name: "k8sconnect", Operation: applies, APIVersion: "apps/v1"}, Fields: set(t, tt.fields),
				Differs: among(tt.differs), IsWhole: among(tt.whole), IsAbsent: among(tt.absent), Replaces: among(tt.replaces),
			})
			if diff := cmp.Diff(tt.want, summary(t, predicted.After)); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.taken, describe(predicted.Taken)); diff != "" {
				t.Errorf("taken (-want +got):\n%s", diff)
			}
			var removed []string
			for _, one := range predicted.Removed {
				text := describe([]Taken{{Path: one.Path, From: one.From}})[0]
				removed = append(removed, strings.Replace(text, " from ", " with "+paths.Format(one.With)+" from ", 1))
			}
			if diff := cmp.Diff(tt.removed, removed); diff != "" {
				t.Errorf("removed (-want +got):\n%s", diff)
			}
		})
	}
}

// With the last label that managers own, the labels go, and not the metadata around them, which has the name.
func TestMetadataStays(t *testing.T) {
	t.Parallel()
	own := entry("one", applies, 1, `{"f:metadata":{"f:labels":{"f:team":{}},"f:name":{}},"f:data":{"f:a":{}}}`)
	ours := parse(t, own).Fields()
	var got []string
	paths.Walk(OutermostLeaving(ours, paths.NewSet()), func(path paths.Path, _ bool) { got = append(got, paths.Format(path)) })
	if diff := cmp.Diff([]string{"data", "metadata.labels"}, got); diff != "" {
		t.Errorf("leaving (-want +got):\n%s", diff)
	}
}
