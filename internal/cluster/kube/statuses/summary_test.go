package statuses_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// shown are the words for a Secret, with a mark at fields that the kind does not have.
var shown = statuses.Words{
	Of: manifest.Identity{Kind: "Secret", Namespace: "n", Name: "x"},
	Field: func(field string, unknown bool) string {
		if unknown {
			return field + "?"
		}
		return field
	},
	OwnedField: func(field string) string { return field },
}

const note = "Its message is not shown, because the object has secret values. To see it, run kubectl get secret/x -n n"

// A summary names who refuses an object, the reason, the fields and the kinds of failure. The secret is s.
func TestSummary(t *testing.T) {
	t.Parallel()
	several := invalid("data", `Forbidden: field is immutable when s`)
	several.Details.Causes = append(several.Details.Causes, metav1.StatusCause{
		Type: metav1.CauseTypeFieldValueRequired, Field: "spec.size", Message: "Required value: s",
	})
	webhook := invalid("data.s", "s")
	webhook.Message = `admission webhook "w.example.com" denied the request: policy 's' denied request: s`
	for name, tc := range map[string]struct {
		status metav1.Status
		want   string
	}{
		"two fields": {several, "the API server refuses it: Invalid, field data (cannot be changed), field spec.size (Required value)"},
		"a policy": {
			metav1.Status{Message: `secrets "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: s`},
			"the ValidatingAdmissionPolicy p refuses it",
		},
		"a policy that changes objects": {
			metav1.Status{Message: `secrets "x" is forbidden: policy 'p' with binding 'b' denied request: s`}, "the MutatingAdmissionPolicy p refuses it",
		},
		"a webhook with causes":    {webhook, "the admission webhook w.example.com refuses it"},
		"a name that is no name":   {metav1.Status{Message: `admission webhook "s s" denied the request: s`}, "the admission webhook refuses it"},
		"a webhook that fails":     {metav1.Status{Message: `Internal error occurred: failed calling webhook "w": s`}, "the admission webhook w fails"},
		"a conversion":             {metav1.Status{Message: `conversion webhook for a/v1, Kind=A failed: s`}, "the conversion webhook of its kind fails"},
		"a conversion in an apply": {metav1.Status{Message: `failed to convert live object (n/x; a/v1, Kind=A) to proper version: conversion webhook for a/v1, Kind=A failed: s`}, "the conversion webhook of its kind fails"},
		"a conversion to nothing":  {metav1.Status{Message: `conversion webhook for a/v1, Kind=A returned invalid object: s`}, "the conversion webhook of its kind fails"},
		"an admission plugin":      {metav1.Status{Reason: "Forbidden", Message: `secrets "x" is forbidden: s`}, "the API server refuses it: Forbidden"},
		"a quota":                  {metav1.Status{Reason: "Forbidden", Message: `secrets "x" is forbidden: exceeded quota: q, requested: s`}, "the API server refuses it: Forbidden, exceeded quota: q"},
		"a failure":                {metav1.Status{Code: 503, Message: "s"}, "the API server failed: 503"},
		"a patch that is unread":   {invalid("patch", `the server cannot read the patched object: unknown field "dta"`), `the API server refuses it: Invalid, unknown field "dta?"`},
		"an unknown field":         {metav1.Status{Reason: "BadRequest", Message: `strict decoding error: unknown field "a", duplicate field "b"`}, `the API server refuses it: BadRequest, duplicate field "b?", unknown field "a?"`},
		"a field in other words":   {metav1.Status{Reason: "BadRequest", Message: `unknown field "s"`}, "the API server refuses it: BadRequest"},
		"a label that is a number": {invalid("patch", `json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`), "the API server refuses it: Invalid, cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failed cluster.Error
			if shown.Hide(&failed, tc.status); failed.Message != tc.want+". "+note {
				t.Errorf("got  %s\nwant %s", failed.Message, tc.want)
			}
		})
	}
}

// Of a warning, only the words of the API server about its own API are shown.
func TestWarning(t *testing.T) {
	t.Parallel()
	for warning, want := range map[string]string{
		"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': s": "Validation failed for ValidatingAdmissionPolicy 'p'",
		"v1 Thing is deprecated in v1.33+, unavailable in v1.35+; use v2 Thing":   "v1 Thing is deprecated in v1.33+, unavailable in v1.35+; use v2 Thing",
		"v1 Thing is deprecated in v1.33+: s":                                     "An admission webhook or the API server warns",
	} {
		if want != warning {
			want += "\n\n" + note
		}
		if got := shown.Warning(warning); got != want {
			t.Errorf("%s: %s", warning, got)
		}
	}
}

// Details have the words of the server about a type, and no others.
func TestHideDetails(t *testing.T) {
	t.Parallel()
	mismatch := &cluster.SchemaMismatchError{
		Field: "spec.a", Problem: "expected list, got a map", More: []cluster.FieldProblem{{Field: "b", Problem: "s"}},
		Undeclared: []cluster.UndeclaredField{{Path: "c"}},
	}
	shown.HideDetails(mismatch)
	want := &cluster.SchemaMismatchError{
		Field: "spec.a", Problem: "expected list, got a map",
		More:       []cluster.FieldProblem{{Field: "b", Problem: "the value does not fit the schema"}},
		Undeclared: []cluster.UndeclaredField{{Path: "c?"}},
	}
	if diff := cmp.Diff(want, mismatch); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	unconvertible := &cluster.UnconvertibleError{Problem: ".spec.a: field not declared in schema, s"}
	shown.HideDetails(unconvertible)
	if got := unconvertible.Problem; got != "spec.a?: field not declared in schema" {
		t.Errorf("problem: %s", got)
	}
}
