package ownership

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestKnownAs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		manager Manager
		want    string
	}{
		{Manager{Name: "kube-controller-manager", Operation: updates, Subresource: "scale"}, "the HorizontalPodAutoscaler"},
		{Manager{Name: "kube-controller-manager", Operation: updates, Subresource: "status"}, "a built-in controller"},
		{Manager{Name: "kube-controller-manager", Operation: updates}, "a built-in controller"},
		{Manager{Name: "kubectl", Operation: updates, Subresource: "scale"}, "kubectl scale"},
		{Manager{Name: "kubectl", Operation: applies}, "kubectl apply --server-side"},
		{Manager{Name: "kubectl", Operation: updates}, ""},
		{Manager{Name: "kubectl-client-side-apply", Operation: updates}, "kubectl apply"},
		{Manager{Name: "kubectl-run", Operation: updates}, "kubectl run"},
		{Manager{Name: "kubectl-expose", Operation: updates}, "kubectl expose"},
		{Manager{Name: "kustomize-controller", Operation: applies}, "Flux"},
		{Manager{Name: "cert-manager-certificates-issuing", Operation: applies}, "cert-manager"},
		{Manager{Name: "externalsecrets.external-secrets.io/database", Operation: applies}, "External Secrets"},
		{Manager{Name: "my-operator", Operation: updates}, ""},
		{Manager{Name: "someone", Operation: updates}, ""},
	}
	for _, tt := range tests {
		if got := tt.manager.KnownAs(); got != tt.want {
			t.Errorf("%s is known as %q, want %q", tt.manager, got, tt.want)
		}
	}
}

// TestWellKnownRowsCount checks that no row of the table is hidden behind an earlier one, and that each names a manager
// or tells a controller by its suffix.
func TestWellKnownRowsCount(t *testing.T) {
	t.Parallel()
	for i, row := range wellKnown {
		example := Manager{Name: row.name, Operation: row.operation, Subresource: row.subresource}
		if example.Operation == "" {
			example.Operation = updates
		}
		if row.name[0] == '*' {
			example.Name = "x" + row.name[1:]
		}
		if found, has := example.known(); !has || found != row {
			t.Errorf("row %d, %s, is hidden by %+v", i, row.name, found)
		}
		if (row.who == "") != (row.name[0] == '*') || row.role == "" {
			t.Errorf("row %d, %s, says %q, %q", i, row.name, row.who, row.role)
		}
	}
}

func TestIsController(t *testing.T) {
	t.Parallel()
	tests := []struct {
		manager Manager
		want    bool
	}{
		{Manager{Name: "kube-controller-manager", Operation: updates}, true},
		{Manager{Name: "kube-controller-manager", Operation: applies}, true},
		{Manager{Name: "anyone", Operation: updates, Subresource: "scale"}, true},
		{Manager{Name: "my-operator", Operation: updates}, true},
		{Manager{Name: "my-operator", Operation: applies}, false},
		{Manager{Name: "cert-manager", Operation: applies}, false},
		{Manager{Name: "cert-manager-certificates-issuing", Operation: applies}, true},
		{Manager{Name: "cert-manager-cainjector", Operation: updates}, true},
		{Manager{Name: "cert-manager-cainjector", Operation: applies}, true},
		{Manager{Name: "externalsecrets.external-secrets.io/database", Operation: applies}, true},
		{Manager{Name: "manager", Operation: updates}, true},
		{Manager{Name: "controller", Operation: updates}, true},
		{Manager{Name: "controller", Operation: applies}, false},
		{Manager{Name: "Mozilla", Operation: updates}, false},
		{Manager{Name: "kustomize-controller", Operation: updates}, false},
		{Manager{Name: "kubectl-edit", Operation: updates}, false},
	}
	for _, tt := range tests {
		if got := tt.manager.isController(); got != tt.want {
			t.Errorf("%s is a controller: %t", tt.manager, got)
		}
	}
}

// The names that the provider gives the managers of whole objects are of Terraform. Those of patches, of actions and of
// claims that no manager holds are not.
func TestOfTerraform(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"k8sconnect":                         true,
		"k8sconnect-6cejfu4dl0dl":            true,
		"k8sconnect-payments":                true,
		"k8sconnect-patch-0a1b2c3d":          false,
		"k8sconnect-restart":                 false,
		"k8sconnect-run-job":                 false,
		"k8sconnect+unfinished":              false,
		"k8sconnect-6cejfu4dl0dl+unfinished": false,
		"k8sconnector":                       false,
		"ours":                               true,
	} {
		claim := Claim{Manager: Manager{Name: name, Operation: applies}, Fields: paths.NewSet(paths.Path{paths.Field("data")})}
		if got := len(Claims{claim}.OfTerraform("ours")) == 1; got != want {
			t.Errorf("%s is of Terraform: %t", name, got)
		}
	}
}

func TestIsCalled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, requested string
		want            bool
	}{
		{"flux", "flux", true},
		{"flux", "flu", false},
		{"flux", "flu*", true},
		{"flux", "flux*", true},
		{"flux", "*", true},
		{"flux", "argocd*", false},
		{"flux", "fl*x", false},
		{"fl*", "fl*", true},
	} {
		if got := IsCalled(tt.name, tt.requested); got != tt.want {
			t.Errorf("%q for %q: got %t", tt.name, tt.requested, got)
		}
	}
}
