package report_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

const plan = `{"format_version":"1.2","resource_changes":[
 {"address":"random_id.a","mode":"managed","type":"random_id","change":{"actions":["create"]}},
 {"address":"k8sconnect_manifest.web","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["update"],
  "before":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect",
   "yaml_body":"hunter2",
   "field_ownership":{"spec.replicas":"hpa","spec.paused":"flux","spec.x":"k8sconnect"},
   "managed_state":{"spec.replicas":"5","spec.paused":"true"}},
  "after":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect",
   "yaml_body":"hunter2",
   "field_ownership":{"spec.replicas":"k8sconnect","spec.paused":"k8sconnect","spec.x":"tuner"},
   "co_owners":{"spec.paused":["flux","k8sconnect"]},
   "managed_state":{"spec.replicas":"3","spec.paused":"true"}},
  "after_unknown":{}}},
 {"address":"k8sconnect_manifest.new","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["create"],
  "before":null,"after":{},"after_unknown":{"field_ownership":true}}},
 {"address":"k8sconnect_manifest.data","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["delete"],
  "before":{"id":"apiVersion=v1,kind=PersistentVolumeClaim,namespace=shop,name=data"},"after":null}}]}`

func logOf(t *testing.T, address, summary, detail string) []byte {
	t.Helper()
	line, err := json.Marshal(map[string]any{"type": "diagnostic", "diagnostic": map[string]string{
		"severity": "warning", "summary": summary, "detail": detail, "address": address}})
	if err != nil {
		t.Fatal(err)
	}
	return []byte(string(line) + "\n" + string(line) + "\n" + ended)
}

// ended is what a log has at its end.
const ended = `{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifest.web"}}}
{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifest.new"}}}
{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifest.data"}}}
{"type":"change_summary"}
`

var taking = [2]string{"Field Ownership Conflict: Deployment shop/web (apps/v1)", "Deployment shop/web (apps/v1): the apply " +
	"takes a field from another owner and changes its value:\n\n  spec.replicas: \"5\" -> \"3\", owned by \"hpa\" with " +
	"subresource \"scale\" using apps/v1"}

// What a warning and the attributes both say is counted once, and the most dangerous objects come first.
func TestReport(t *testing.T) {
	t.Parallel()
	for name, log := range map[string][]byte{
		"with the log": logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]), "without a log": nil,
	} {
		got, err := report.Of([]byte(plan), log)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"take": 1, "share": 1, "release": 1, "update": 1, "create": 1, "delete": 1}
		if diff := cmp.Diff(want, got.Counts); diff != "" {
			t.Errorf("%s: counts (-want +got):\n%s", name, diff)
		}
		if got.OtherResources != 1 || got.Objects[0].Kind != "PersistentVolumeClaim" || got.Objects[1].Name != "web" {
			t.Errorf("%s: %+v", name, got)
		}
		if (len(got.Incomplete) == 0) != (log != nil) {
			t.Errorf("%s: incomplete: %q", name, got.Incomplete)
		}
	}
}

// The warning of an adoption names the object that the plan does not know.
const addedTo = `{"format_version":"1.2","resource_changes":[
 {"address":"k8sconnect_manifest.web","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["no-op"],
  "before":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect"},
  "after":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect",
   "additions":{"spec.hostNetwork":{"value":"true","owners":{"kubectl-edit":"person: Update at 2026-11-28T09:30:00Z"}},
    "spec.replicas":{"value":"4","owners":{"kubectl":"person: Update scale at 2026-11-28T09:30:00Z"}}}}}}]}`

// What other managers have added to an object breaks the rule addition, although the plan does nothing: with the
// warnings of the plan, and from the attribute alone.
func TestAdditions(t *testing.T) {
	t.Parallel()
	for name, log := range map[string][]byte{
		"without a log": nil,
		"with the log": logOf(t, "k8sconnect_manifest.web", "Fields Added by Others: Deployment shop/web (apps/v1)", "Deployment shop/web (apps/v1): "+
			"others have added a field that is not in yaml_body:\n\n  spec.hostNetwork: \"true\", owned by \"kubectl-edit\" using apps/v1"),
	} {
		got, err := report.Of([]byte(addedTo), log)
		if err != nil {
			t.Fatal(err)
		}
		if o := got.Objects[0]; o.Action != report.NoOp || o.Count(changes.Addition) != 2 || o.Fields[1].Owners[0].Subresource != "scale" {
			t.Errorf("%s: the object is %+v", name, o)
		}
		rule, err := report.ParseRule("addition:kubectl-*")
		if err != nil {
			t.Fatal(err)
		}
		if failures := got.Check([]report.Rule{rule}); len(failures) != 1 || !strings.Contains(failures[0].What, "spec.hostNetwork") {
			t.Errorf("%s: broken is %v", name, failures)
		}
	}
}

func TestAdoption(t *testing.T) {
	t.Parallel()
	got, err := report.Of([]byte(plan), logOf(t, "k8sconnect_manifest.new", strings.ReplaceAll(taking[0], "web", "old"),
		strings.ReplaceAll(taking[1], "web", "old")))
	if err != nil {
		t.Fatal(err)
	}
	if got.Counts["take"] != 2 || got.Counts["create"] != 1 {
		t.Errorf("counts %v", got.Counts)
	}
	got, err = report.Of([]byte(plan), logOf(t, "k8sconnect_manifest.new", "Existing Object Adopted: Deployment shop/old (apps/v1)", "It exists."))
	if err != nil {
		t.Fatal(err)
	}
	if got.Counts["adopt"] != 1 || got.Counts["create"] != 0 {
		t.Errorf("counts %v", got.Counts)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	made, err := report.Of([]byte(plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"take": 1, "take:h*,x": 1, "take:x": 0, "delete:PersistentVolumeClaim": 1, "delete:Secret": 0, "share:flux": 1,
		"release:tuner": 1, "incomplete": 1, "take-back": 1, "take:H*": 0,
		"delete:pvc": 1, "delete:PVC": 1, "delete:persistentvolumeclaim": 1, "delete:persistentvolumeclaims": 1, "delete:pv": 0,
	} {
		rules, err := report.ParseRules("# rules\n\n" + text)
		if err != nil {
			t.Fatal(err)
		}
		if failures := made.Check(rules); len(failures) != want {
			t.Errorf("%s: %v", text, failures)
		}
	}
	if _, err := report.ParseRules("# rules\n\ntake:\n"); err == nil || !strings.HasPrefix(err.Error(), "line 3: ") {
		t.Errorf("a bad rule in a file: %v", err)
	}
	for _, text := range []string{"", "steal", "take:", "take:a,"} {
		if _, err := report.ParseRule(text); err == nil {
			t.Errorf("%q is a rule", text)
		}
	}
}

// A pattern that matches nothing of the plan and nothing well known is told: it may be a typing error.
func TestPatternsOfNothing(t *testing.T) {
	t.Parallel()
	made, err := report.Of([]byte(plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"delete:pcv": 1, "delete:pvc,ing,networkpolicies,StorageClasses,endpoints,hpa": 0, "delete:persistentvolume*": 0, "delete": 0,
		"take:kube-contoller-manager": 1, "take:kube-controller-manager,*-autoscaler,flux": 0, "take:KEDA": 1, "incomplete": 0,
	} {
		rule, err := report.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		if remarks := made.Unmatched([]report.Rule{rule}); len(remarks) != want {
			t.Errorf("%s: %q", text, remarks)
		}
	}
}

// The line that leaves a field to its owner has what the resource leaves to others already.
func TestIgnoreLines(t *testing.T) {
	t.Parallel()
	const line = `ignore_fields = ["spec.replicas"]`
	advised := logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]+"\n\nTo leave it to its owner, with the value it has now:\n\n  "+line)
	set := strings.ReplaceAll(plan, `"k8sconnect_manifest.web","mode":"managed","type":"k8sconnect_manifest"`, `"k8sconnect_manifest.web","mode":"managed","type":"k8sconnect_patch"`)
	ignoring := strings.Replace(plan, `"after":{"id":"apiVersion=apps`, `"after":{"ignore_fields":["spec.paused"],"id":"apiVersion=apps`, 1)
	rule := logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]+"\n\nTo leave it to its owner, add this to rules:\n\n  { kinds = [\"Deployment\"], "+line+" }")
	for name, test := range map[string]struct {
		plan string
		log  []byte
		want string
	}{
		"a warning that has it": {plan, advised, line},
		"a rule":                {set, rule, `{ kinds = ["Deployment"], ` + line + " }"},
		"a warning about additions, too": {plan, slices.Concat(advised, logOf(t, "k8sconnect_manifest.web", "Fields Added by Others: Deployment shop/web (apps/v1)",
			"Deployment shop/web (apps/v1): others have added a field that is not in yaml_body:\n\n  spec.a: \"1\", owned by \"kubectl\"\n\nTo accept it:\n\n  ignore_fields = [\"spec.a\"]")), line},
		"a warning that has none":    {plan, logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]), ""},
		"no log":                     {plan, nil, line},
		"a patch without a log":      {set, nil, ""},
		"other fields that are left": {ignoring, advised, `ignore_fields = ["spec.paused", "spec.replicas"]`},
	} {
		got, err := report.Of([]byte(test.plan), test.log)
		if err != nil {
			t.Fatal(err)
		}
		if field := got.Objects[1].Fields[0]; field.Path != "spec.replicas" || field.Ignore != test.want {
			t.Errorf("%s: %+v, want %s", name, field, test.want)
		}
	}
}

// Terraform marks an attribute that it hides as a whole, or single elements of it.
func TestHiddenValues(t *testing.T) {
	t.Parallel()
	for marks, want := range map[string]string{
		`false`: "5", `{"managed_state":{}}`: "5", `{"managed_state":{"spec.paused":true}}`: "5",
		`{"managed_state":{"spec.replicas":true}}`: "(sensitive)", `{"managed_state":true}`: "(sensitive)", `true`: "(sensitive)",
	} {
		got, err := report.Of([]byte(strings.Replace(plan, `"after_unknown":{}}}`, `"after_unknown":{},"before_sensitive":`+marks+"}}", 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if was := *got.Objects[1].Fields[0].Was; was != want {
			t.Errorf("%s: %s, want %s", marks, was, want)
		}
	}
}

// A log in which the plan has not ended is not all that it says.
func TestIncompleteLogs(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{
		"empty": "", "blank": "\n\n", "cut off": `{"type":"version","terraform":"1.11.0"}` + "\n",
		"of another plan": `{"type":"change_summary"}`,
	} {
		got, err := report.Of([]byte(plan), []byte(log))
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Incomplete) == 0 {
			t.Error(name, "counts as complete")
		}
	}
	if got, err := report.Of([]byte(plan), []byte(ended)); err != nil || len(got.Incomplete) > 0 {
		t.Errorf("a log without warnings: %q, %v", got.Incomplete, err)
	}
}

// A plan that failed breaks every rule, says so first, and claims nothing of what it would do.
func TestFailedPlan(t *testing.T) {
	t.Parallel()
	const failedPlan = `{"format_version":"1.2","errored":true,"resource_changes":[]}`
	const said = `{"type":"diagnostic","diagnostic":{"severity":"error","summary":"Field Ownership Conflict","detail":"d"}}`
	rule, err := report.ParseRule("take:nobody")
	if err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]string{"with its log": said, "with a log without the error": ended, "alone": ""} {
		got, err := report.Of([]byte(failedPlan), []byte(log))
		if err != nil {
			t.Fatal(err)
		}
		failures := got.Check([]report.Rule{rule})
		if !got.Failed || len(failures) != 1 || !strings.HasPrefix(failures[0].What, "The plan failed") {
			t.Errorf("%s: failed %t, failures %v", name, got.Failed, failures)
		}
		var text strings.Builder
		if err := formats.Text(&text, got, nil); err != nil || !strings.HasPrefix(text.String(), "The plan failed") ||
			strings.Contains(text.String(), "No manager loses") || strings.Contains(text.String(), "No object changes") {
			t.Errorf("%s: %v\n%s", name, err, text.String())
		}
	}
}

// The log of a plan that failed is enough to see the object that refuses it, first, with the owners of its fields; and so
// is that of a plan that passed, for what its warnings say.
func TestLogAlone(t *testing.T) {
	t.Parallel()
	refused := strings.ReplaceAll(string(logOf(t, "module.a.k8sconnect_manifest.api", "Field Ownership Conflict",
		strings.ReplaceAll(taking[1], "web", "api"))), `"warning"`, `"error"`)
	log := string(logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]))
	if !report.IsLog([]byte(`{"@level":"info","type":"version"}`+"\n"+log)) || report.IsLog([]byte(plan)) {
		t.Error("the log is not told from the plan")
	}
	for name, tt := range map[string]struct {
		log, object, action string
		fails               bool
	}{
		"a plan that failed": {refused + log, "Deployment shop/api (apps/v1)", report.Refused, true},
		"a plan that passed": {log, "Deployment shop/web (apps/v1)", report.Update, false},
	} {
		got, err := report.Of(nil, []byte(strings.ReplaceAll(tt.log, `{"addr":"k8sconnect_manifest.web"}}`,
			`{"addr":"k8sconnect_manifest.web","resource_type":"k8sconnect_manifest"},"action":"update"}`)))
		if err != nil {
			t.Fatal(err)
		}
		first := got.Objects[0]
		if first.ID() != tt.object || first.Action != tt.action || first.Count(changes.Take) != 1 || got.Failed != tt.fails {
			t.Errorf("%s: failed %t, first %+v", name, got.Failed, first)
		}
		if len(got.Incomplete) != 1 {
			t.Errorf("%s: incomplete: %q", name, got.Incomplete)
		}
	}
}

// What an update sets, removes and leaves of its own is listed: with values from the attributes, and of a set the paths
// from its manifests, without values.
func TestOwnChanges(t *testing.T) {
	t.Parallel()
	const own = `{"format_version":"1.2","resource_changes":[
 {"address":"k8sconnect_manifest.one","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["update"],
  "before":{"id":"apiVersion=v1,kind=ConfigMap,namespace=shop,name=one","field_manager":"k8sconnect",
   "field_ownership":{"data.left":"kubectl-patch","data.kept":"k8sconnect","data.same":"k8sconnect","data.removed":"k8sconnect"},
   "managed_state":{"data.left":"z","data.kept":"c","data.same":"s","data.removed":"b"}},
  "after":{"id":"apiVersion=v1,kind=ConfigMap,namespace=shop,name=one","field_manager":"k8sconnect",
   "field_ownership":{"data.left":"kubectl-patch","data.kept":"k8sconnect","data.same":"k8sconnect","data.new":"k8sconnect"},
   "managed_state":{"data.kept":"d","data.same":"s","data.new":"n"}},"after_unknown":{}}},
 {"address":"k8sconnect_manifests.set","mode":"managed","type":"k8sconnect_manifests","change":{"actions":["update"],
  "before":{"field_manager":"k8sconnect","objects":{"x":{"id":"apiVersion=v1,kind=Secret,namespace=shop,name=x","uid":"1"}},
   "drifted":{"x":{"stringData.left":"z"}},"owners_elsewhere":{"x":{"stringData.left":["kubectl-patch"]}},
   "secret_manifests":{"x":"{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: shop}, data: {a: aHVudGVyMg==, gone: aHVudGVyMg==}}"}},
  "after":{"field_manager":"k8sconnect","objects":{"x":{"id":"apiVersion=v1,kind=Secret,namespace=shop,name=x","uid":"1"}},"drifted":{},
   "secret_manifests":{"x":"{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: shop}, data: {a: aHVudGVyMw==}}"}},
  "after_unknown":{}}}]}`
	got, err := report.Of([]byte(own), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for _, o := range got.Objects {
		for _, f := range o.Fields {
			line := string(f.Effect) + " " + f.Path
			if f.Was != nil {
				line += " from " + *f.Was
			}
			if f.Becomes != nil {
				line += " to " + *f.Becomes
			}
			lines[o.Name] = append(lines[o.Name], line)
		}
	}
	want := map[string][]string{
		"one": {"stay data.left from z", "unset data.removed from b", "set data.kept from c to d", "set data.new to n"},
		"x":   {"unset data.gone", "set data.a"},
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if written, err := json.Marshal(got); err != nil || strings.Contains(string(written), "aHVudGVy") {
		t.Errorf("%v: %s", err, written)
	}
}

// What has data is first, then other deletions.
func TestOrder(t *testing.T) {
	t.Parallel()
	var changes []string
	for _, object := range []string{"ConfigMap:update", "ConfigMap:delete", "Namespace:delete\",\"create", "PersistentVolumeClaim:delete"} {
		kind, actions, _ := strings.Cut(object, ":")
		id := `{"id":"apiVersion=v1,kind=` + kind + `,namespace=shop,name=a"}`
		changes = append(changes, `{"address":"k8sconnect_manifest.a`+strconv.Itoa(len(changes))+`","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["`+
			actions+`"],"before":`+id+`,"after":`+id+`}}`)
	}
	r, err := report.Of([]byte(`{"format_version":"1.2","resource_changes":[`+strings.Join(changes, ",")+`]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range r.Objects {
		got = append(got, o.Kind+" "+o.Action)
	}
	want := []string{"Namespace replace", "PersistentVolumeClaim delete", "ConfigMap delete", "ConfigMap update"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the order (-want +got):\n%s", diff)
	}
}
