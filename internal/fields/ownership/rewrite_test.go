package ownership

import (
	"testing"
	"time"

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

// TestTakeOver checks which managers lose claims, and on which fields.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	const container = `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{},"f:resources":{}}}}}`
	tests := map[string]struct {
		entry   metav1.ManagedFieldsEntry
		rewrite Rewrite
		// want is "" if the entry is removed.
		want string
	}{
		"declared fields and nothing else": {
			entry:   entry("kubectl-create", updates, 1, `{"f:spec":{"f:paused":{},"f:replicas":{}},"f:status":{"f:replicas":{}}}`),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:replicas":{}}}`)},
			want:    `{"f:spec":{"f:paused":{}},"f:status":{"f:replicas":{}}}`,
		},
		"an item is declared, and its other fields stay": {
			entry:   entry("kubectl-create", updates, 1, container),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{}}}}}`)},
			want:    `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:resources":{}}}}}`,
		},
		"what is removed goes with all that is inside": {
			entry:   entry("kubectl-create", updates, 1, `{"f:spec":{"f:probe":{"f:http":{".":{},"f:scheme":{}},"f:period":{}},"f:x":{}}}`),
			rewrite: Rewrite{Removed: set(t, `{"f:spec":{"f:probe":{}}}`)},
			want:    `{"f:spec":{"f:x":{}}}`,
		},
		"what the server has filled in again goes for all": {
			entry:   entry("hpa", updates, 1, `{"f:spec":{"f:probe":{".":{},"f:period":{}},"f:x":{}}}`),
			rewrite: Rewrite{Refilled: set(t, `{"f:spec":{"f:probe":{}}}`)},
			want:    `{"f:spec":{"f:x":{}}}`,
		},
		"everything is declared": {
			entry:   entry("kubectl-create", updates, 1, `{"f:spec":{"f:replicas":{}}}`),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:replicas":{}}}`)},
		},
		"a manager that is not listed": {
			entry:   entry("hpa", updates, 1, `{"f:spec":{"f:replicas":{}}}`),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:replicas":{}}}`)},
			want:    `{"f:spec":{"f:replicas":{}}}`,
		},
		"an applier of a listed name": {
			entry:   entry("kubectl-create", applies, 1, `{"f:spec":{"f:paused":{},"f:replicas":{}}}`),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:replicas":{}}}`)},
			want:    `{"f:spec":{"f:paused":{}}}`,
		},
		"a subresource of a listed name": {
			entry:   through("scale", entry("kubectl-create", updates, 1, `{"f:spec":{"f:replicas":{}}}`)),
			rewrite: Rewrite{Declared: set(t, `{"f:spec":{"f:replicas":{}}}`)},
			want:    `{"f:spec":{"f:replicas":{}}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rewrite := tt.rewrite
			rewrite.Manager, rewrite.TakeOver = "k8sconnect", []string{"kubectl-create"}
			got, err := rewrite.Entries([]metav1.ManagedFieldsEntry{tt.entry})
			if err != nil {
				t.Fatal(err)
			}
			want := []metav1.ManagedFieldsEntry{}
			if tt.want != "" {
				kept := tt.entry
				kept.FieldsV1 = metav1.NewFieldsV1(tt.want)
				want = append(want, kept)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRename checks that claims move to the new name as one entry, and no other manager's do.
func TestRename(t *testing.T) {
	t.Parallel()
	kubectl := entry("kubectl", updates, 5, `{"f:a":{}}`)
	byUpdate := entry("old", updates, 4, `{"f:a":{}}`)
	tests := map[string]struct {
		entries, want []metav1.ManagedFieldsEntry
		release       string
	}{
		"the only claim": {
			entries: []metav1.ManagedFieldsEntry{entry("old", applies, 1, `{"f:a":{}}`), byUpdate, kubectl},
			want:    []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{}}`), byUpdate, kubectl},
		},
		"the new name has a claim": {
			entries: []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{}}`), entry("old", applies, 2, `{"f:b":{}}`), kubectl},
			want:    []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{},"f:b":{}}`), kubectl},
		},
		"the old claim stands first": {
			entries: []metav1.ManagedFieldsEntry{entry("old", applies, 1, `{"f:a":{}}`), entry("new", applies, 2, `{"f:b":{}}`)},
			want:    []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{},"f:b":{}}`)},
		},
		"a field is released on the way": {
			entries: []metav1.ManagedFieldsEntry{entry("old", applies, 1, `{"f:a":{},"f:b":{}}`), kubectl},
			release: `{"f:b":{}}`,
			want:    []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{}}`), kubectl},
		},
		"the old name has none": {
			entries: []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{}}`), kubectl},
			want:    []metav1.ManagedFieldsEntry{entry("new", applies, 1, `{"f:a":{}}`), kubectl},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rewrite := Rewrite{Manager: "new", PreviousManager: "old"}
			if tt.release != "" {
				rewrite.Release = set(t, tt.release)
			}
			got, err := rewrite.Entries(tt.entries)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			before, err := Parse(tt.entries)
			if err != nil {
				t.Fatal(err)
			}
			after, err := Parse(got)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(summary(t, after), summary(t, rewrite.Claims(before))); diff != "" {
				t.Errorf("claims and entries do not agree (-entries +claims):\n%s", diff)
			}
			if rewrite.Changes(before) != (cmp.Diff(tt.entries, got) != "") {
				t.Errorf("changes: %t", rewrite.Changes(before))
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

// A rewrite that ends the last claim leaves a placeholder, which is no owner of any field; one that leaves a claim, and one
// that had nothing to end, do not.
func TestPlaceholder(t *testing.T) {
	t.Parallel()
	ours, bob := entry("k8sconnect", applies, 1, `{"f:a":{}}`), entry("bob", updates, 1, `{"f:b":{}}`)
	rewrite := Rewrite{Manager: "k8sconnect", Release: set(t, `{"f:a":{}}`), Tracks: true}
	for name, test := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"the last claim":      {[]metav1.ManagedFieldsEntry{ours}, BeforeFirstApply},
		"others own fields":   {[]metav1.ManagedFieldsEntry{ours, bob}, "bob"},
		"nobody owns a field": {nil, ""},
	} {
		after, err := rewrite.Entries(test.entries)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, entry := range after {
			got += entry.Manager
		}
		if got != test.want {
			t.Errorf("%s: left %q, want %q", name, got, test.want)
		}
		claims, err := Parse(after)
		if err != nil {
			t.Fatal(err)
		}
		if owners := claims.CoOwners(claims.Formatter()); test.want == BeforeFirstApply && (len(owners) > 0 || !claims[0].IsPlaceholder()) {
			t.Errorf("%s: %v own fields", name, owners)
		}
	}
}

// A rewrite gives our entry a time if it has none: the present, and never one before that of another entry. Other
// entries keep what they have.
func TestRewriteDates(t *testing.T) {
	t.Parallel()
	timeless := entry("k8sconnect", applies, -1, `{"f:a":{}}`)
	scale := through("scale", entry("kubectl", updates, -1, `{"f:c":{}}`))
	kubectl := entry("kubectl", updates, 50, `{"f:a":{},"f:b":{}}`)
	for name, test := range map[string]struct {
		ours  metav1.ManagedFieldsEntry
		at    time.Time
		after time.Duration // Of the time of kubectl.
	}{
		"an entry without a time":          {timeless, kubectl.Time.Add(9*time.Second + 1), 9 * time.Second},
		"the clock is behind the server's": {timeless, kubectl.Time.Add(-time.Hour), 0},
		"an entry with a time":             {entry("k8sconnect", applies, 40, `{"f:a":{}}`), kubectl.Time.Add(time.Hour), -10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rewrite := Rewrite{Manager: "k8sconnect", TakeOver: []string{"kubectl"}, Declared: set(t, `{"f:a":{}}`), Now: test.at}
			after, err := rewrite.Entries([]metav1.ManagedFieldsEntry{test.ours, kubectl, scale})
			if err != nil {
				t.Fatal(err)
			}
			if got := after[0].Time; got == nil || got.Sub(kubectl.Time.Time) != test.after {
				t.Errorf("our entry is of %v, and kubectl's of %v", got, kubectl.Time)
			}
			if !after[1].Time.Equal(kubectl.Time) || after[2].Time != nil {
				t.Errorf("the times of others are %v and %v", after[1].Time, after[2].Time)
			}
		})
	}
}
