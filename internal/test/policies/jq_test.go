package policies

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/itchyny/gojq"
)

// The policy for jq fails with one line for each field that a manager loses, and for each plan that does not know them.
func TestJQ(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../examples/guard/policy.jq")
	if err != nil {
		t.Fatal(err)
	}
	query, err := gojq.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	first := func(plan any) any {
		value, _ := query.RunWithContext(t.Context(), plan).Next()
		return value
	}
	var failed *gojq.HaltError
	if err, is := first(plan(t)).(error); !is || !errors.As(err, &failed) || failed.ExitCode() != 1 {
		t.Fatalf("got %v", err)
	}
	want := "k8sconnect_manifest.limits: the saved plan does not know its conflicts\n" +
		"k8sconnect_manifest.login: kubectl-edit would lose data.password\n" +
		"k8sconnect_manifest.web: kube-controller-manager would lose spec.replicas\n" +
		"k8sconnect_manifest.web: kubectl-set would lose spec.template.spec.containers[name=\"web\"].image\n" +
		"k8sconnect_manifests.banners: kubectl-edit would lose summer: data.text\n"
	if got, _ := failed.Value().(string); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	shop, _ := plan(t).(map[string]any)
	changes, _ := shop["resource_changes"].([]any)
	shop["resource_changes"] = slices.DeleteFunc(changes, func(change any) bool {
		of, _ := change.(map[string]any)
		return of["name"] != "orders"
	})
	if got := first(shop); got != "no manager loses a field" {
		t.Errorf("of a plan that takes nothing: %v", got)
	}
	shop["errored"] = true
	if err, is := first(shop).(error); !is || !errors.As(err, &failed) || failed.Value() != "the plan failed, so nobody knows what an apply would do\n" {
		t.Errorf("of a plan that failed: %v", err)
	}
	if err, is := first(state).(error); !is || !errors.As(err, &failed) || failed.Value() != "this is no plan: write terraform show -json PLANFILE\n" {
		t.Errorf("of a state: %v", err)
	}
}
