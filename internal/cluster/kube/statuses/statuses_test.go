package statuses_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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
		"an unknown field":    {live, `strict decoding error: unknown field "dta"`, `unknown field "dta"`},
		"a number":            {live, `json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`, ""},
		"no base64":           {live, `illegal base64 data at input byte 1`, ""},
		"strategic":           {`"map[apiVersion:v1 data:map[x:U290aGVycy14LTI3MTg=] metadata:map[labels:map[a:5]]]"`, "unrecognized type: string", ""},
		"context of a reader": {live, `Secret.Data: decode byte: ReadString, error found in #10 byte of ...|"U290aGVycy14LTI3MTg="|...`, "Secret.Data: decode byte: ReadString"},
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

// Other causes keep what a user may have written, and lose what is large or in Go syntax.
func TestCut(t *testing.T) {
	t.Parallel()
	large := `"` + strings.Repeat("x", 300) + `"`
	for name, tc := range map[string]struct{ message, want string }{
		"a word":               {`Invalid value: "Web_Shop": a lowercase name`, `Invalid value: "Web_Shop": a lowercase name`},
		"a number":             {`Invalid value: -3: must not be negative`, `Invalid value: -3: must not be negative`},
		"a small object":       {`Invalid value: {"app":"web"}: does not match`, `Invalid value: {"app":"web"}: does not match`},
		"a rule":               {`Invalid value: three is one too many`, `Invalid value: three is one too many`},
		"a large text":         {"Invalid value: " + large + ": no", `Invalid value: (302 bytes): no`},
		"a large object":       {`Invalid value: {"a":` + large + `,"b":"}"}: no`, `Invalid value: (316 bytes): no`},
		"a list":               {`Unsupported value: [` + large + `]: no`, `Unsupported value: (304 bytes): no`},
		"a struct":             {`Invalid value: core.Secret{Data:map[string][]uint8{"x":[]uint8{0x1}}}: immutable`, `Invalid value: (54 bytes): immutable`},
		"structs":              {`Duplicate value: []core.EnvVar{core.EnvVar{Name:"a", Value:"s}"}}`, `Duplicate value: (48 bytes)`},
		"a map":                {`Invalid value: map[string]interface {}{"a":"s"}: no`, `Invalid value: (32 bytes): no`},
		"a pointer":            {`Invalid value: &v1.LabelSelector{MatchLabels:map[string]string{"a":"s"}}: no`, `Invalid value: (57 bytes): no`},
		"two causes":           {`[a: Invalid value: "b": no, c: Invalid value: core.X{Y:"s"}: no]`, `[a: Invalid value: "b": no, c: Invalid value: (13 bytes): no]`},
		"an unfinished object": {`Invalid value: core.X{Y:"s`, `Invalid value: (11 bytes)`},
		"no merge key":         {`map: map[image:s value:a]b] does not contain declared merge key: name`, `a list item does not have the merge key name`},
		"another order": {
			"The order in patch list:\n[map[name:a value:s]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
			"the order of a list in the patch does not match its $setElementOrder list",
		},
		"an unknown directive": {`unknown patch type: what in map: map[$patch:what a:s]`, `unknown patch type: what`},
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

// What policies, webhooks and rules say is found, and what the API server says itself is not.
func TestRemarks(t *testing.T) {
	t.Parallel()
	const see = "make the same change with kubectl, or run kubectl get "
	ofRule := invalid("spec", `Invalid value: the note is s`)
	for name, tc := range map[string]struct {
		status metav1.Status
		custom bool
		want   []cluster.Remark
	}{
		"a policy": {
			metav1.Status{Reason: metav1.StatusReasonInvalid, Message: `secrets "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no s`},
			false, []cluster.Remark{{Text: "no s", ToSee: see + "validatingadmissionpolicy p -o yaml"}},
		},
		"a policy that changes objects": {
			metav1.Status{Reason: metav1.StatusReasonInvalid, Message: `policy 'p' with binding 'b' denied request: no s`},
			false, []cluster.Remark{{Text: "no s", ToSee: see + "mutatingadmissionpolicy p -o yaml"}},
		},
		"a webhook": {
			metav1.Status{Code: 400, Message: "admission webhook \"w.example.com\" denied the request: no\n\ns"},
			false, []cluster.Remark{{Text: "no\n\ns"}},
		},
		"the causes of a webhook": {
			metav1.Status{
				Reason: metav1.StatusReasonInvalid, Message: `admission webhook "w" denied the request: no`,
				Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: "it is s", Field: "data.x"}}},
			},
			false, []cluster.Remark{{Text: "no"}, {Text: "it is s"}, {Text: "data.x"}},
		},
		"an admission plugin": {
			metav1.Status{Reason: metav1.StatusReasonForbidden, Message: `secrets "x" is forbidden: s`}, false, []cluster.Remark{{Text: `secrets "x" is forbidden: s`}},
		},
		"a rule of a definition":         {ofRule, true, []cluster.Remark{{Text: "Invalid value: the note is s"}}},
		"a field of a built-in kind":     {ofRule, false, nil},
		"a patch that cannot be read":    {invalid("patch", "the server cannot read the patched object: no"), true, nil},
		"a missing role":                 {metav1.Status{Reason: metav1.StatusReasonForbidden, Message: `User "u" cannot get resource`}, false, nil},
		"a quota":                        {metav1.Status{Reason: metav1.StatusReasonForbidden, Message: `exceeded quota: q`}, false, nil},
		"a webhook that is out of reach": {metav1.Status{Code: 500, Message: `failed calling webhook "w": failed to call webhook: Post "https://a": EOF`}, false, nil},
		"another API server":             {metav1.Status{Code: 500, Message: "s"}, true, []cluster.Remark{{Text: "s"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, statuses.Remarks(tc.status, tc.custom)); diff != "" {
				t.Errorf("remarks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWarningRemarks(t *testing.T) {
	t.Parallel()
	for warning, want := range map[string][]cluster.Remark{
		"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no s": {
			{Text: "no s", ToSee: "make the same change with kubectl, or run kubectl get validatingadmissionpolicy p -o yaml"},
		},
		"batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+": nil,
		"the words of a webhook": {{Text: "the words of a webhook"}},
	} {
		if diff := cmp.Diff(want, statuses.WarningRemarks(warning)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", warning, diff)
		}
	}
}
