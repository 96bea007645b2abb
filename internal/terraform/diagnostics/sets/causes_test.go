package sets_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// What is the same for several objects is said once, with the objects. Everything else is said as it was.
func TestJoined(t *testing.T) {
	t.Parallel()
	object := func(name string) manifest.Identity {
		return manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: name}
	}
	said := func(name string, d func(summary, detail string) diag.Diagnostic, summary, detail string) sets.Said {
		return sets.Said{Object: object(name), Entry: `manifests["` + name + `"]`, Diagnostic: d(summary, detail)}
	}
	failing := func(summary, detail string) diag.Diagnostic { return diag.NewErrorDiagnostic(summary, detail) }
	warning := func(summary, detail string) diag.Diagnostic { return diag.NewWarningDiagnostic(summary, detail) }
	got := sets.Joined([]sets.Said{
		said("a", failing, "Forbidden", `ConfigMap shop/a (v1): configmaps "a" is forbidden. Correct manifests["a"].`),
		said("c", warning, "Conflict: ConfigMap shop/c (v1)", "ConfigMap shop/c (v1): data.x is taken."),
		said("b", failing, "Forbidden", `ConfigMap shop/b (v1): configmaps "b" is forbidden. Correct manifests["b"].`),
		said("d", warning, "Conflict: ConfigMap shop/d (v1)", "ConfigMap shop/d (v1): data.y is taken."),
		said("e", warning, "Added", `ConfigMap shop/e (v1): "kubectl" (last write 9s ago).`),
		said("f", warning, "Added", `ConfigMap shop/f (v1): "kubectl" (last write 10s ago).`),
		said("h", warning, "Stays", "Delete "+object("h").Kubectl("delete")+" first.\n\n  "+diagnostics.RuleFor(object("h"), "ignore_fields", []string{"data.v"})),
		said("g", warning, "Stays", "Delete "+object("g").Kubectl("delete")+" first.\n\n  "+diagnostics.RuleFor(object("g"), "ignore_fields", []string{"data.v"})),
		said("i", warning, "Alone", "Delete "+object("i").Kubectl("delete")+" first."),
		said("j", failing, "Webhook", "No answer; waited 13s for it."),
		said("k", failing, "Webhook", "No answer; waited 1m2s for it."),
	})
	want := diag.Diagnostics{
		diag.NewErrorDiagnostic("Forbidden", "Configmaps NAME is forbidden. Correct its manifest.\n\nThe objects:\n\n"+
			"  ConfigMap shop/a (v1)\n  ConfigMap shop/b (v1)"),
		diag.NewWarningDiagnostic("Conflict: ConfigMap shop/c (v1)", "ConfigMap shop/c (v1): data.x is taken."),
		diag.NewWarningDiagnostic("Conflict: ConfigMap shop/d (v1)", "ConfigMap shop/d (v1): data.y is taken."),
		diag.NewWarningDiagnostic("Added", `"kubectl" (last write 9s ago).`+"\n\nThe objects:\n\n  ConfigMap shop/e (v1)\n  ConfigMap shop/f (v1)"),
		diag.NewWarningDiagnostic("Stays", "Delete kubectl delete configmap/g configmap/h -n shop first.\n\n"+
			`  { kinds = ["ConfigMap"], namespaces = ["shop"], names = ["g", "h"], ignore_fields = ["data.v"] }`+
			"\n\nThe objects:\n\n  ConfigMap shop/g (v1)\n  ConfigMap shop/h (v1)"),
		diag.NewWarningDiagnostic("Alone", "Delete kubectl delete configmap/i -n shop first."),
		diag.NewErrorDiagnostic("Webhook", "No answer; waited 13s for it.\n\nThe objects:\n\n  ConfigMap shop/j (v1)\n  ConfigMap shop/k (v1)"),
	}
	if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An error lists ten objects, and counts the others. A warning lists all: it may say what goes.
func TestJoinedLists(t *testing.T) {
	t.Parallel()
	for severity, lines := range map[diag.Severity]int{diag.SeverityError: 11, diag.SeverityWarning: 12} {
		var all []sets.Said
		for _, name := range strings.Split("abcdefghijkl", "") {
			object := manifest.Identity{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: name}
			all = append(all, sets.Said{Object: object, Diagnostic: diagnostics.Of(severity, "Failed", object.String()+": it failed.")})
		}
		got := texts(sets.Joined(all))
		if len(got) != 1 || strings.Count(got[0], "\n  ") != lines || strings.Contains(got[0], "and 2 more") != (severity == diag.SeverityError) {
			t.Errorf("%s: %q", severity, got)
		}
	}
}

// What other managers have added is listed for some objects, however many have something. Errors are said for all.
func TestJoinedAdditions(t *testing.T) {
	t.Parallel()
	for severity, want := range map[diag.Severity]int{diag.SeverityError: 100, diag.SeverityWarning: 21} {
		var all []sets.Said
		for n := range 100 {
			object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: strconv.Itoa(n)}
			all = append(all, sets.Said{Object: object, Entry: "entry " + object.Name, Diagnostic: diagnostics.Of(severity, "Fields Added by Others: "+object.String(), object.String()+": data."+object.Name)})
		}
		got := texts(sets.Joined(all))
		if len(got) != want || severity == diag.SeverityWarning && !strings.Contains(got[20], "80 more objects") {
			t.Errorf("%s: %d, %q", severity, len(got), got)
		}
	}
}

func texts(diags diag.Diagnostics) []string {
	var all []string
	for _, d := range diags {
		all = append(all, d.Severity().String()+" "+d.Summary()+"\n"+d.Detail())
	}
	return all
}
