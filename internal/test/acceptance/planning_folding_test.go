package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The same warning about many objects is one that Terraform folds; what needs a decision for each is not folded.
func TestEqualWarningsFold(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	w.InstallKind(versionedKind("Thing"))
	each := func(name, body, arguments string) string {
		return "resource \"k8sconnect_manifest\" \"" + name + "\" {\n  for_each = toset([\"a\", \"b\", \"c\", \"d\"])\n  yaml_body = <<-YAML\n" +
			strings.Replace(w.Expand(body), "name: web", "name: "+name+"-${each.key}", 1) + "\nYAML\n  " + arguments + "\n}\n"
	}
	old := strings.Replace(thing("size: 1"), "/v1,", "/v1beta1,", 1)
	w.Configure(
		each("old", old, ""),
		each("settings", story.ConfigMap, `ignore_fields = ["data.color"]`),
		each("hidden", story.ConfigMap, `sensitive_fields = ["data.color"]`),
		each("later", strings.Replace(thing("size: 1"), "/v1,", "/v2,", 1), ""),
	)
	out := w.Do("plan")
	for _, summary := range []string{
		"Warning: API Server Warning: Thing v1beta1 goes away; write v1", "Warning: Ignored Field Not Found",
		"Warning: Sensitive Field Not Found", "Warning: Kind Not Served Yet: " + w.Expand("NS.example.com/v2 Thing"),
	} {
		_, after, _ := strings.Cut(out, summary)
		if n := strings.Count(out, summary); n != 1 || !strings.Contains(after, "(and 3 more similar warnings elsewhere)") {
			t.Errorf("%q is shown %d times:\n%s", summary, n, out)
		}
	}

	w.Configure(each("settings", story.ConfigMap, ""))
	w.Do("apply", "-auto-approve")
	for _, key := range []string{"a", "b", "c", "d"} {
		w.As("kubectl-edit").Patch("v1 ConfigMap settings-"+key, `{"data":{"colour":"blue"}}`)
	}
	if out := w.Do("plan"); strings.Count(out, "Warning: Field Ownership Conflict: ConfigMap") != 4 {
		t.Errorf("each conflict needs a decision of its own:\n%s", out)
	}
	// The short form names each object, with its namespace and kind.
	var named []string
	for line := range strings.Lines(w.Do("plan", "-compact-warnings")) {
		if strings.HasPrefix(line, "- Field") {
			named = append(named, strings.TrimSpace(line))
		}
	}
	slices.Sort(named)
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(strings.ReplaceAll(`
- Field Ownership Conflict: ConfigMap NS/settings-a (v1)
- Field Ownership Conflict: ConfigMap NS/settings-b (v1)
- Field Ownership Conflict: ConfigMap NS/settings-c (v1)
- Field Ownership Conflict: ConfigMap NS/settings-d (v1)`, "NS", w.Namespace)), "\n"), named); diff != "" {
		t.Errorf("with -compact-warnings (-want +got):\n%s", diff)
	}
}
