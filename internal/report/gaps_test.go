package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
)

// changeOf returns a change of a resource of the provider, from the JSON of its attributes.
func changeOf(resource, actions, before, after, unknown string) string {
	return fmt.Sprintf(`{"address":"k8sconnect_%s.x","mode":"managed","type":"k8sconnect_%[1]s","change":{"actions":["%s"],"before":%s,"after":%s,"after_unknown":%s}}`,
		resource, strings.ReplaceAll(actions, ",", `","`), before, after, unknown)
}

// reportOf returns the report of a plan with these changes and of its log, which has no warnings.
func reportOf(t *testing.T, changes ...string) report.Report {
	t.Helper()
	return reportWith(t, nil, changes...)
}

// reportWith returns the report of a plan whose log begins with lines.
func reportWith(t *testing.T, lines []byte, changes ...string) report.Report {
	t.Helper()
	log := string(lines)
	for _, resource := range []string{"manifest", "manifests", "patch", "wait"} {
		if slices.ContainsFunc(changes, func(change string) bool { return strings.Contains(change, `"k8sconnect_`+resource+`.x"`) }) {
			log += `{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_` + resource + `.x"}}}` + "\n"
		}
	}
	got, err := report.Of([]byte(`{"format_version":"1.2","resource_changes":[`+strings.Join(changes, ",")+`]}`), []byte(log+`{"type":"change_summary"}`))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// broken returns how often a report breaks a rule.
func broken(t *testing.T, r report.Report, text string) int {
	t.Helper()
	rule, err := report.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(r.Check([]report.Rule{rule}))
}

func textOf(t *testing.T, r report.Report) string {
	t.Helper()
	var out strings.Builder
	if err := formats.Text(&out, r, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const (
	webID   = `"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect"`
	unknown = `"field_ownership":true,"managed_state":true,"conflicts":true`
)

// What an apply takes with values that the plan does not know is a gap, unless the apply creates the object.
func TestValuesThatAreNotKnown(t *testing.T) {
	t.Parallel()
	const object, member = `"object_ref":true,"id":true,` + unknown, `"objects":{"a":{"id":"apiVersion=v1,kind=Namespace,name=a","uid":"1"}}`
	const namespace = `{"manifests":{"a":"{apiVersion: v1, kind: Namespace, metadata: {name: a}}"},` + member + `}`
	const open = `"objects":{"a":{"id":true,"uid":true}},"conflicts":true,"field_manager":true`
	for name, test := range map[string]struct {
		change string
		want   bool
	}{
		"a manifest":                {changeOf("manifest", "update", `{`+webID+`}`, `{}`, `{"yaml_body":true,`+object+`}`), true},
		"another argument":          {changeOf("manifest", "update", `{`+webID+`}`, `{`+webID+`}`, `{"ignore_fields":true,`+unknown+`}`), true},
		"a patch":                   {changeOf("patch", "create", `null`, `{}`, `{"target":true,`+object+`}`), true},
		"an adoption":               {changeOf("manifest", "create", `null`, `{"adopt_existing":true}`, `{"yaml_body":true,`+object+`}`), true},
		"an adoption by a rule":     {changeOf("manifest", "create", `null`, `{"rules_applied":{"adopt_existing":true}}`, `{"manifest":{"a":true},`+object+`}`), true},
		"a rule that is overridden": {changeOf("manifest", "create", `null`, `{"adopt_existing":false,"rules_applied":{"adopt_existing":true}}`, `{"yaml_body":true,`+object+`}`), false},
		"an adoption with warnings": {changeOf("manifest", "create", `null`, `{"adopt_existing":true,`+webID+`}`, `{"object_ref":{"uid":true},`+unknown+`}`), false},
		"a new object":              {changeOf("manifest", "create", `null`, `{}`, `{"yaml_body":true,`+object+`}`), false},
		"a replacement":             {changeOf("manifest", "delete,create", `{`+webID+`}`, `{}`, `{"yaml_body":true,"object_ref":true,`+unknown+`}`), false},
		"a Job that runs again":     {changeOf("manifest", "update", `{`+webID+`}`, `{`+webID+`}`, `{"object_ref":{"uid":true},`+unknown+`}`), false},
		"owners of another version": {changeOf("manifest", "update", `{`+webID+`}`, `{`+webID+`}`, `{"field_ownership":true,"conflicts":true}`), false},
		"nothing":                   {changeOf("manifest", "no-op", `{`+webID+`}`, `{`+webID+`}`, `{}`), false},
		"a wait":                    {changeOf("wait", "create", `null`, `{}`, `{"id":true,"target":true}`), false},

		"a manifest of a set":           {changeOf("manifests", "update", namespace, `{"manifests":{},"objects":{"a":{}}}`, `{"manifests":{"a":true},`+open+`}`), true},
		"a secret manifest of a set":    {changeOf("manifests", "update", namespace, `{"secret_manifests":{},"objects":{"a":{}}}`, `{"secret_manifests":{"a":true},`+open+`}`), true},
		"a value in a set":              {changeOf("manifests", "update", namespace, `{"manifests":{"a":{"kind":"Namespace"}},`+member+`}`, `{"manifests":{"a":{"metadata":{"labels":{"b":true}}}},"conflicts":true}`), true},
		"an argument of a set":          {changeOf("manifests", "update", namespace, namespace, `{"cluster":{"token":true},"conflicts":true}`), true},
		"a new object of a set":         {changeOf("manifests", "update", namespace, namespace, `{"manifests":{"b":true},"conflicts":true,"objects":{"b":{"uid":true}}}`), false},
		"an object that a set adopts":   {changeOf("manifests", "update", namespace, namespace[:len(namespace)-1]+`,"adopt_existing":true}`, `{"manifests":{"b":true},"conflicts":true}`), true},
		"a set that is replaced":        {changeOf("manifests", "delete,create", namespace, `{"manifests":{}}`, `{"manifests":{"a":true},"objects":true}`), false},
		"a new set":                     {changeOf("manifests", "create", `null`, `{"manifests":{}}`, `{"manifests":{"a":true},"cluster":true,"objects":true}`), false},
		"a new set whose keys are open": {changeOf("manifests", "create", `null`, `{"adopt_existing":true}`, `{"manifests":true,"objects":true}`), true},
	} {
		got := reportOf(t, test.change)
		says := strings.Contains(textOf(t, got), "No manager loses a field.")
		if n := broken(t, got, "incomplete"); (n > 0) != test.want || says == test.want || n > 1 {
			t.Errorf("%s: %q, in words:\n%s", name, got.Incomplete, textOf(t, got))
		}
	}
}

// An object of a set whose manifest the plan does not know is not replaced, and none of its fields is removed.
func TestMemberThatIsNotKnown(t *testing.T) {
	t.Parallel()
	const before = `{"manifests":{"a":{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{"x":"1"}}}},"objects":{"a":{"id":"apiVersion=v1,kind=Namespace,name=a","uid":"1"}}}`
	for name, change := range map[string]string{
		"all of it": changeOf("manifests", "update", before, `{"manifests":{},"objects":{"a":{}}}`, `{"manifests":{"a":true},"objects":{"a":{"id":true,"uid":true}}}`),
		"a value": changeOf("manifests", "update", before, `{"manifests":{"a":{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{}}}},"objects":{"a":{"id":"apiVersion=v1,kind=Namespace,name=a","uid":"1"}}}`,
			`{"manifests":{"a":{"metadata":{"labels":{"x":true}}}}}`),
		"the connection": changeOf("manifests", "update", before, strings.SplitN(before, `,"objects"`, 2)[0]+`,"objects":{"a":{}}}`, `{"cluster":true,"objects":{"a":{"id":true,"uid":true}}}`),
	} {
		got := reportOf(t, change)
		if o := got.Objects[0]; len(got.Objects) != 1 || o.Name != "a" || o.Action == report.Replace || len(o.Fields) > 0 || broken(t, got, "delete") > 0 {
			t.Errorf("%s: %+v", name, got.Objects)
		}
	}
}

// The apply may take a field whose value the plan does not know from its owner, which is told with the owner.
func TestFieldThatIsNotKnown(t *testing.T) {
	t.Parallel()
	const before = `{` + webID + `,"field_ownership":{"spec.replicas":"hpa","spec.paused":"k8sconnect"},"managed_state":{"spec.replicas":"5","spec.paused":"true"}}`
	const after = `{` + webID + `,"field_ownership":{"spec.paused":"k8sconnect"},"managed_state":{"spec.paused":"true"}}`
	const undeclared = `{` + webID + `,"field_ownership":{"spec.paused":"k8sconnect"},"managed_state":{"spec.paused":"true"}}`
	said := logOf(t, "k8sconnect_manifest.x", "Other Values Changed: Deployment shop/web (apps/v1)", "Deployment shop/web (apps/v1): the apply changes a value that yaml_body does not declare:"+
		"\n\n  spec.replicas: \"5\" -> \"(known after apply)\", owned by \"hpa\" using apps/v1")
	said = said[:len(said)-len(ended)]
	for name, test := range map[string]struct {
		before, unknown string
		log             []byte
		want            int
	}{
		"its owners":                        {before, `{"field_ownership":{"spec.replicas":true},"managed_state":{"spec.replicas":true},"conflicts":true}`, nil, 1},
		"its value and all owners":          {before, `{"field_ownership":true,"managed_state":{"spec.replicas":true},"conflicts":true}`, nil, 1},
		"the owners of another version":     {before, `{"field_ownership":true,"conflicts":true}`, nil, 0},
		"a value that is sent again":        {before, `{"field_ownership":{"spec.replicas":true},"co_owners":true}`, nil, 0},
		"another field":                     {before, `{"field_ownership":{"spec.paused":true},"managed_state":{"spec.paused":true}}`, nil, 0},
		"a field that a warning is about":   {undeclared, `{"field_ownership":{"spec.replicas":true},"managed_state":{"spec.replicas":true}}`, said, 1},
		"a default that the server changes": {undeclared, `{}`, said, 0},
	} {
		after := after
		if test.want == 0 && test.log == nil {
			after = before
		}
		got := reportWith(t, test.log, changeOf("manifest", "update", test.before, after, test.unknown))
		if broken(t, got, "take:hpa") != test.want || broken(t, got, "take:k8sconnect") > 0 || broken(t, got, "incomplete") > 0 {
			t.Errorf("%s: %+v", name, got.Objects[0])
		}
		if says := strings.Contains(textOf(t, got), `spec.replicas: "5", if its value changes, owned by "hpa"`); says != (test.want > 0 && test.log == nil) {
			t.Errorf("%s:\n%s", name, textOf(t, got))
		}
	}
}

// The actions of Terraform that a plan invokes are named, unless they only wait.
func TestActions(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"k8sconnect_restart": true, "k8sconnect_wait": false, "other_restart": false} {
		got, err := report.Of([]byte(`{"format_version":"1.2","planned_values":{},"action_invocations":[{"address":"action.`+kind+`.x","type":"`+kind+`"},`+
			`{"address":"action.`+kind+`.x","type":"`+kind+`"}]}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(t, got)
		if want != (strings.Count(text, "The apply runs action."+kind+".x. The plan") == 1) || want == strings.Contains(text, "No object changes.") || want == strings.Contains(text, "No manager loses a field.") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

// A file without a plan, such as a state, is refused, and the log of another plan is a gap.
func TestFilesThatAreNoPlan(t *testing.T) {
	t.Parallel()
	for _, state := range []string{`{"format_version":"1.0"}`, `{"format_version":"1.0","values":{"root_module":{"resources":[]}}}`} {
		if got, err := report.Of([]byte(state), []byte(ended)); err == nil {
			t.Errorf("%s: %+v", state, got)
		}
	}
	const line, summary = `{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifest.x","resource_type":"k8sconnect_manifest"},"action":"%s"}}` + "\n", `{"type":"change_summary"}`
	waits := strings.ReplaceAll(fmt.Sprintf(line, "create"), "_manifest", "_wait") + summary
	taken := strings.TrimSuffix(string(logOf(t, "k8sconnect_manifest.x", taking[0], taking[1])), ended)
	for name, test := range map[string]struct {
		changes, log string
		want         int
	}{
		"an update":          {"", fmt.Sprintf(line, "update") + summary, 1},
		"a deletion":         {changeOf("manifest", "no-op", "{}", "{}", "{}"), fmt.Sprintf(line, "delete") + summary, 1},
		"another provider":   {"", strings.ReplaceAll(fmt.Sprintf(line, "update"), "k8sconnect_", "aws_") + summary, 0},
		"a read":             {"", fmt.Sprintf(line, "read") + summary, 0},
		"a move":             {"", fmt.Sprintf(line, "move") + summary, 0},
		"the same":           {changeOf("manifest", "update", "{}", "{}", "{}"), fmt.Sprintf(line, "update") + summary, 0},
		"a wait":             {changeOf("wait", "create", "null", "{}", "{}"), waits, 0},
		"a log without end":  {"", taken, 1},
		"a log with warning": {"", taken + summary, 0},
	} {
		got, err := report.Of([]byte(`{"format_version":"1.2","planned_values":{},"resource_changes":[`+test.changes+`]}`), []byte(test.log))
		if err != nil {
			t.Fatal(err)
		}
		if broken(t, got, "incomplete") != test.want {
			t.Errorf("%s: %q", name, got.Incomplete)
		}
	}
}
