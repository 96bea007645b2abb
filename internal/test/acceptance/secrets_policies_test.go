package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// policy is a ValidatingAdmissionPolicy with a message that quotes values of an object.
type policy struct {
	// on is the resource, and operation what is done to it.
	on, operation string
	// warns is true if the policy refuses nothing.
	warns bool
	// allows is an expression that is true for what the policy allows.
	allows string
	// quoting is the expression of the message.
	quoting string
}

const talkative = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: talkative.NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: ["*"], apiVersions: [v1], operations: [OPERATION], resources: [RESOURCE]}
  validations:
  - expression: "ALLOWS"
    messageExpression: >-
      QUOTING
`

const talkativeBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: talkative.NS}
spec: {policyName: talkative.NS, validationActions: [ACTION]}
`

// install installs the policy, and waits until it is in effect. refused is a request that it refuses.
func (p policy) install(s *story.Story, refused func(ctx context.Context) error) {
	s.T.Helper()
	fill := strings.NewReplacer("RESOURCE", p.on, "OPERATION", p.operation, "QUOTING", p.quoting, "ALLOWS", p.allows, "ACTION", "Deny").Replace
	for _, text := range []string{fill(talkative), fill(talkativeBinding)} {
		object := s.As("kubectl-create").Create(text)
		client, name := s.ResourceOf(object), object.GetName()
		s.T.Cleanup(func() { _ = client.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	}
	await := func(refuses bool) {
		story.Must(s.T, wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 90*time.Second, true, func(ctx context.Context) (bool, error) {
			return (refused(ctx) != nil) == refuses, nil
		}))
	}
	await(true)
	if p.warns {
		s.As("kubectl-create").Patch(s.Expand("admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding talkative.NS"), `{"spec":{"validationActions":["Warn"]}}`)
		await(false)
	}
}

// labelling returns a request that changes an object.
func labelling(s *story.Story, object string) func(context.Context) error {
	probe := s.Parse(object)
	return func(ctx context.Context) error {
		_, err := s.ResourceOf(probe).Apply(ctx, probe.GetName(), probe, metav1.ApplyOptions{FieldManager: "probe", Force: true})
		return err
	}
}

const (
	bareSecret    = "{apiVersion: v1, kind: Secret, metadata: {name: credentials, namespace: NS, labels: {probe: a}}}"
	bareConfigMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: passwords, namespace: NS, labels: {probe: a}}}"
)

// The words of a policy about an object with secret values are not shown, in errors and in warnings, and the message says
// how to see them.
func TestPoliciesTellNothing(t *testing.T) {
	t.Parallel()
	const (
		long  = `'data is ' + oldObject.data.x + ' and ' + oldObject.data.other + ', refused'`
		short = `'the password is ' + oldObject.data.tiny`
		// shortData quotes values that are not in base64.
		shortData = `'the password is ' + oldObject.data.short + ' and ' + oldObject.data.x`
		copied    = `'the copy is ' + oldObject.metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']`
		notShown  = "Its message is not shown, because the object has secret values. To see it, run kubectl apply --server-side --dry-run=server -f FILE"
	)
	label := "metadata: {labels: {ours: label}}"
	data := `sensitive_fields = ["data"]`
	for name, test := range map[string]struct {
		policy
		target, arguments string
		patch             string
	}{
		"an error about a Secret of others":      {policy: policy{quoting: long}},
		"a warning about a Secret of others":     {policy: policy{quoting: long, warns: true}},
		"a short value in an error":              {policy: policy{quoting: short}},
		"a short value in a warning":             {policy: policy{quoting: short, warns: true}},
		"a merge patch of a Secret of others":    {policy: policy{quoting: long}, patch: "merge"},
		"a strategic patch":                      {policy: policy{quoting: short}, patch: "strategic"},
		"a sensitive field of a ConfigMap":       {policy: policy{quoting: long}, target: passwords, arguments: data},
		"a warning about a sensitive field":      {policy: policy{quoting: long, warns: true}, target: passwords, arguments: data},
		"a short sensitive value of a ConfigMap": {policy: policy{quoting: shortData}, target: passwords, arguments: data},
		"the copy of kubectl":                    {policy: policy{quoting: copied}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("kubectl-create").Create(theirSecret())
			s.As("kubectl-create").Create(passwordsWith("x: " + theirs + ", other: " + theirsToo + ", short: " + theirsShort))
			test.on, test.operation, test.allows = "secrets", "UPDATE", "false"
			probe := bareSecret
			if test.target == passwords {
				test.on, probe = "configmaps", bareConfigMap
			} else {
				test.target = credentials
			}
			test.install(s, labelling(s, probe))
			w := s.HostedWorkspace()
			w.Configure(s.PatchBlock("test", test.target, label, test.arguments))
			if test.patch != "" {
				w.Configure(s.TypedPatchBlock("test", test.target, test.patch, `{"metadata":{"labels":{"ours":"label"}}}`, test.arguments))
			}
			out, err := w.Try("plan")
			says := s.Expand("the ValidatingAdmissionPolicy talkative.NS refuses it. ")
			if test.warns {
				says = s.Expand("Validation failed for ValidatingAdmissionPolicy 'talkative.NS' ")
			}
			if (err == nil) != test.warns || !story.Saying(says+notShown).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", says, err, out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsToo, theirsShort)
		})
	}
}

// Of a refused apply and a refused destroy, no words of the policy are shown.
func TestPoliciesTellNothingOfAnApply(t *testing.T) {
	t.Parallel()
	const long = `'data is ' + oldObject.data.x + ' and ' + oldObject.data.mine + ', refused'`
	for operation, says := range map[string][]string{
		"UPDATE": {"could not be updated", "refuses it. Its message is not shown", "run kubectl apply --server-side --dry-run=server -f FILE", "A policy of this cluster refuses the object. In yaml_body,"},
		"DELETE": {"could not be deleted", "refuses it. Its message is not shown", "run kubectl delete --dry-run=server secret/credentials -n "},
	} {
		t.Run(operation, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			body := func(label string) string {
				return w.Manifest("test", strings.Replace(skeleton, "namespace: NS}", "namespace: NS, labels: {a: "+label+"}}", 1),
					writeOnly("data: {mine: "+encoded(inPart)+"}", 1))
			}
			w.Configure(body("one"))
			w.Do("apply", "-auto-approve")
			s.As("kubectl-edit").Patch(credentials, fmt.Sprintf(`{"data":{"x":%q}}`, encoded(theirs)))
			refused := labelling(s, bareSecret)
			args := []string{"apply", "-auto-approve"}
			if operation == "DELETE" {
				refused = func(ctx context.Context) error {
					return s.ResourceOf(s.Parse(bareSecret)).Delete(ctx, "credentials", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
				}
				args = []string{"destroy", "-auto-approve"}
			} else {
				w.Configure(body("two"))
			}
			policy{on: "secrets", operation: operation, allows: "request.operation == 'UPDATE' && request.dryRun", quoting: long}.install(s, refused)
			out, err := w.Try(args...)
			if err == nil || !story.Saying(says...).MatchString(out) {
				t.Errorf("the command does not say %q: %v\n%s", says, err, out)
			}
			tellsNothing(t, "the command", out, theirs, inPart)
		})
	}
}

// shouting is a kind with rules whose messages quote its fields.
const shouting = `
spec:
  type: object
  properties:
    note: {type: string}
    word: {type: string}
    size: {type: integer}
  x-kubernetes-validations:
  - {rule: "self.size != 1", messageExpression: "'the note was ' + self.note + ' once'"}
  - {rule: "self.size != 2", messageExpression: "'the word was ' + self.word"}
  - {rule: "self.size != 4 || oldSelf.size != 3", messageExpression: "'before, the note was ' + oldSelf.note"}
status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// Rules of a CustomResourceDefinition tell no value of a sensitive field, and a key that its kind does not have may be
// a value.
func TestRulesTellNothing(t *testing.T) {
	s := story.New(t)
	s.InstallKind(customresource.Definition("NS.example.com", "Shout", shouting))
	s.AwaitPublished("Shout")
	body := func(spec string) string {
		return "apiVersion: NS.example.com/v1\nkind: Shout\nmetadata: {name: loud, namespace: NS}\nspec: {" + spec + "}\n"
	}
	s.As("kubectl-create").Create(body("note: " + theirs + ", word: " + theirsShort + ", size: 3"))
	sensitive := `sensitive_fields = ["spec"]`
	loud := s.Expand("NS.example.com/v1 Shout loud")
	for name, test := range map[string]struct {
		block string
		says  []string
	}{
		"a value of the patch": {
			s.PatchBlock("test", loud, "spec: {note: "+inGadget+", size: 1}", sensitive), []string{"field spec (Invalid value)"},
		},
		"a value of others": {s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":1}}`, sensitive), []string{"field spec (Invalid value)"}},
		"a short value of others": {
			s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":2}}`, sensitive),
			[]string{"field spec (Invalid value)"},
		},
		"a value from before": {
			s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":4,"note":"other"}}`, sensitive), []string{"field spec (Invalid value)"},
		},
		"a key in yaml_body":  {s.PatchBlock("test", loud, "spec: {"+inKey+": 5}", sensitive), []string{"its kind has no such field", "spec.(sensitive)"}},
		"a key in a patch":    {s.TypedPatchBlock("test", loud, "merge", `{"spec":{"`+inKey+`":5}}`, sensitive), []string{`unknown field "spec.(sensitive)"`}},
		"a key in a manifest": {s.Manifest("test", strings.Replace(body("size: 3, "+inKey+": 5"), "loud", "louder", 1), sensitive), []string{"spec.(sensitive)"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.HostedWorkspace()
			w.Configure(test.block)
			out, err := w.Try("plan")
			if err == nil || !story.Saying(test.says...).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", test.says, err, out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsShort, inGadget, inKey)
		})
	}
}

// The conditions of a custom resource and the events about it tell no value of a sensitive field: neither a wait that
// fails nor a deletion that is blocked.
func TestControllersTellNothing(t *testing.T) {
	s := story.New(t)
	s.InstallKind(customresource.Definition("NS.example.com", "Shout", shouting))
	s.AwaitPublished("Shout")
	spec := func(name, note, word string) string {
		return "apiVersion: NS.example.com/v1\nkind: Shout\nmetadata: {name: " + name + ", namespace: NS}\nspec: {note: " + note + ", word: " + word + ", size: 5}\n"
	}
	const spaced = "planted correct horse battery staple 8979 planted correct horse battery staple 8979 and more"
	for name, test := range map[string]struct {
		message string
		says    []string
	}{
		"long":  {"the note is " + spaced + ", which is wrong", []string{"the note is (sensitive), which is wrong"}},
		"short": {"the word is " + theirsShort, []string{"the word is (sensitive)"}},
	} {
		t.Run(name, func(t *testing.T) {
			body := spec(name, spaced, theirsShort)
			status := "status: {conditions: [{type: Ready, status: 'False', reason: Wrong, message: '" + test.message + "'}]}\n"
			s.As("kubectl-create").Create(strings.Replace(body, "namespace: NS}", "namespace: NS, finalizers: [example.com/wait]}", 1) + status)
			target := s.Expand("NS.example.com/v1 Shout " + name)
			t.Cleanup(func() { s.As("janitor").Patch(target, `{"metadata":{"finalizers":null}}`) })
			s.As("kubectl-create").Create("apiVersion: v1\nkind: Event\nmetadata: {name: " + name + ", namespace: NS}\ntype: Warning\nreason: FailedCreate\nmessage: '" + test.message + "'\n" +
				"involvedObject: {apiVersion: NS.example.com/v1, kind: Shout, name: " + name + ", namespace: NS}\n")
			w := s.HostedWorkspace()
			w.Configure(w.Manifest("test", body, `sensitive_fields = ["spec"]`, "adopt_existing = true", `wait = { conditions = { Ready = "True" }, on_failure = "report" }`,
				"timeouts {\n  create = \"12s\"\n  delete = \"3s\"\n}"))
			waited := append([]string{"was not ready after", "Condition Ready is not True yet:"}, append(test.says, "FailedCreate:")...)
			out, err := w.Try("apply", "-auto-approve")
			if err != nil || !story.Saying(append(waited, test.says...)...).MatchString(out) {
				t.Errorf("the apply does not say %q: %v\n%s", waited, err, out)
			}
			blocked, err := w.Try("destroy", "-auto-approve")
			if says := append([]string{"could not be deleted"}, test.says...); err == nil || !story.Saying(says...).MatchString(blocked) {
				t.Errorf("the destroy does not say %q: %v\n%s", says, err, blocked)
			}
			for what, text := range map[string]string{"the apply": out, "the destroy": blocked} {
				_, diagnostics, _ := strings.Cut(text, "Warning: Object Not Ready")
				if what == "the destroy" {
					_, diagnostics, _ = strings.Cut(text, "Error: Deletion Blocked")
				}
				if diagnostics == "" {
					t.Errorf("%s has no diagnostics:\n%s", what, text)
				}
				tellsNothing(t, what, diagnostics, spaced, theirsShort)
			}
		})
	}
}
