package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Values of an object that another client created. No configuration has them.
const (
	theirs      = "planted-theirs-3141"
	theirsToo   = "planted-theirs-too-5926"
	theirsShort = "Zq9x7"
	theirsTiny  = "Zq9"
)

// theirSecret is a Secret with these values, as kubectl apply leaves it.
func theirSecret() string {
	data := fmt.Sprintf("{x: %s, other: %s, short: %s, tiny: %s}", encoded(theirs), encoded(theirsToo), encoded(theirsShort), encoded(theirsTiny))
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: credentials\n  namespace: NS\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n" +
		`      {"apiVersion":"v1","kind":"Secret","stringData":{"x":"` + theirs + `","other":"` + theirsToo + `"}}` + "\ndata: " + data + "\n"
}

// tellsNothing asserts that the output of a command has none of the values, in any form.
func tellsNothing(t *testing.T, what, out string, values ...string) {
	t.Helper()
	flat := strings.NewReplacer("│", "", "\n", "", " ", "").Replace(out)
	for _, value := range values {
		all := encodings(value)
		if len(value) < 12 {
			all = []string{value, encoded(value)} // Parts of the base64 of a short value are in other words too.
		}
		for _, form := range all {
			if strings.Contains(out, form) || strings.Contains(flat, strings.ReplaceAll(form, " ", "")) {
				t.Errorf("%s tells %q:\n%s", what, value, out)
				break
			}
		}
	}
}

// A JSON or merge patch whose result the server cannot read is refused with the kind of failure, and without the object
// that the server quotes.
func TestUnreadablePatchQuotesNothing(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	s.As("kubectl-create").Create(theirSecret())
	s.As("kubectl-create").Create(passwordsWith("x: " + theirs + ", other: " + theirsToo + ", short: " + theirsShort))
	s.As("kubectl-create").Create(story.Gadget("note: " + theirs + ", colours: [" + theirsToo + ", " + theirsShort + "]"))
	data, spec := `sensitive_fields = ["data"]`, `sensitive_fields = ["spec"]`
	merge := func(body string) [2]string { return [2]string{"merge", body} }
	operations := func(body string) [2]string { return [2]string{"json", body} }
	for name, test := range map[string]struct {
		target, arguments string
		patch             [2]string
		says              string
	}{
		"a field that the kind does not have":  {credentials, "", merge(`{"dta":{"a":"5"}}`), `unknown field "dta"`},
		"a type that is a number":              {credentials, "", merge(`{"type":5}`), `cannot unmarshal number into Go struct field`},
		"a label that is a number":             {credentials, "", merge(`{"metadata":{"labels":{"a":5}}}`), "ObjectMeta.metadata.labels of type string"},
		"an annotation that is a boolean":      {credentials, "", merge(`{"metadata":{"annotations":{"a":true}}}`), "ObjectMeta.metadata.annotations of type string"},
		"data that is a number":                {credentials, "", merge(`{"data":{"x":5}}`), "of type []uint8"},
		"data that is no base64":               {credentials, "", merge(`{"data":{"x":"v!"}}`), "illegal base64 data at input byte 1"},
		"stringData that is a list":            {credentials, "", merge(`{"stringData":{"x":["v"]}}`), "Secret.stringData of type string"},
		"an operation that adds no base64":     {credentials, "", operations(`[{"op":"add","path":"/data/new","value":"v!"}]`), "illegal base64 data at input byte 1"},
		"an operation that adds a number":      {credentials, "", operations(`[{"op":"add","path":"/metadata/labels","value":{"a":5}}]`), "ObjectMeta.metadata.labels of type string"},
		"an operation that copies a map":       {credentials, "", operations(`[{"op":"copy","from":"/metadata","path":"/type"}]`), "cannot unmarshal object into Go struct field Secret.type"},
		"a label of a ConfigMap":               {passwords, data, merge(`{"metadata":{"labels":{"a":5}}}`), "ObjectMeta.metadata.labels of type string"},
		"a field of a ConfigMap":               {passwords, data, merge(`{"dta":{"a":"5"}}`), `unknown field "dta"`},
		"a ConfigMap without sensitive_fields": {passwords, "", merge(`{"dta":{"a":"5"}}`), `unknown field "dta"`},
		"a label of a custom resource":         {s.GadgetTarget(), spec, merge(`{"metadata":{"labels":{"a":5}}}`), "ObjectMeta.labels of type string"},
		"a field of a custom resource":         {s.GadgetTarget(), spec, merge(`{"spec":{"nope":5}}`), `unknown field`},
		"a strategic patch":                    {credentials, "", [2]string{"strategic", `{"metadata":{"labels":{"a":5}}}`}, "cannot convert int64 to string"},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.HostedWorkspace()
			w.Configure(s.TypedPatchBlock("test", test.target, test.patch[0], test.patch[1], test.arguments))
			out, err := w.Try("plan")
			if err == nil || !story.Saying("could not be planned", test.says).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", test.says, err, out)
			}
			if strings.Contains(out, `"" is invalid`) || strings.Contains(out, "managedFields") {
				t.Errorf("the plan quotes the object:\n%s", out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsToo, theirsShort)
		})
	}
}
