// Package projects reads what other projects publish in their Go modules: install files, and definitions of kinds.
package projects

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// InstallFile is what a project publishes for kubectl apply, in the Go module of the project.
type InstallFile struct {
	// Module has a Version, and Next is the version of the upgrade; "" if the upgrade is one of the images.
	Module, Version, Next string
	// Files are patterns in the module, in the order in which they are joined. Other replaces them for the upgrade.
	Files []string
	Other string
	// Namespace is the one for which it is written; "" for one that it contains, or that of the story. Rules are those
	// that its user has there beside the ClusterRole admin; without them the user is an administrator.
	Namespace, Rules string
}

// InstallFiles are those of twelve projects, by name.
var InstallFiles = map[string]InstallFile{
	"ingress-nginx": {
		Module: "k8s.io/ingress-nginx", Version: "v0.0.0-20240708192948-52c50467d67d",
		Files: []string{"deploy/static/provider/baremetal/deploy.yaml"},
		Other: "deploy/static/provider/cloud/deploy.yaml",
	},
	"prometheus-operator": {
		Module: "github.com/prometheus-operator/prometheus-operator", Version: "v0.85.0",
		Files: []string{"bundle.yaml"},
	},
	"metallb": {
		Module: "go.universe.tf/metallb", Version: "v0.15.2", Next: "v0.16.2",
		Files: []string{"config/manifests/metallb-frr.yaml"},
	},
	"contour": {
		Module: "github.com/projectcontour/contour", Version: "v1.32.0", Next: "v1.33.8",
		Files: []string{"examples/render/contour.yaml"},
	},
	"argo-cd": {
		Module: "github.com/argoproj/argo-cd/v3", Version: "v3.3.0", Next: "v3.4.0",
		Files: []string{"manifests/install.yaml"}, Namespace: "argocd",
	},
	"argo-cd in a namespace": {
		Module: "github.com/argoproj/argo-cd/v3", Version: "v3.3.0", Next: "v3.4.0",
		Files: []string{"manifests/namespace-install.yaml"},
		Rules: `{apiGroups: [argoproj.io], resources: ["*"], verbs: ["*"]}`,
	},
	"argo-rollouts": {
		Module: "github.com/argoproj/argo-rollouts", Version: "v1.7.2", Next: "v1.8.3",
		Files: []string{"manifests/install.yaml"}, Namespace: "argo-rollouts",
	},
	"flannel": {
		Module: "github.com/flannel-io/flannel", Version: "v0.27.4", Next: "v0.28.10",
		Files: []string{"Documentation/kube-flannel.yml"},
	},
	"local-path-provisioner": {
		Module: "github.com/rancher/local-path-provisioner", Version: "v0.0.30",
		Files: []string{"deploy/local-path-storage.yaml"},
	},
	"snapshot-controller": {
		Module: "github.com/kubernetes-csi/external-snapshotter/v8", Version: "v8.7.0",
		Files: []string{"deploy/kubernetes/snapshot-controller/*snapshot-controller.yaml"},
	},
	"descheduler": {
		Module: "sigs.k8s.io/descheduler", Version: "v0.36.0",
		Files: []string{
			"kubernetes/base/rbac.yaml", "kubernetes/base/configmap.yaml", "kubernetes/deployment/deployment.yaml",
		},
	},
	"gateway-api": {
		Module: "sigs.k8s.io/gateway-api", Version: "v1.4.1", Next: "v1.5.0",
		Files: []string{"config/crd/standard/*.yaml"},
	},
}

// Download returns the directory of a version of a module.
func Download(ctx context.Context, module, version string) (string, error) {
	//nolint:gosec // A test names the module.
	list := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	list.Dir = os.TempDir()
	text, err := list.Output()
	var found struct{ Dir, Error string }
	if failed := json.Unmarshal(text, &found); failed != nil || found.Dir == "" {
		return "", fmt.Errorf("go mod download %s@%s: %w %s", module, version, errors.Join(err, failed), found.Error)
	}
	return found.Dir, nil
}

// Read joins the files that patterns name in a version of a module.
func Read(ctx context.Context, module, version string, patterns ...string) (string, error) {
	dir, err := Download(ctx, module, version)
	if err != nil {
		return "", err
	}
	var documents []string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		if len(names) == 0 {
			return "", fmt.Errorf("%s@%s has no %s", module, version, pattern)
		}
		for _, name := range names {
			text, err := os.ReadFile(name) //nolint:gosec // It is a file of the module.
			if err != nil {
				return "", err
			}
			documents = append(documents, string(text))
		}
	}
	return strings.Join(documents, "\n---\n"), nil
}
