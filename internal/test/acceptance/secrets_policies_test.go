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
	// warns says that the policy refuses nothing.
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
		story.Must(s.T, wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
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

// The words of a policy about an object are shown without the values of the object on the cluster, in errors and in
// warnings. If they have a short value, they are withheld, and the message says where to look.
func TestPoliciesTellNothing(t *testing.T) {
	t.Parallel()
	const (
		long      = `'data is ' + oldObject.data.x + ' and ' + oldObject.data.other + ', refused'`
		short     = `'the password is ' + oldObject.data.tiny`
		shortData = `'the password is ' + oldObject.data.short + ' and ' + oldObject.data.x`
		copied    = `'the copy is ' + oldObject.metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']`
		withheld  = "(message withheld: it may contain a value of the Secret). To see it, make the same change with kubectl, or run kubectl get validatingadmissionpolicy talkative."
	)
	label := "metadata: {labels: {ours: label}}"
	data := `sensitive_fields = ["data"]`
	for name, test := range map[string]struct {
		policy
		target, arguments string
		patch             string
		says              []string
	}{
		"an error about a Secret of others":        {policy: policy{quoting: long}, says: []string{"denied request: data is (sensitive) and (sensitive), refused"}},
		"a warning about a Secret of others":       {policy: policy{quoting: long, warns: true}, says: []string{"data is (sensitive) and (sensitive), refused"}},
		"a short value in an error":                {policy: policy{quoting: short}, says: []string{"ValidatingAdmissionPolicy 'talkative.", withheld}},
		"a short value in a warning":               {policy: policy{quoting: short, warns: true}, says: []string{"Validation failed for ValidatingAdmissionPolicy 'talkative.", withheld}},
		"a merge patch of a Secret of others":      {policy: policy{quoting: long}, patch: "merge", says: []string{"denied request: data is (sensitive) and (sensitive), refused"}},
		"a short value in an error about a patch":  {policy: policy{quoting: short}, patch: "strategic", says: []string{withheld}},
		"a sensitive field of a ConfigMap":         {policy: policy{quoting: long}, target: passwords, arguments: data, says: []string{"data is (sensitive) and (sensitive), refused"}},
		"a warning about a sensitive field":        {policy: policy{quoting: long, warns: true}, target: passwords, arguments: data, says: []string{"data is (sensitive) and (sensitive), refused"}},
		"a short sensitive value of a ConfigMap":   {policy: policy{quoting: shortData}, target: passwords, arguments: data, says: []string{"it may contain a sensitive value of the ConfigMap"}},
		"the copy of kubectl":                      {policy: policy{quoting: copied}, says: []string{`the copy is {"apiVersion":"v1","kind":"Secret","stringData":{"x":(sensitive),"other":(sensitive)}}`}},
		"a message that tells nothing of a Secret": {policy: policy{quoting: `'every Secret needs a team'`}, says: []string{"denied request: every Secret needs a team."}},
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
			if (err == nil) != test.warns || !story.Saying(test.says...).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", test.says, err, out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsToo, theirsShort)
		})
	}
}

// A refused apply and a refused destroy read the object once, to know what its policy quotes. If they may not, they
// withhold the words of the policy.
func TestPoliciesTellNothingOfAnApply(t *testing.T) {
	t.Parallel()
	const long = `'data is ' + oldObject.data.x + ' and ' + oldObject.data.mine + ', refused'`
	for name, test := range map[string]struct {
		policy
		unreadable bool
		says       []string
	}{
		"an apply":                            {policy: policy{operation: "UPDATE", quoting: long}, says: []string{"denied request: data is (sensitive) and (sensitive), refused"}},
		"a destroy":                           {policy: policy{operation: "DELETE", quoting: long}, says: []string{"could not be deleted", "denied request: data is (sensitive) and (sensitive), refused"}},
		"a destroy that may not read a value": {policy: policy{operation: "DELETE", quoting: long}, unreadable: true, says: []string{"could not be deleted", "denied request: (message withheld"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			limited := limitedUser(w)
			body := func(label string) string {
				return w.Manifest("test", strings.Replace(skeleton, "namespace: NS}", "namespace: NS, labels: {a: "+label+"}}", 1),
					writeOnly("data: {mine: "+encoded(inPart)+"}", 1), limited)
			}
			w.Configure(body("one"))
			w.Do("apply", "-auto-approve")
			s.As("kubectl-edit").Patch(credentials, fmt.Sprintf(`{"data":{"x":%q}}`, encoded(theirs)))
			test.on, test.allows = "secrets", "request.operation == 'UPDATE' && request.dryRun"
			refused := labelling(s, bareSecret)
			if test.operation == "DELETE" {
				refused = func(ctx context.Context) error {
					return s.ResourceOf(s.Parse(bareSecret)).Delete(ctx, "credentials", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
				}
			}
			test.install(s, refused)
			args := []string{"destroy", "-auto-approve"}
			if test.operation == "UPDATE" {
				w.Configure(body("two"))
				args = []string{"apply", "-auto-approve"}
			}
			if test.unreadable {
				grantSecrets(w, "patch", "delete", "watch")
				args = append(args, "-refresh=false")
			}
			out, err := w.Try(args...)
			if err == nil || !story.Saying(test.says...).MatchString(out) {
				t.Errorf("the command does not say %q: %v\n%s", test.says, err, out)
			}
			tellsNothing(t, "the command", out, theirs, inPart)
		})
	}
}

// limitedUser returns the argument of a resource that connects as a user with the rights of grantSecrets.
func limitedUser(w *story.Workspace) string {
	w.T.Helper()
	user := w.Namespace + "-limited"
	file := w.File("kubeconfig-limited", w.Kubeconfig(w.AddUser(user, "limited")), 0o600)
	w.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: limited, namespace: NS}\n" +
		"subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: " + user + "}]\n" +
		"roleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: limited}\n")
	grantSecrets(w, "get", "create", "patch", "delete", "watch")
	return fmt.Sprintf("cluster = { config_path = %q }", file)
}

// grantSecrets sets what that user may do to Secrets.
func grantSecrets(w *story.Workspace, verbs ...string) {
	w.T.Helper()
	w.As("kubectl").Apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: limited, namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [secrets], verbs: [" + strings.Join(verbs, ", ") + "]}]\n")
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
			s.PatchBlock("test", loud, "spec: {note: "+inGadget+", size: 1}", sensitive), []string{"the note was (sensitive) once"},
		},
		"a value of others": {s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":1}}`, sensitive), []string{"the note was (sensitive) once"}},
		"a short value of others": {
			s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":2}}`, sensitive),
			[]string{"(message withheld: it may contain a sensitive value of the Shout)"},
		},
		"a value from before": {
			s.TypedPatchBlock("test", loud, "merge", `{"spec":{"size":4,"note":"other"}}`, sensitive), []string{"before, the note was (sensitive)"},
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
		"short": {"the word is " + theirsShort, []string{"(message withheld: it may contain a sensitive value of the Shout). To see it, run kubectl describe shout short -n"}},
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
				"timeouts {\n  create = \"3s\"\n  delete = \"3s\"\n}"))
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
