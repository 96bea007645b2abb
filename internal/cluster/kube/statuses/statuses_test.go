package statuses_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

// live is a Secret as the API server quotes it, recorded from Kubernetes 1.36 and shortened.
const live = `"{\"apiVersion\":\"v1\",\"data\":{\"other\":\"U290aGVycy1vLTE2MTg=\",\"x\":\"U290aGVycy14LTI3MTg=\"},\"kind\":\"Secret\",` +
	`\"metadata\":{\"annotations\":{\"a\":\"\\\"}\\\": no\"},\"labels\":{\"a\":5},\"managedFields\":[{\"manager\":\"kubectl-create\"}]},\"type\":\"Opaque\"}"`

func invalid(field, message string) metav1.Status {
	return metav1.Status{
		Status: metav1.StatusFailure, Code: 422, Reason: metav1.StatusReasonInvalid, Message: `"" is invalid: ` + field + ": " + message,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}}},
	}
}

// The cause of a patch whose result the server cannot read keeps its reason and loses the object.
func TestCutPatchedObject(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ quoted, reason, want string }{
		"an unknown field": {live, `strict decoding error: unknown field "dta"`, `unknown field "dta"`},
		"a number":         {live, `json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`, ""},
		"no base64":        {live, `illegal base64 data at input byte 1`, ""},
		"strategic":        {`"map[apiVersion:v1 data:map[x:U290aGVycy14LTI3MTg=] metadata:map[labels:map[a:5]]]"`, "unrecognized type: string", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := statuses.Cut(invalid("patch", "Invalid value: "+tc.quoted+": "+tc.reason))
			want := "the server cannot read the patched object: " + tc.want
			if tc.want == "" {
				want += tc.reason
			}
			if got.Message != want || got.Details.Causes[0].Message != want {
				t.Errorf("message %q, cause %q, want %q", got.Message, got.Details.Causes[0].Message, want)
			}
			if text := got.Message + got.Details.Causes[0].Message; strings.Contains(text, "U290") || strings.Contains(text, "kubectl") {
				t.Errorf("the object is quoted: %s", text)
			}
		})
	}
}

// Other causes keep what a user may have written, and lose what is large.
func TestCut(t *testing.T) {
	t.Parallel()
	large := `"` + strings.Repeat("x", 300) + `"`
	for name, tc := range map[string]struct{ message, want string }{
		"a word":         {`Invalid value: "Web_Shop": a lowercase name`, `Invalid value: "Web_Shop": a lowercase name`},
		"a number":       {`Invalid value: -3: must not be negative`, `Invalid value: -3: must not be negative`},
		"a small object": {`Invalid value: {"app":"web"}: does not match`, `Invalid value: {"app":"web"}: does not match`},
		"a rule":         {`Invalid value: three is one too many`, `Invalid value: three is one too many`},
		"a large text":   {"Invalid value: " + large + ": no", `Invalid value: (302 bytes): no`},
		"a large object": {`Invalid value: {"a":` + large + `,"b":"}"}: no`, `Invalid value: (316 bytes): no`},
		"a list":         {`Unsupported value: [` + large + `]: no`, `Unsupported value: (304 bytes): no`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := statuses.Cut(metav1.Status{Message: tc.message}).Message; got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// A value that is not closed has no reason after it.
func TestCutOpenQuote(t *testing.T) {
	t.Parallel()
	got := statuses.Cut(invalid("patch", "Invalid value: "+live[:len(live)-1])).Message
	if want := "the server cannot read the patched object"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Cut leaves the status of the client library as it is.
func TestCutChangesNothing(t *testing.T) {
	t.Parallel()
	given := invalid("patch", "Invalid value: "+live+": no")
	kept := *given.DeepCopy()
	statuses.Cut(given)
	if diff := cmp.Diff(kept, given); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}
