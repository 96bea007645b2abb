package acceptance_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	othersData, othersShort = "planted-by-others-in-data-4720", "Zq9x7"
	othersOld, othersCopy   = "planted-in-an-old-copy-4721", "planted-in-a-copy-4722"
	othersField             = "planted-by-others-in-a-field-4723"
)

// ruledKind is a kind with a rule whose message quotes a field.
var ruledKind = customresource.Definition("NS.example.com", "Ruled", `
spec:
  type: object
  properties:
    note: {type: string}
    size: {type: integer}
  x-kubernetes-validations:
  - {rule: "!has(self.size)", messageExpression: "'no size beside the note ' + self.note"}
`)

// quotedElsewhere are the ways in which words of the cluster or of a parser can quote a secret. Each one is a configuration, and
// what its plan or apply has to say: "" if it succeeds.
type quotedElsewhere struct {
	resource, says string
}

// Values that other clients wrote, and copies of them, are in nothing that the provider says or stores: neither if the server
// quotes an object that it cannot read, nor if a policy or a rule quotes a field, nor if a parser quotes the configuration.
func TestNothingThatOthersQuoteLeaks(t *testing.T) {
	s := story.New(t)
	s.InstallKind(ruledKind)
	w := newPlantedWorkspace(s)
	maps.Copy(w.unstored, map[string]string{
		"others' data": othersData, "others' short value": othersShort, "an old copy": othersOld, "a copy": othersCopy,
		"others' field": othersField,
	})
	who := s.As("kubectl-client-side-apply")
	who.ApplyClientSide(secret("data: {password: " + encoded(othersData) + ", pin: " + encoded(othersShort) + ", old: " + encoded(othersOld) + "}\n"))
	who.Patch(credentials, fmt.Sprintf(`{"metadata":{"annotations":{"kapp.k14s.io/original":%q}}}`,
		`{"kind":"Secret","data":{"password":"`+encoded(othersCopy)+`"}}`))
	who.Patch(credentials, `{"data":{"old":null}}`)
	who.Apply(passwordsWith("password: " + othersField))
	s.As("kubectl-create").Create("{apiVersion: NS.example.com/v1, kind: Ruled, metadata: {name: ruled, namespace: NS}, spec: {note: " + othersField + "}}")

	for name, way := range map[string]quotedElsewhere{
		"a label that is a number": {s.TypedPatchBlock("way", credentials, "merge", `{"metadata":{"labels":{"a":5}}}`), "could not be planned"},
		"a misspelled field":       {s.TypedPatchBlock("way", credentials, "merge", `{"dta":{"a":"5"}}`), "dta"},
		"data that is no base64":   {s.TypedPatchBlock("way", credentials, "json", `[{"op":"add","path":"/data/new","value":"v!"}]`), "could not be planned"},
		"labels that are a number": {s.TypedPatchBlock("way", credentials, "json", `[{"op":"add","path":"/metadata/labels","value":5}]`), "could not be planned"},
		"a copied value": {
			s.TypedPatchBlock("way", credentials, "json", `[{"op":"copy","from":"/data/password","path":"/metadata/annotations/copied"}]`), "",
		},
		"a sensitive field beside a mistake": {
			s.TypedPatchBlock("way", passwords, "merge", `{"metadata":{"annotations":{"a":true}}}`, `sensitive_fields = ["data"]`), "could not be planned",
		},
		"a rule of a definition": {
			s.TypedPatchBlock("way", s.Expand("NS.example.com/v1 Ruled ruled"), "merge", `{"spec":{"size":1}}`, `sensitive_fields = ["spec.note"]`), "could not be planned",
		},
		"an alias": {
			w.written(secret("stringData:\n  password: *" + inPart + "\n")), "Values with special characters need quotes",
		},
		"a key that is twice there": {
			w.written(secret("stringData:\n  " + inPart + ": a\n  " + inPart + ": b\n")), "line",
		},
		"a text in place of a number": {
			w.written(secret("stringData:\n  password: !!int " + inPart + "\n")), "line",
		},
		"an adopted copy": {
			w.object("way", skeleton, "adopt_existing = true",
				"yaml_body_wo = yamlencode({ data = { mine = base64encode(var.part) } })\n  yaml_body_wo_version = 1", `on_destroy = "release"`), "",
		},
		"a label beside a copy":               {s.PatchBlock("way", credentials, "metadata:\n  labels: {seen: \"yes\"}\n"), ""},
		"a merge patch beside a copy":         {s.TypedPatchBlock("way", credentials, "merge", `{"metadata":{"labels":{"seen":"yes"}}}`), ""},
		"an annotation of ours beside a copy": {s.PatchBlock("way", credentials, "metadata:\n  annotations: {seen: \"yes\"}\n"), ""},
		"a data source that reads the owners": {s.Expand("data \"k8sconnect_field_ownership\" \"way\" {\n  api_version = \"v1\"\n  kind = \"Secret\"\n  name = \"credentials\"\n  namespace = \"NS\"\n}\noutput \"way\" {\n  value = data.k8sconnect_field_ownership.way\n}\n"), ""},
	} {
		t.Run(name, func(t *testing.T) { w.goes(t, way) })
	}
}

// written returns a resource whose yaml_body is in a file of its own: the CLI prints lines of the configuration beside an error.
func (w *plantedWorkspace) written(body string) string {
	w.T.Helper()
	w.bodies++
	name := fmt.Sprintf("body-%d.yaml", w.bodies)
	story.Must(w.T, os.WriteFile(w.path(name), []byte(w.Expand(body)), 0o600))
	return fmt.Sprintf("resource \"k8sconnect_manifest\" \"way\" {\n  yaml_body = sensitive(file(%q))\n}\n", name)
}

// reportsTo makes the workspace fail t until the returned function is called.
func (w *plantedWorkspace) reportsTo(t *testing.T) (back func()) {
	parent := w.T
	w.T = t
	return func() { w.T = parent }
}

// goes plans, applies and destroys a configuration, and looks for secrets in all of it.
func (w *plantedWorkspace) goes(t *testing.T, way quotedElsewhere) {
	t.Helper()
	defer w.reportsTo(t)()
	w.resources(way.resource)
	out, err := w.look(inPart, "plan", "-out=tfplan")
	if way.says != "" {
		if err == nil || !strings.Contains(out, way.says) {
			t.Errorf("the plan does not say %q: %v\n%s", way.says, err, out)
		}
		return
	}
	story.Must(t, failure(out, err))
	w.apply(inPart)
	w.plan(inPart)
	w.plan(inPart, "-destroy")
	w.apply(inPart)
}

// quotingPolicy refuses what one kind of request does to Secrets, in words that an expression makes.
const quotingPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: quoting.NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [%s], resources: [secrets, configmaps]}
  validations:
  - {expression: "false", messageExpression: "%s"}
`

const quotingBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: quoting.NS}
spec: {policyName: quoting.NS, validationActions: [Deny]}
`

// installQuotingPolicy creates the policy, and waits until it is in effect. It is removed after the test.
func installQuotingPolicy(s *story.Story, operation, action, expression string) {
	s.T.Helper()
	policy := s.As("kubectl-create").Create(fmt.Sprintf(quotingPolicy, operation, expression))
	binding := s.As("kubectl-create").Create(quotingBinding)
	test := s.T
	denies := func() bool {
		secrets := s.Resource("v1", "Secret", s.Namespace)
		var err error
		if operation == "DELETE" {
			err = secrets.Delete(context.Background(), "credentials", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
		} else {
			_, err = secrets.Patch(context.Background(), "credentials", types.MergePatchType, []byte(`{"metadata":{"labels":{"probe":"yes"}}}`),
				metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		}
		return err != nil
	}
	test.Cleanup(func() {
		_ = s.ResourceOf(binding).Delete(context.Background(), binding.GetName(), metav1.DeleteOptions{})
		_ = s.ResourceOf(policy).Delete(context.Background(), policy.GetName(), metav1.DeleteOptions{})
		for range 600 {
			if !denies() {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		test.Error("the policy is still in effect")
	})
	s.Await("the policy denies", denies)
	if action != "Deny" {
		_, err := s.ResourceOf(binding).Patch(test.Context(), binding.GetName(), types.MergePatchType,
			[]byte(`{"spec":{"validationActions":["`+action+`"]}}`), metav1.PatchOptions{})
		story.Must(test, err)
		s.Await("the policy no longer denies", func() bool { return !denies() })
	}
}

// Policies quote what they like, in an error or in a warning, also of the object that a destroy removes.
func TestNothingThatPoliciesQuoteLeaks(t *testing.T) {
	s := story.New(t)
	w := newPlantedWorkspace(s)
	maps.Copy(w.unstored, map[string]string{"others' data": othersData, "others' short value": othersShort})
	s.As("kubectl-create").Create(secret("data: {password: " + encoded(othersData) + "}\n"))
	s.As("kubectl-create").Create(passwordsWith("password: " + othersData + ", pin: " + othersShort))
	const label = "metadata:\n  labels: {seen: \"yes\"}\n"
	const merge = `{"metadata":{"labels":{"seen":"yes"}}}`
	const sensitive = `sensitive_fields = ["data"]`
	quotes := map[string]struct {
		expression string
		patches    []string
	}{
		"data": {quoted("password"), []string{s.PatchBlock("way", credentials, label), s.TypedPatchBlock("way", credentials, "merge", merge)}},
		"a sensitive field": {quoted("password"), []string{
			s.PatchBlock("way", passwords, label, sensitive), s.TypedPatchBlock("way", passwords, "merge", merge, sensitive),
		}},
		"a short value": {quoted("pin"), []string{
			s.PatchBlock("way", passwords, label, sensitive), s.TypedPatchBlock("way", passwords, "merge", merge, sensitive),
		}},
	}
	for _, action := range []string{"Deny", "Warn"} {
		for name, quote := range quotes {
			t.Run(action+"/"+name, func(t *testing.T) {
				defer w.reportsTo(t)()
				installQuotingPolicy(w.Story, "UPDATE", action, quote.expression)
				for _, resource := range quote.patches {
					w.resources(resource)
					out, err := w.look(inPart, "plan", "-out=tfplan")
					if (err != nil) != (action == "Deny") || !strings.Contains(out, "quoting") {
						t.Errorf("%v\n%s", err, out)
					}
				}
			})
		}
	}
	// A short value that no file of the configuration has.
	w.unstored["a short write-only value"] = "trap_ni"
	const short = `replace(strrev(substr(var.part, 8, 7)), "-", "_")`
	const writeOnly = "yaml_body_wo = yamlencode({ data = { password = %s, pin = %s } })\n  yaml_body_wo_version = 1"
	w.resources(
		w.object("secret", strings.Replace(skeleton, "credentials", "part", 1), fmt.Sprintf(writeOnly, "base64encode(var.part)", "base64encode("+short+")")),
		w.object("settings", strings.Replace(passwordsWith("mode: on-duty"), "passwords", "part", 1), fmt.Sprintf(writeOnly, "var.part", short)),
	)
	w.plan(inPart)
	w.apply(inPart)
	for name, field := range map[string]string{"a value": "password", "a short value": "pin"} {
		t.Run("DELETE/"+name, func(t *testing.T) {
			defer w.reportsTo(t)()
			installQuotingPolicy(w.Story, "DELETE", "Deny", quoted(field))
			w.plan(inPart, "-destroy")
			if out, err := w.look(inPart, "apply", "tfplan"); err == nil || !strings.Contains(out, "quoting") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	w.plan(inPart, "-destroy")
	w.apply(inPart)
}

// quoted is an expression that quotes a key of data.
func quoted(key string) string {
	return "'the value is ' + (oldObject == null ? object : oldObject).data." + key
}
