package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func TestIgnoringAddsOneLine(t *testing.T) {
	t.Parallel()
	before, err := scene("web.tf")
	if err != nil {
		t.Fatal(err)
	}
	after, err := scene("web_ignoring.tf")
	if err != nil {
		t.Fatal(err)
	}
	const line = "  ignore_fields = [\"spec.replicas\"]\n"
	if diff := cmp.Diff("+"+line, addedLines(before, after)); diff != "" {
		t.Errorf("added lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, strings.Replace(after, line+"\n", "", 1)); diff != "" {
		t.Errorf("web_ignoring.tf without that line (-web.tf +web_ignoring.tf):\n%s", diff)
	}
}

func TestDescribeOwnersOfReplicas(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		managedFields, want string
	}{
		"nobody": {want: "nobody"},
		"a manager of other fields is left out": {
			managedFields: `[{manager: a, operation: Apply, fieldsV1: {"f:spec": {"f:replicasX": {}}, "f:replicas": {}}}]`,
			want:          "nobody"},
		"a manager without fields is left out": {
			managedFields: `[{manager: a, operation: Apply}]`, want: "nobody"},
		"an applier": {
			managedFields: `[{manager: a, operation: Apply, fieldsV1: {"f:spec": {"f:replicas": {}}}}]`,
			want:          "a (Apply)"},
		"two, one through a subresource": {
			managedFields: `[{manager: a, operation: Apply, fieldsV1: {"f:spec": {"f:replicas": {}}}},
				{manager: b, operation: Update, subresource: scale, fieldsV1: {"f:spec": {"f:replicas": {}}}}]`,
			want: "a (Apply) and b (Update, subresource scale)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var entries []metav1.ManagedFieldsEntry
			if err := yaml.Unmarshal([]byte(tt.managedFields), &entries); err != nil {
				t.Fatal(err)
			}
			owners, err := ownersOfReplicas(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{ManagedFields: entries}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, describe(owners)); diff != "" {
				t.Errorf("owners (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlanJSON(t *testing.T) {
	t.Parallel()
	const text = `{"resource_changes":[
		{"address":"k8sconnect_manifest.web","change":{"actions":["update"],
			"before":{"field_ownership":{"spec.replicas":"kube-controller-manager"},"co_owners":{},"managed_state":{"spec.replicas":"4"}},
			"after":{"field_ownership":{"spec.replicas":"k8sconnect"},"co_owners":{"a":["b","c"]},"managed_state":{"spec.replicas":"2"}}}},
		{"address":"k8sconnect_manifest.gone","change":{"actions":["no-op"],"before":{},"after":null}}]}`
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	before, after := p.of("web")
	want := []attributes{
		{FieldOwnership: map[string]string{"spec.replicas": "kube-controller-manager"},
			CoOwners: map[string][]string{}, ManagedState: map[string]string{"spec.replicas": "4"}},
		{FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
			CoOwners: map[string][]string{"a": {"b", "c"}}, ManagedState: map[string]string{"spec.replicas": "2"}},
	}
	if diff := cmp.Diff(want, []attributes{before, after}); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	err := p.expectEmpty()
	if err == nil || !strings.Contains(err.Error(), "update k8sconnect_manifest.web") {
		t.Errorf("a plan with an update is reported as %v", err)
	}
	p.ResourceChanges = p.ResourceChanges[1:]
	if err := p.expectEmpty(); err != nil {
		t.Errorf("a plan without changes: %v", err)
	}
}

func TestExpectTextSeesThroughWrapping(t *testing.T) {
	t.Parallel()
	p := &plan{Text: "\x1b[1mtwo\x1b[0m\n  words"}
	if err := p.expectText("two words"); err != nil {
		t.Error(err)
	}
	err := p.expectText("two words", "three words")
	if err == nil || err.Error() != `the plan does not say "three words"` {
		t.Errorf("a missing text is reported as %v", err)
	}
}

func TestEnvironmentDropsWhatConfiguresTheCLI(t *testing.T) {
	t.Parallel()
	work := &workspace{root: "/root-of-demo", cli: testcluster.CLI{Product: testcluster.ProductTerraform}}
	got := work.environment([]string{
		"HOME=/home/a", "TF_CLI_ARGS=-x", "TF_VAR_namespace=other", "KUBE_CTX=other", "KUBE_CONFIG_PATH=/other",
		"KUBECONFIG=/kept",
	}, "/kubeconfig", "demo-a")
	want := []string{
		"HOME=/home/a", "KUBECONFIG=/kept", "KUBE_CONFIG_PATH=/kubeconfig", "TF_CLI_CONFIG_FILE=/root-of-demo/cli.tfrc",
		"TF_VAR_namespace=demo-a", "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
