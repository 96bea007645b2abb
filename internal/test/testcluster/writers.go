package testcluster

import (
	"context"
	"io"
	"os"
)

// definitionsFile is the name of the file with the CustomResourceDefinitions of a controller.
const definitionsFile = "definitions.yaml"

// The programs that write to the objects that this provider manages. certManagerRecipe builds the main package of its
// nested module: those of cert-manager are in other modules, which have no releases.
var (
	helmRecipe = recipe{
		module: "helm", path: "helm.sh/helm/v4",
		programs: []program{{name: "helm", pkg: "helm.sh/helm/v4/cmd/helm"}},
		ldflags:  strippedLDFlags,
	}
	kustomizeRecipe = recipe{
		module: "kustomize-controller", path: "github.com/fluxcd/kustomize-controller",
		programs: []program{{name: "kustomize-controller", pkg: "github.com/fluxcd/kustomize-controller"}},
		ldflags:  strippedLDFlags,
		bundle: &bundle{
			name: definitionsFile, dir: "config/crd/bases",
			files: []string{"kustomize.toolkit.fluxcd.io_kustomizations.yaml"},
		},
	}
	certManagerRecipe = recipe{
		module: "cert-manager", path: "github.com/cert-manager/cert-manager",
		programs: []program{{name: "cert-manager", pkg: "."}},
		ldflags:  strippedLDFlags,
		bundle: &bundle{name: definitionsFile, dir: "deploy/crds", files: []string{
			"cert-manager.io_certificates.yaml", "cert-manager.io_certificaterequests.yaml",
			"cert-manager.io_issuers.yaml", "cert-manager.io_clusterissuers.yaml",
		}},
	}
	kyvernoRecipe = recipe{
		module: "kyverno", path: "github.com/kyverno/kyverno",
		programs: []program{{name: "kyverno", pkg: "github.com/kyverno/kyverno/cmd/kyverno"}},
		ldflags:  strippedLDFlags,
		bundle:   &bundle{name: definitionsFile, dir: "config/crds", files: kyvernoDefinitions()},
	}
)

// kyvernoDefinitions are those that the admission controller watches.
func kyvernoDefinitions() []string {
	var files []string
	for _, kind := range []string{
		"clusterpolicies", "policies", "globalcontextentries", "policyexceptions", "updaterequests",
	} {
		files = append(files, "kyverno/kyverno.io_"+kind+".yaml")
	}
	for _, kind := range []string{
		"validatingpolicies", "mutatingpolicies", "generatingpolicies", "imagevalidatingpolicies",
		"namespacedvalidatingpolicies", "namespacedmutatingpolicies", "namespacedgeneratingpolicies",
		"namespacedimagevalidatingpolicies", "policyexceptions",
	} {
		files = append(files, "policies.kyverno.io/policies.kyverno.io_"+kind+".yaml")
	}
	return files
}

// Writers are programs of other projects that write to the objects of a cluster.
type Writers struct {
	// Helm is the path of Helm 4.
	Helm string
	// Kustomize is Flux's kustomize-controller.
	Kustomize Writer
	// CertManager issues self-signed certificates and injects CAs.
	CertManager Writer
	// Kyverno is the admission controller of Kyverno: webhooks that change and refuse the writes of other clients.
	Kyverno Writer
}

// Writer is a controller that writes to the objects of a cluster.
type Writer struct {
	// path is that of the executable.
	path string
	// kubeconfigFlag is true if it does not read the variable KUBECONFIG.
	kubeconfigFlag bool
	// Definitions are the CustomResourceDefinitions that it needs, as YAML documents.
	Definitions string
	// Environment are variables for it, "NAME=value".
	Environment []string
}

// BuildWriters builds the writers into the cache of [Build], from the nested modules that pin them. progress gets a
// line as each one builds.
func BuildWriters(ctx context.Context, progress io.Writer) (Writers, error) {
	counter := &buildCounter{total: 4, progress: orDiscard(progress)}
	helm, err := buildWriter(ctx, helmRecipe, counter)
	if err != nil {
		return Writers{}, err
	}
	kustomize, err := buildWriter(ctx, kustomizeRecipe, counter)
	if err != nil {
		return Writers{}, err
	}
	certManager, err := buildWriter(ctx, certManagerRecipe, counter)
	if err != nil {
		return Writers{}, err
	}
	kyverno, err := buildWriter(ctx, kyvernoRecipe, counter)
	kyverno.kubeconfigFlag = true
	return Writers{Helm: helm.path, Kustomize: kustomize, CertManager: certManager, Kyverno: kyverno}, err
}

// BuildHelm does what [BuildWriters] does for Helm 4 alone, and returns its path.
func BuildHelm(ctx context.Context, progress io.Writer) (string, error) {
	helm, err := buildWriter(ctx, helmRecipe, &buildCounter{total: 1, progress: orDiscard(progress)})
	return helm.path, err
}

func buildWriter(ctx context.Context, r recipe, counter *buildCounter) (Writer, error) {
	build, err := newModuleBuild(ctx, r, counter)
	if err != nil {
		return Writer{}, err
	}
	if err := build.ensure(); err != nil {
		return Writer{}, err
	}
	built := Writer{path: build.file(r.programs[0].name)}
	if r.bundle == nil {
		return built, nil
	}
	text, err := os.ReadFile(build.file(r.bundle.name))
	built.Definitions = string(text)
	return built, err
}

// StartWriter starts a controller, which is an administrator under the name of a user and ends with the control plane.
// Its definitions have to be served.
func (c *ControlPlane) StartWriter(w Writer, user string, flags ...string) error {
	kubeconfig, err := c.writeKubeconfig(user, user, "system:masters")
	if err != nil {
		return err
	}
	if w.kubeconfigFlag {
		flags = append([]string{"--kubeconfig=" + kubeconfig}, flags...)
	}
	return c.startProgram(w.path, append([]string{"KUBECONFIG=" + kubeconfig}, w.Environment...), flags...)
}
