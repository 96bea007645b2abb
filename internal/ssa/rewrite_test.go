package ssa

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const both = `{"f:data":{"f:a":{},"f:b":{}}}`

// TestRewriteClaims holds when requests are sent and repeated; that the server honours them is tested on one.
func TestRewriteClaims(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		ignore []string
		owns   string
		// conflicts is how often somebody writes in between.
		conflicts int
		// fresh is what each GET answers.
		fresh   func(attempt int) (*unstructured.Unstructured, error)
		patches []string
		want    Reason
	}{
		"nothing is ignored":          {owns: both},
		"what is ignored is not ours": {ignore: []string{"data.b"}, owns: `{"f:data":{"f:a":{}}}`},
		"a field is released":         {ignore: []string{"data.b"}, owns: both, patches: []string{`1 {"f:data":{"f:a":{}}}`}},
		"a write in between is met with the newer version": {
			ignore: []string{"data.b"}, owns: both, conflicts: 2,
			fresh: func(n int) (*unstructured.Unstructured, error) {
				return live("u", string(rune('1'+n)), owning(both)), nil
			},
			patches: []string{`1 {"f:data":{"f:a":{}}}`, `2 {"f:data":{"f:a":{}}}`, `3 {"f:data":{"f:a":{}}}`},
		},
		"a write in between that took the field leaves nothing to do": {
			ignore: []string{"data.b"}, owns: both, conflicts: 1,
			fresh: func(int) (*unstructured.Unstructured, error) {
				return live("u", "2", owning(`{"f:data":{"f:a":{}}}`)), nil
			},
			patches: []string{`1 {"f:data":{"f:a":{}}}`},
		},
		"an object that was created again is not touched": {
			ignore: []string{"data.b"}, owns: both, conflicts: 1,
			fresh:   func(int) (*unstructured.Unstructured, error) { return live("v", "2", owning(both)), nil },
			patches: []string{`1 {"f:data":{"f:a":{}}}`}, want: ReasonConflict,
		},
		"an object that is gone in the meantime": {
			ignore: []string{"data.b"}, owns: both, conflicts: 1,
			fresh:   func(int) (*unstructured.Unstructured, error) { return nil, failing(ReasonNotFound) },
			patches: []string{`1 {"f:data":{"f:a":{}}}`}, want: ReasonNotFound,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var patches []string
			attempts := 0
			cluster := stub{
				get: func() (*unstructured.Unstructured, error) { attempts++; return tt.fresh(attempts) },
				replace: func(version string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					patches = append(patches, version+" "+entries[0].FieldsV1.GetRawString())
					if len(patches) <= tt.conflicts {
						return nil, failing(ReasonConflict)
					}
					return live("u", "released", entries), nil
				},
			}
			got, err := rewriteClaims(t.Context(), cluster, config, live("u", "1", owning(tt.owns)), intending(t, tt.ignore...).afterApply)
			if ReasonOf(err) != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if got == nil {
				t.Fatal("no object")
			}
			if diff := cmp.Diff(tt.patches, patches); diff != "" {
				t.Errorf("patches (-want +got):\n%s", diff)
			}
			if released := got.GetResourceVersion() == "released"; released != (len(patches) > tt.conflicts) {
				t.Errorf("version %q after %d patches", got.GetResourceVersion(), len(patches))
			}
		})
	}
}

// TestRewriteEndsWithItsContext holds that a rewrite does not outlive its timeout, however busy the
// object is.
func TestRewriteEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	patches := 0
	cluster := stub{
		get: func() (*unstructured.Unstructured, error) {
			if ctx.Err() != nil {
				return nil, failing(ReasonTimeout)
			}
			return live("u", "2", owning(both)), nil
		},
		replace: func(string, []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			if patches++; patches == 10 {
				cancel()
			}
			return nil, failing(ReasonConflict)
		},
	}
	_, err := rewriteClaims(ctx, cluster, config, live("u", "1", owning(both)), intending(t, "data.b").afterApply)
	if ReasonOf(err) != ReasonTimeout || patches != 10 {
		t.Errorf("%v after %d patches", err, patches)
	}
}

// TestCreateObjectKeepsWhatWasCreated holds that an object which exists is in the result, whatever fails
// after it was created.
func TestCreateObjectKeepsWhatWasCreated(t *testing.T) {
	t.Parallel()
	unreadable := owning(both)
	unreadable[0].FieldsType = "FieldsV2"
	tests := map[string]struct {
		answer   Applied
		release  error
		incident string
		state    map[string]string
	}{
		"nothing fails": {
			answer: Applied{Object: live("u", "1", owning(both)), Outcome: Created},
			state:  map[string]string{"data.a": "1"},
		},
		"the release fails": {
			answer: Applied{Object: live("u", "1", owning(both)), Outcome: Created}, release: failing(ReasonForbidden),
			incident: `The object was created, but its ignored fields are still owned by "k8sconnect": ConfigMap shop/web (v1): ` +
				"the server said Forbidden. The next apply releases them.",
			state: map[string]string{"data.a": "1"},
		},
		"somebody else created it in between": {
			answer:   Applied{Object: live("u", "1", owning(both)), Outcome: Updated},
			incident: "Somebody created the object between the plan and the apply. The apply adopted it.",
			state:    map[string]string{"data.a": "1"},
		},
		"its owners cannot be read": {
			answer:   Applied{Object: live("u", "1", unreadable), Outcome: Created},
			incident: "The object was created, but its attributes cannot be shown: ",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := stub{
				apply: func(ApplyOptions) (Applied, error) { return tt.answer, nil },
				replace: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					return live("u", "2", entries), tt.release
				},
			}
			planned := Plan{Object: config, State: &PlannedState{}}
			observed, warnings, err := CreateObject(t.Context(), cluster, intending(t, "data.b"), planned, &RunRegistry{})
			if err != nil {
				t.Fatal(err)
			}
			if observed.UID != "u" || observed.Snapshot.UID != "u" || observed.Object != config || observed.Snapshot.Object != config {
				t.Errorf("observed %#v", observed)
			}
			if diff := cmp.Diff(tt.state, observed.ManagedState); diff != "" {
				t.Errorf("managed state (-want +got):\n%s", diff)
			}
			told := false
			for _, incident := range warnings {
				told = told || tt.incident != "" && strings.HasPrefix(string(incident), tt.incident)
			}
			if told != (tt.incident != "") || !told && len(warnings) > 0 {
				t.Errorf("incidents %q, want %q", warnings, tt.incident)
			}
		})
	}
}

// TestCreateObjectWithoutForecast holds that an object which the plan could not ask for is asked for
// before it is created, and that the wait for its namespace starts over with that question.
func TestCreateObjectWithoutForecast(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answers []any
		want    []string
		failure string
	}{
		"it is new":                  {[]any{Created, Created}, []string{"dry-run", "apply"}, ""},
		"its namespace is to come":   {[]any{failing(ReasonNamespaceNotFound), Created, Created}, []string{"dry-run", "dry-run", "apply"}, ""},
		"it exists":                  {[]any{Updated}, []string{"dry-run"}, "ConfigMap shop/web (v1) already exists"},
		"its dry-run is refused":     {[]any{failing(ReasonInvalid)}, []string{"dry-run"}, "ConfigMap shop/web (v1): the server said Invalid"},
		"its creation is refused":    {[]any{Created, failing(ReasonForbidden)}, []string{"dry-run", "apply"}, "ConfigMap shop/web (v1): the server said Forbidden"},
		"its namespace goes at once": {[]any{Created, failing(ReasonNamespaceNotFound), Created, Created}, []string{"dry-run", "apply", "dry-run", "apply"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls []string
			cluster := stub{apply: func(opts ApplyOptions) (Applied, error) {
				answer := tt.answers[len(calls)]
				calls = append(calls, map[bool]string{true: "dry-run", false: "apply"}[opts.DryRun])
				if err, is := answer.(error); is {
					return Applied{}, err
				}
				return Applied{Object: live("u", "1", owning(both)), Outcome: answer.(Outcome)}, nil
			}}
			observed, _, err := CreateObject(t.Context(), cluster, intending(t), Plan{Object: config}, &RunRegistry{})
			if diff := cmp.Diff(tt.want, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if tt.failure == "" {
				if err != nil || observed.UID != "u" {
					t.Errorf("observed %q: %v", observed.UID, err)
				}
				return
			}
			var exists *AlreadyExistsError
			if err == nil || err.Error() != tt.failure || errors.As(err, &exists) != strings.Contains(tt.failure, "exists") {
				t.Errorf("error %v, want %s", err, tt.failure)
			}
		})
	}
}
