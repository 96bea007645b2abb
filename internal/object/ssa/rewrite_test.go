package ssa

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestRewriteClaims holds when requests are sent and repeated. Tests on a real API server show that it honours them.
func TestRewriteClaims(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		ignore []string
		owns   string
		// conflicts is how often another client writes in between.
		conflicts int
		// fresh is what each GET answers.
		fresh   func(attempt int) (*unstructured.Unstructured, error)
		patches []string
		want    cluster.Reason
	}{
		"nothing is ignored":          {owns: clustertest.BothFields},
		"what is ignored is not ours": {ignore: []string{"data.b"}, owns: `{"f:data":{"f:a":{}}}`},
		"a field is released":         {ignore: []string{"data.b"}, owns: clustertest.BothFields, patches: []string{`1 {"f:data":{"f:a":{}}}`}},
		"a write in between is met with the newer version": {
			ignore: []string{"data.b"}, owns: clustertest.BothFields, conflicts: 2,
			fresh: func(n int) (*unstructured.Unstructured, error) {
				return clustertest.Live("u", string(rune('1'+n)), clustertest.Owning(clustertest.BothFields)), nil
			},
			patches: []string{`1 {"f:data":{"f:a":{}}}`, `2 {"f:data":{"f:a":{}}}`, `3 {"f:data":{"f:a":{}}}`},
		},
		"a write in between that took the field leaves nothing to do": {
			ignore: []string{"data.b"}, owns: clustertest.BothFields, conflicts: 1,
			fresh: func(int) (*unstructured.Unstructured, error) {
				return clustertest.Live("u", "2", clustertest.Owning(`{"f:data":{"f:a":{}}}`)), nil
			},
			patches: []string{`1 {"f:data":{"f:a":{}}}`},
		},
		"an object that was created again is not touched": {
			ignore: []string{"data.b"}, owns: clustertest.BothFields, conflicts: 1,
			fresh: func(int) (*unstructured.Unstructured, error) {
				return clustertest.Live("v", "2", clustertest.Owning(clustertest.BothFields)), nil
			},
			patches: []string{`1 {"f:data":{"f:a":{}}}`}, want: cluster.ReasonConflict,
		},
		"an object that is gone in the meantime": {
			ignore: []string{"data.b"}, owns: clustertest.BothFields, conflicts: 1,
			fresh:   func(int) (*unstructured.Unstructured, error) { return nil, clustertest.Failing(cluster.ReasonNotFound) },
			patches: []string{`1 {"f:data":{"f:a":{}}}`}, want: cluster.ReasonNotFound,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var patches []string
			attempts := 0
			api := clustertest.Stub{
				OnGet: func() (*unstructured.Unstructured, error) { attempts++; return tt.fresh(attempts) },
				OnPatch: func(version string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					patches = append(patches, version+" "+entries[0].FieldsV1.GetRawString())
					if len(patches) <= tt.conflicts {
						return nil, clustertest.Failing(cluster.ReasonConflict)
					}
					return clustertest.Live("u", "released", entries), nil
				},
			}
			got, err := record.RewriteClaims(t.Context(), api, clustertest.ConfigMap, clustertest.Live("u", "1", clustertest.Owning(tt.owns)), wanted.For(intending(t, tt.ignore...), record.Prior{}).AfterApply)
			if cluster.ReasonOf(err) != tt.want {
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
	api := clustertest.Stub{
		OnGet: func() (*unstructured.Unstructured, error) {
			if ctx.Err() != nil {
				return nil, clustertest.Failing(cluster.ReasonTimeout)
			}
			return clustertest.Live("u", "2", clustertest.Owning(clustertest.BothFields)), nil
		},
		OnPatch: func(string, []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			if patches++; patches == 10 {
				cancel()
			}
			return nil, clustertest.Failing(cluster.ReasonConflict)
		},
	}
	_, err := record.RewriteClaims(ctx, api, clustertest.ConfigMap, clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), wanted.For(intending(t, "data.b"), record.Prior{}).AfterApply)
	if cluster.ReasonOf(err) != cluster.ReasonTimeout || patches != 10 {
		t.Errorf("%v after %d patches", err, patches)
	}
}

// TestCreateObjectKeepsWhatWasCreated holds that an object which exists is in the result, whatever fails
// after it was created.
func TestCreateObjectKeepsWhatWasCreated(t *testing.T) {
	t.Parallel()
	unreadable := clustertest.Owning(clustertest.BothFields)
	unreadable[0].FieldsType = "FieldsV2"
	tests := map[string]struct {
		answer   cluster.Applied
		release  error
		incident string
		state    map[string]string
	}{
		"nothing fails": {
			answer: cluster.Applied{Object: clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), Outcome: cluster.Created},
			state:  map[string]string{"data.a": "1"},
		},
		"the release fails": {
			answer: cluster.Applied{Object: clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), Outcome: cluster.Created}, release: clustertest.Failing(cluster.ReasonForbidden),
			incident: `The object was created, but its ignored fields are still owned by "k8sconnect": ConfigMap shop/web (v1): ` +
				"the server said Forbidden. The next apply releases them.",
			state: map[string]string{"data.a": "1"},
		},
		"its owners cannot be read": {
			answer:   cluster.Applied{Object: clustertest.Live("u", "1", unreadable), Outcome: cluster.Created},
			incident: "The object was created, but its attributes cannot be shown: ",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{
				OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) { return tt.answer, nil },
				OnPatch: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					return clustertest.Live("u", "2", entries), tt.release
				},
			}
			planned := Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}
			observed, result, err := CreateObject(t.Context(), api, intending(t, "data.b"), planned, &run.Run{})
			if err != nil {
				t.Fatal(err)
			}
			if observed.UID != "u" || observed.Snapshot.UID != "u" || observed.Object != clustertest.ConfigMap || observed.Snapshot.Object != clustertest.ConfigMap {
				t.Errorf("observed %#v", observed)
			}
			if diff := cmp.Diff(tt.state, observed.ManagedState); diff != "" {
				t.Errorf("managed state (-want +got):\n%s", diff)
			}
			told := false
			for _, incident := range result.Warnings {
				told = told || tt.incident != "" && strings.HasPrefix(string(incident), tt.incident)
			}
			if told != (tt.incident != "") || !told && len(result.Warnings) > 0 {
				t.Errorf("incidents %q, want %q", result.Warnings, tt.incident)
			}
		})
	}
}

// TestCreateObjectWithoutPlannedState holds that the apply asks for the object before it creates it if
// the plan could not, and that the wait for the namespace repeats that question.
func TestCreateObjectWithoutPlannedState(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answers []any
		want    []string
		failure string
	}{
		"it is new":                  {[]any{cluster.Created, cluster.Created}, []string{"dry-run", "apply"}, ""},
		"its namespace is to come":   {[]any{clustertest.Failing(cluster.ReasonNamespaceNotFound), cluster.Created, cluster.Created}, []string{"dry-run", "dry-run", "apply"}, ""},
		"it exists":                  {[]any{cluster.Updated}, []string{"dry-run"}, "ConfigMap shop/web (v1) already exists"},
		"its dry-run is refused":     {[]any{clustertest.Failing(cluster.ReasonInvalid)}, []string{"dry-run"}, "ConfigMap shop/web (v1): the server said Invalid"},
		"its creation is refused":    {[]any{cluster.Created, clustertest.Failing(cluster.ReasonForbidden)}, []string{"dry-run", "apply"}, "ConfigMap shop/web (v1): the server said Forbidden"},
		"its namespace goes at once": {[]any{cluster.Created, clustertest.Failing(cluster.ReasonNamespaceNotFound), cluster.Created, cluster.Created}, []string{"dry-run", "apply", "dry-run", "apply"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls []string
			found := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return found, nil }, OnApply: func(opts cluster.ApplyOptions) (cluster.Applied, error) {
				answer := tt.answers[len(calls)]
				calls = append(calls, map[bool]string{true: "dry-run", false: "apply"}[opts.DryRun])
				if err, is := answer.(error); is {
					return cluster.Applied{}, err
				}
				return cluster.Applied{Object: clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), Outcome: answer.(cluster.Outcome)}, nil
			}}
			observed, _, err := CreateObject(t.Context(), &api, intending(t), Plan{Object: clustertest.ConfigMap}, &run.Run{})
			if diff := cmp.Diff(tt.want, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if tt.failure == "" {
				if err != nil || observed.UID != "u" {
					t.Errorf("observed %q: %v", observed.UID, err)
				}
				return
			}
			var exists *run.AlreadyExistsError
			if err == nil || err.Error() != tt.failure || errors.As(err, &exists) != strings.Contains(tt.failure, "exists") {
				t.Errorf("error %v, want %s", err, tt.failure)
			}
		})
	}
}

// Another client that writes between the look and the edit does not keep a map from being emptied.
func TestEmptyContends(t *testing.T) {
	t.Parallel()
	prior := record.Prior{Object: clustertest.ConfigMap, Arguments: intending(t)}
	live := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
	claims, err := record.ClaimsOf(clustertest.ConfigMap, live)
	if err != nil {
		t.Fatal(err)
	}
	prior.Snapshot.UID, prior.Snapshot.AppliedState, prior.Snapshot.Claims = "u", "applied", claims
	patches := 0
	api := clustertest.Stub{
		OnGet: func() (*unstructured.Unstructured, error) { return live, nil },
		OnPatch: func(string, []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			if patches++; patches == 1 {
				return nil, clustertest.Failing(cluster.ReasonConflict)
			}
			return clustertest.Live("u", "3", nil), nil
		},
	}
	refusal := clustertest.Failing(cluster.ReasonInvalid)
	refusal.Details = &cluster.InvalidError{Causes: []metav1.StatusCause{{
		Type: metav1.CauseTypeTypeInvalid, Field: "data", Message: `data in body must be of type object: "null"`,
	}}}
	a := newApply(intending(t), prior)
	if err := a.empty(t.Context(), api, refusal); err != nil || patches != 2 || a.version != "3" {
		t.Errorf("%v after %d patches, with the version %q", err, patches, a.version)
	}
}

// An object of which no manager owns anything gets an entry, without which the server records no owner of later writes.
func TestCreateOfAnObjectWithoutFields(t *testing.T) {
	t.Parallel()
	var sent []metav1.ManagedFieldsEntry
	var refusal error
	api := clustertest.Stub{
		OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
			return cluster.Applied{Object: clustertest.Live("u", "1", nil), Outcome: cluster.Created}, nil
		},
		OnPatch: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			sent = entries
			return clustertest.Live("u", "2", entries), refusal
		},
	}
	args := arguments.Arguments{
		Manifest:     clustertest.Parsed(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: shop}}"),
		FieldManager: "k8sconnect",
	}
	planned := Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}
	observed, result, err := CreateObject(t.Context(), api, args, planned, &run.Run{})
	if err != nil || len(result.Warnings) > 0 || len(sent) != 1 || sent[0].Manager != ownership.BeforeFirstApply {
		t.Errorf("%v, %q, sent %v", err, result.Warnings, sent)
	}
	if len(observed.Snapshot.Claims) != 1 || !observed.Snapshot.Claims[0].IsPlaceholder() {
		t.Errorf("the claims are %v", observed.Snapshot.Claims)
	}
	refusal = clustertest.Failing(cluster.ReasonForbidden)
	_, result, err = CreateObject(t.Context(), api, args, planned, &run.Run{})
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(string(result.Warnings[0]), "records no owners") {
		t.Errorf("%v, %q", err, result.Warnings)
	}
}
