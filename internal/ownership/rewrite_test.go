package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestRelease(t *testing.T) {
	t.Parallel()
	kubectl := entry("kubectl", updates, 1, `{"f:spec":{"f:replicas":{}}}`)
	scale := through("scale", entry("k8sconnect", applies, 1, `{"f:spec":{"f:replicas":{}}}`))
	tests := map[string]struct {
		entries []metav1.ManagedFieldsEntry
		fields  string
		want    []metav1.ManagedFieldsEntry
	}{
		"a field leaves our entry and nobody else's": {
			entries: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 2, `{"f:spec":{"f:paused":{},"f:replicas":{}}}`),
				scale, entry("k8sconnect", updates, 3, `{"f:spec":{"f:replicas":{}}}`), kubectl,
			},
			fields: `{"f:spec":{"f:replicas":{}}}`,
			want: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 2, `{"f:spec":{"f:paused":{}}}`),
				scale, entry("k8sconnect", updates, 3, `{"f:spec":{"f:replicas":{}}}`), kubectl,
			},
		},
		"an entry that is emptied is dropped": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:spec":{"f:replicas":{}}}`), kubectl},
			fields:  `{"f:spec":{"f:replicas":{}}}`,
			want:    []metav1.ManagedFieldsEntry{kubectl},
		},
		"the last entry leaves an empty list, which the server honours, and not nil, which it does not": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:data":{"f:a":{}}}`)},
			fields:  `{"f:data":{"f:a":{}}}`,
			want:    []metav1.ManagedFieldsEntry{},
		},
		"a list item is released with its members": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1,
				`{"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}},"k:{\"name\":\"b\"}":{".":{},"f:name":{}}}}`)},
			fields: `{"f:l":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}`,
			want: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1,
				`{"f:l":{"k:{\"name\":\"b\"}":{".":{},"f:name":{}}}}`)},
		},
		"what is not held changes nothing": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:a":{}}`), kubectl},
			fields:  `{"f:b":{},"f:spec":{"f:replicas":{}}}`,
			want:    []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:a":{}}`), kubectl},
		},
		"status that our entry holds stays": {
			entries: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:a":{},"f:status":{"f:x":{}}}`)},
			fields:  `{"f:a":{}}`,
			want:    []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:status":{"f:x":{}}}`)},
		},
		"no entry of ours": {
			entries: []metav1.ManagedFieldsEntry{kubectl},
			fields:  `{"f:spec":{"f:replicas":{}}}`,
			want:    []metav1.ManagedFieldsEntry{kubectl},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var before []metav1.ManagedFieldsEntry
			for _, e := range tt.entries {
				before = append(before, *e.DeepCopy())
			}
			got, err := Rewrite{Manager: "k8sconnect", Release: set(t, tt.fields)}.Entries(tt.entries)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, tt.entries); diff != "" {
				t.Errorf("the entries given were mutated (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReleaseOfUnreadableFields(t *testing.T) {
	t.Parallel()
	_, err := Rewrite{Manager: "k8sconnect", Release: set(t, `{"f:a":{}}`)}.Entries(
		[]metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{`)})
	if want := `managedFields entry of "k8sconnect": fieldsV1 is not valid JSON`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
