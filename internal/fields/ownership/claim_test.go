package ownership

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestParse(t *testing.T) {
	t.Parallel()
	without := func(change func(*metav1.ManagedFieldsEntry)) metav1.ManagedFieldsEntry {
		e := entry("kubectl", updates, 1, `{"f:data":{"f:a":{}}}`)
		change(&e)
		return e
	}
	tests := map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    []string
		times   []time.Time
	}{
		"no entries are no claims": {},
		"applies and updates, in the server's order": {
			entries: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 2, `{"f:spec":{"f:replicas":{}}}`),
				entry("kubectl", updates, 1, `{"f:spec":{"f:paused":{}}}`),
			},
			want: []string{
				`Apply "k8sconnect" {"f:spec":{"f:replicas":{}}}`,
				`Update "kubectl" using apps/v1 {"f:spec":{"f:paused":{}}}`,
			},
			times: []time.Time{at(2), at(1)},
		},
		"an entry without a time": {
			entries: []metav1.ManagedFieldsEntry{entry("before-first-apply", updates, -1, `{"f:data":{"f:a":{}}}`)},
			want:    []string{`Update "before-first-apply" using apps/v1 {"f:data":{"f:a":{}}}`},
			times:   []time.Time{{}},
		},
		"a subresource makes another manager of the same name": {
			entries: []metav1.ManagedFieldsEntry{
				entry("kubectl", updates, 1, `{"f:spec":{"f:paused":{}}}`),
				through("scale", entry("kubectl", updates, 1, `{"f:spec":{"f:replicas":{}}}`)),
			},
			want: []string{
				`Update "kubectl" using apps/v1 {"f:spec":{"f:paused":{}}}`,
				`Update "kubectl" with subresource "scale" using apps/v1 {"f:spec":{"f:replicas":{}}}`,
			},
			times: []time.Time{at(1), at(1)},
		},
		"status is left out, what was written through it is not": {
			entries: []metav1.ManagedFieldsEntry{through("status", entry("kube-controller-manager", updates, 1,
				`{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}},"f:status":{".":{},"f:replicas":{}}}`))},
			want: []string{`Update "kube-controller-manager" with subresource "status" using apps/v1 ` +
				`{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}}}`},
			times: []time.Time{at(1)},
		},
		"list items at the root are left out": {
			entries: []metav1.ManagedFieldsEntry{entry("note", updates, 1, `{"f:data":{"f:a":{}},"k:{\"a\":1}":{"f:x":{}},"v:1":{},"i:0":{}}`)},
			want:    []string{`Update "note" using apps/v1 {"f:data":{"f:a":{}}}`},
			times:   []time.Time{at(1)},
		},
		"a field called status below the top is kept": {
			entries: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 1, `{"f:data":{"f:status":{}}}`)},
			want:    []string{`Update "kubectl" using apps/v1 {"f:data":{"f:status":{}}}`},
			times:   []time.Time{at(1)},
		},
		"an entry that holds nothing stays, so that claims and entries correspond": {
			entries: []metav1.ManagedFieldsEntry{
				entry("a", applies, 1, `{}`),
				through("status", entry("b", applies, 1, `{"f:status":{}}`)),
				without(func(e *metav1.ManagedFieldsEntry) { e.FieldsV1 = nil }),
				without(func(e *metav1.ManagedFieldsEntry) { e.FieldsV1 = &metav1.FieldsV1{} }),
			},
			want: []string{
				`Apply "a" {}`, `Apply "b" with subresource "status" {}`, `Update "kubectl" using apps/v1 {}`, `Update "kubectl" using apps/v1 {}`,
			},
			times: []time.Time{at(1), at(1), at(1), at(1)},
		},
		"an entry without fieldsType is FieldsV1": {
			entries: []metav1.ManagedFieldsEntry{without(func(e *metav1.ManagedFieldsEntry) { e.FieldsType = "" })},
			want:    []string{`Update "kubectl" using apps/v1 {"f:data":{"f:a":{}}}`},
			times:   []time.Time{at(1)},
		},
		"list items, set members and positions": {
			entries: []metav1.ManagedFieldsEntry{entry("a", applies, 1,
				`{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}},"v:\"red\"":{},"i:0":{}}}`)},
			want:  []string{`Apply "a" {"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}},"v:\"red\"":{},"i:0":{}}}`},
			times: []time.Time{at(1)},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims := parse(t, tt.entries...)
			if diff := cmp.Diff(tt.want, summary(t, claims)); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			var times []time.Time
			for _, claim := range claims {
				times = append(times, claim.Time)
			}
			if diff := cmp.Diff(tt.times, times); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseWithStatus(t *testing.T) {
	t.Parallel()
	claims, err := ParseWithStatus([]metav1.ManagedFieldsEntry{
		through("status", entry("kube-controller-manager", updates, 1, `{"f:spec":{"f:a":{}},"f:status":{".":{},"f:replicas":{}}}`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`Update "kube-controller-manager" with subresource "status" using apps/v1 {"f:spec":{"f:a":{}},"f:status":{".":{},"f:replicas":{}}}`}
	if diff := cmp.Diff(want, summary(t, claims)); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

// Where status is no subresource, it is a field like any other.
func TestParseWithAppliedStatus(t *testing.T) {
	t.Parallel()
	claims, err := Parse([]metav1.ManagedFieldsEntry{
		entry("ours", applies, 1, `{"f:status":{"f:phase":{}}}`),
		entry("kubectl-edit", updates, 2, `{"f:spec":{"f:a":{}},"f:status":{"f:more":{}}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`Apply "ours" {"f:status":{"f:phase":{}}}`, `Update "kubectl-edit" using apps/v1 {"f:spec":{"f:a":{}},"f:status":{"f:more":{}}}`,
	}
	if diff := cmp.Diff(want, summary(t, claims)); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	unknown := entry("flux", applies, 1, `{}`)
	unknown.FieldsType = "FieldsV2"
	tests := map[string]struct {
		entry metav1.ManagedFieldsEntry
		want  string
	}{
		"a type of fields that is not known": {unknown, `managedFields entry of "flux": unknown fieldsType "FieldsV2"`},
		"fields that are not JSON": {
			entry("flux", applies, 1, `{"f:data"`), `managedFields entry of "flux": fieldsV1 is not valid JSON`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := entry("kubectl", updates, 1, `{"f:data":{}}`)
			claims, err := Parse([]metav1.ManagedFieldsEntry{good, tt.entry})
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if claims != nil {
				t.Errorf("claims %v beside an error", claims)
			}
		})
	}
	many := slices.Repeat([]metav1.ManagedFieldsEntry{entry("kubectl", updates, 1, `{"f:data":{}}`)}, 1001)
	if _, err := Parse(many); err == nil || err.Error() != "managedFields has 1001 entries, and at most 1000 are read" {
		t.Errorf("1001 entries: %v", err)
	}
	if claims, err := Parse(many[:1000]); err != nil || len(claims) != 1000 {
		t.Errorf("1000 entries: %d claims, %v", len(claims), err)
	}
}

func TestManagerString(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		manager Manager
		want    string
	}{
		"an applier":                 {Manager{Name: "flux", Operation: applies, APIVersion: "v1"}, `"flux"`},
		"an updater":                 {Manager{Name: "kubectl", Operation: updates, APIVersion: "apps/v1"}, `"kubectl" using apps/v1`},
		"an updater without version": {Manager{Name: "kubectl", Operation: updates}, `"kubectl"`},
		"through a subresource": {
			Manager{Name: "kubectl", Operation: updates, APIVersion: "apps/v1", Subresource: "scale"},
			`"kubectl" with subresource "scale" using apps/v1`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.manager.String(); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestOwn checks that only our applies are ours: the same name with another operation or a subresource is
// another manager.
func TestOwn(t *testing.T) {
	t.Parallel()
	claims := parse(t,
		through("scale", entry("k8sconnect", applies, 1, `{"f:a":{}}`)),
		entry("k8sconnect", applies, 1, `{"f:b":{}}`),
		entry("k8sconnect", updates, 1, `{"f:c":{}}`),
		entry("kubectl", updates, 1, `{"f:d":{}}`),
	)
	if own := claims.Own("k8sconnect"); !own.Equals(set(t, `{"f:b":{}}`)) {
		t.Errorf("own fields %s", own)
	}
	if own := claims.Own("argocd"); !own.Empty() {
		t.Errorf("own fields of a stranger %s", own)
	}
	others := claims.Others("k8sconnect")
	if len(others) != 3 || !others.Fields().Equals(set(t, `{"f:a":{},"f:c":{},"f:d":{}}`)) {
		t.Errorf("others %v", others)
	}
	if all := claims.Fields(); !all.Equals(set(t, `{"f:a":{},"f:b":{},"f:c":{},"f:d":{}}`)) {
		t.Errorf("all fields %s", all)
	}
}

func TestAuthored(t *testing.T) {
	t.Parallel()
	field := `{"f:data":{"f:a":{}}}`
	tests := map[string]struct {
		entry    metav1.ManagedFieldsEntry
		authored bool
	}{
		"kubectl edit":                         {entry("kubectl-edit", updates, 1, field), true},
		"a client-side apply":                  {entry("kubectl-client-side-apply", updates, 1, field), true},
		"before the first apply":               {entry("before-first-apply", updates, 1, field), true},
		"Helm":                                 {entry("helm", updates, 1, field), true},
		"an applier called like a controller":  {entry("kustomize-controller", applies, 1, field), true},
		"a person who scales":                  {through("scale", entry("kubectl", updates, 1, field)), false},
		"an applier through a subresource":     {through("status", entry("flux", applies, 1, field)), false},
		"the control plane":                    {entry("kube-controller-manager", updates, 1, field), false},
		"an applier that is the control plane": {entry("kubelet", applies, 1, field), false},
		"a controller by its name":             {entry("cert-manager-controller", updates, 1, field), false},
		"an operator by its name":              {entry("prometheus-operator", updates, 1, field), false},
		"an injecting webhook by its name":     {entry("sidecar-injector", updates, 1, field), false},
		"a name that only contains controller": {entry("controllers-team", updates, 1, field), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims := parse(t, tt.entry, entry("ci", updates, 2, `{"f:data":{"f:b":{}}}`))
			want := set(t, `{"f:data":{"f:b":{}}}`)
			if tt.authored {
				want = want.Union(set(t, field))
			}
			if got := claims.Authored(); !got.Equals(want) {
				t.Errorf("authored %s, want %s", got, want)
			}
		})
	}
}
