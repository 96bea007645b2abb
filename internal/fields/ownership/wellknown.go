package ownership

import (
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// role describes whether a manager writes what people wrote, or writes on its own.
type role string

const (
	// person is a command or a pipeline that passes on input written by people.
	person role = "person"
	// hand is a program in which people write to the cluster directly, as they do with kubectl.
	hand role = "hand"
	// controller writes on its own, except if it applies: what it applies is a manifest that people wrote.
	controller role = "controller"
	// component is a part of the control plane, or another controller that applies what it has made itself. It always
	// writes on its own.
	component role = "component"
)

// known describes a manager that its name, operation and subresource identify. An empty operation matches any; a name
// that begins with * is a suffix, and one that ends with * a prefix.
type known struct {
	name        string
	operation   metav1.ManagedFieldsOperationType
	subresource string
	who         string
	role        role
}

const (
	applies = metav1.ManagedFieldsOperationApply
	updates = metav1.ManagedFieldsOperationUpdate
)

// wellKnown is read from the top; the first row that fits counts.
var wellKnown = []known{
	{"kube-controller-manager", updates, "scale", "the HorizontalPodAutoscaler", component},
	{"kube-controller-manager", "", "status", "a built-in controller", component},
	{"kube-controller-manager", "", "", "a built-in controller", component},
	{"clusterrole-aggregation-controller", "", "", "a built-in controller", component},
	{"api-priority-and-fairness-config-producer-v1", "", "", "the API server", component},
	{"kube-scheduler", "", "", "the scheduler", component},
	{"kubelet", "", "", "the kubelet", component},
	{"kube-apiserver", "", "", "the API server", component},
	{ancientChanges, updates, "", "updates that the API server no longer tells apart", component},
	{"cloud-controller-manager", "", "", "the cloud provider's controller", component},
	{"cluster-autoscaler", "", "", "the cluster autoscaler", component},
	{"vpa-recommender", "", "", "the VerticalPodAutoscaler", controller},
	{"vpa-updater", "", "", "the VerticalPodAutoscaler", component},
	{"vpa-admission-controller", "", "", "the VerticalPodAutoscaler", controller},
	{"keda", "", "", "KEDA", controller},
	{"keda-operator", "", "", "KEDA", controller},
	{"karpenter", "", "", "Karpenter", controller},

	{"kubectl", updates, "scale", "kubectl scale", person},
	{"kubectl", applies, "", "kubectl apply --server-side", person},
	{"kubectl-client-side-apply", updates, "", "kubectl apply", person},
	{"kubectl-last-applied", applies, "", "kubectl apply --server-side, moving on from kubectl apply", person},
	{"kubectl-create", "", "", "kubectl create", person},
	{"kubectl-run", "", "", "kubectl run", person},
	{"kubectl-expose", "", "", "kubectl expose", person},
	{"kubectl-autoscale", "", "", "kubectl autoscale", person},
	{"kubectl-edit", "", "", "kubectl edit", person},
	{"kubectl-patch", "", "", "kubectl patch", person},
	{"kubectl-replace", "", "", "kubectl replace", person},
	{"kubectl-set", "", "", "kubectl set", person},
	{"kubectl-label", "", "", "kubectl label", person},
	{"kubectl-annotate", "", "", "kubectl annotate", person},
	{"kubectl-rollout", "", "", "kubectl rollout", person},
	{"kubectl-taint", "", "", "kubectl taint", person},
	{BeforeFirstApply, "", "", "whoever wrote it before the first server-side apply", person},

	{"kustomize-controller", "", "", "Flux", person},
	{"helm-controller", "", "", "Flux", person},
	{"source-controller", "", "", "Flux", person},
	{"image-automation-controller", "", "", "Flux", controller},
	{"flux-operator", "", "", "Flux", person},
	{"flux", applies, "", "the flux command", person},
	{"argocd-controller", "", "", "Argo CD", person},
	{"argocd-application-controller", "", "", "Argo CD", person},
	{"argocd-server", "", "", "Argo CD", person},
	{"rollouts-controller", "", "", "Argo Rollouts", controller},
	{"helm", "", "", "Helm", person},
	{"Helm", "", "", "Helm", person},
	{"Terraform", "", "", "the hashicorp/kubernetes provider", person},
	{"HashiCorp", "", "", "the hashicorp/kubernetes provider", person},
	{"pulumi-kubernetes", "", "", "Pulumi", person},
	{"kapp-server", "", "", "kapp", person},
	{"dashboard", "", "", "the Kubernetes dashboard", hand},
	{"dashboard", updates, "scale", "the Kubernetes dashboard", hand},
	{"Mozilla", updates, "", "a web console", hand}, // What the User-Agent of each browser begins with.
	{"k9s", "", "", "k9s", hand},
	{"k9s", updates, "scale", "k9s", hand},
	{"oc", "", "", "oc", hand},
	{"rancher", "", "", "Rancher", controller},

	// With its feature gate ServerSideApply, it applies the bundle.
	{"cainjector", "", "", "cert-manager's CA injector", component},
	{"cert-manager-cainjector", "", "", "cert-manager's CA injector", component},
	{"cert-manager", "", "", "cert-manager", controller},
	{"cert-manager-*", applies, "", "cert-manager", component}, // cert-manager-certificates-issuing, for Secrets.
	{"cert-manager-*", updates, "", "cert-manager", controller},
	{"external-secrets", "", "", "External Secrets", controller},
	// It applies what it has fetched, under the name of its domain and of the ExternalSecret.
	{"externalsecrets.external-secrets.io*", "", "", "External Secrets", component},
	{"sealed-secrets", "", "", "Sealed Secrets", controller},
	{"external-dns", "", "", "ExternalDNS", controller},
	{"pilot-discovery", "", "", "Istio", controller},
	{"istio-operator", "", "", "Istio", controller},
	{"linkerd-proxy-injector", "", "", "Linkerd", controller},
	{"nginx-ingress-controller", "", "", "ingress-nginx", controller},
	{"aws-load-balancer-controller", "", "", "the AWS load balancer controller", controller},
	{"kyverno", "", "", "Kyverno", controller},
	{"background-controller", "", "", "Kyverno", controller},
	{"gatekeeper", "", "", "Gatekeeper", controller},
	{"PrometheusOperator", "", "", "the Prometheus operator", controller},
	{"velero-server", "", "", "Velero", controller},
	{"crossplane", "", "", "Crossplane", controller},

	// By convention, names of other controllers end like this; a manager that applies may be a person's pipeline. The
	// whole name is that of the program: kubebuilder builds "manager", ko and the AWS load balancer controller
	// "controller".
	{"manager", updates, "", "a controller", controller},
	{"controller", updates, "", "a controller", controller},
	{"operator", updates, "", "a controller", controller},
	{"*-controller", updates, "", "", controller},
	{"*-controller-manager", updates, "", "", controller},
	{"*-operator", updates, "", "", controller},
	{"*-webhook", updates, "", "", controller},
	{"*-autoscaler", updates, "", "", controller},
	{"*-injector", updates, "", "", controller},
}

// terraform describes the managers under which resources of other providers write.
var terraform = []known{
	{name: "HashiCorp"},
	{name: "Terraform"},
	{name: "kubectl", operation: applies}, // kubectl_manifest with server_side_apply, or kubectl itself.
}

// partly matches what follows "k8sconnect-" in the names of managers that apply no whole object, and of claims that
// were handed over.
var partly = regexp.MustCompile(`^(?:patch-.*|restart|run-job|.*\+unfinished)$`)

// AppliesWhole reports whether a name is that of a manager under which this provider applies whole objects, if the
// configuration names none: that of single resources, or that of a set, which has a digest in it.
func AppliesWhole(name string) bool {
	digest, isOfSet := strings.CutPrefix(name, "k8sconnect-")
	return name == "k8sconnect" || isOfSet && !partly.MatchString(digest)
}

// AppliesPart reports whether a name is that of a manager under which this provider applies parts of objects, if the
// configuration names none.
func AppliesPart(name string) bool {
	rest, isOurs := strings.CutPrefix(name, "k8sconnect-")
	return isOurs && partly.MatchString(rest)
}

// Helm names the managers under which releases are written: by helm, by Flux, and by the hashicorp/helm provider, whose
// program has its version in its name; see [IsCalled].
var Helm = []string{"helm", "helm-controller", "terraform-provider-helm*"}

// IsOfHelm reports whether the manager of a claim is one of [Helm].
func (c Claim) IsOfHelm() bool {
	return slices.ContainsFunc(Helm, func(requested string) bool { return IsCalled(c.Name, requested) })
}

// OfTerraform returns the claims under whose names resources of Terraform write, fieldManager's among them, in order.
func (c Claims) OfTerraform(fieldManager string) Claims {
	return c.Where(func(claim Claim) bool {
		isKnown := claim.Operation == applies && AppliesWhole(claim.Name) ||
			slices.ContainsFunc(terraform, func(row known) bool { return row.fits(claim.Manager) })
		return !claim.Fields.Empty() && (isKnown || claim.IsOwn(fieldManager))
	})
}

// WithoutKubectl returns the claims of other managers than kubectl, which is also kubectl_manifest with
// server_side_apply, but far more often kubectl itself.
func (c Claims) WithoutKubectl() Claims {
	return c.Where(func(claim Claim) bool { return claim.Name != "kubectl" })
}

func (k known) fits(m Manager) bool {
	suffix, ends := strings.CutPrefix(k.name, "*")
	prefix, begins := strings.CutSuffix(k.name, "*")
	named := m.Name == k.name || ends && strings.HasSuffix(m.Name, suffix) ||
		begins && strings.HasPrefix(m.Name, prefix)
	return named && (k.operation == "" || k.operation == m.Operation) && k.subresource == m.Subresource
}

func (m Manager) known() (known, bool) {
	for _, row := range wellKnown {
		if row.fits(m) {
			return row, true
		}
	}
	return known{}, false
}

// WellKnown returns the names of the managers that this package knows, without those of which it knows a part only.
func WellKnown() []string {
	var names []string
	for _, row := range wellKnown {
		if !strings.Contains(row.name, "*") {
			names = append(names, row.name)
		}
	}
	return names
}

// KnownAs returns a description of a well-known manager, "kubectl edit" for instance; "" for any other.
func (m Manager) KnownAs() string {
	row, _ := m.known()
	return row.who
}

// Writer is the kind of client behind a manager.
type Writer int

// The writers, in the order in which the loss of a value matters: a controller sets its value again, and a person does
// not see what was lost. A tool has the value in a manifest, and so have managers that are not known.
const (
	Controller Writer = iota
	Person
	Tool
)

// String returns "controller", "person" or "tool".
func (w Writer) String() string { return [...]string{"controller", "person", "tool"}[w] }

// Writer returns who is behind the manager.
func (m Manager) Writer() Writer {
	row, _ := m.known()
	switch {
	case strings.HasPrefix(m.Name, "kubectl"), row.role == hand:
		return Person
	case m.isController():
		return Controller
	}
	return Tool
}

// IsControlPlane reports whether the manager is a part of the control plane that fills in values which it alone knows.
// An autoscaler, which writes through the subresource scale, is not.
func (m Manager) IsControlPlane() bool {
	row, _ := m.known()
	return row.role == component && row.subresource != "scale"
}

// isController reports whether a manager writes what no person wrote: by the table, or because it writes through a
// subresource such as status or scale.
func (m Manager) isController() bool {
	row, _ := m.known()
	return m.Subresource != "" || row.role == component || row.role == controller && m.Operation != applies
}

// OfPeople returns the claims of people and their tools, controllers left out, in order.
func (c Claims) OfPeople() Claims {
	return c.Held().Where(func(claim Claim) bool { return !claim.isController() })
}

// Authored returns the fields that people or their tools own, controllers left out.
func (c Claims) Authored() *paths.Set { return c.OfPeople().Fields() }

// Scaled returns the fields that people have set by commands that scale.
func (c Claims) Scaled() *paths.Set {
	return c.Where(func(claim Claim) bool { return claim.Subresource == "scale" && claim.Writer() == Person }).Fields()
}

// Applied returns the fields that people or their tools own by server-side apply, which records exactly what they
// wrote.
func (c Claims) Applied() *paths.Set {
	return c.Where(func(claim Claim) bool { return claim.Operation == applies && !claim.isController() }).Fields()
}

// reactions describes what tools that use server-side apply do when a field of theirs has another value and owner.
var reactions = map[string]string{
	"helm": `Helm does not force its applies: ` +
		`the next "helm upgrade" fails with a conflict on this field.`,
	"kustomize-controller": "Flux forces its applies: it takes the field back when it reconciles next.",
	"argocd-controller": "Argo CD forces its applies: it shows the application as out of sync, and its " +
		"next sync takes the field back.",
	"argocd-application-controller": "Argo CD forces its applies: it shows the application as out of sync, and its " +
		"next sync takes the field back.",
}

// Reaction returns a sentence about the reaction of a well-known tool to the loss of a field; "" for any other manager.
func (m Manager) Reaction() string {
	if m.Operation != applies || m.Subresource != "" {
		return ""
	}
	return reactions[m.Name]
}

// IsCalled reports whether the name of a manager is the requested one. A requested name that ends in * matches all
// names with that prefix.
func IsCalled(name, requested string) bool {
	prefix, open := strings.CutSuffix(requested, "*")
	return name == requested || open && strings.HasPrefix(name, prefix)
}
