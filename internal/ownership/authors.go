package ownership

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// controlPlane are the components whose writes nobody wrote down. Other controllers are told by their
// names, which end in one of controllerSuffixes by custom.
var (
	controlPlane = map[string]bool{
		"kube-controller-manager":  true,
		"kube-scheduler":           true,
		"kubelet":                  true,
		"cloud-controller-manager": true,
		"vpa-updater":              true,
		"cluster-autoscaler":       true,
	}
	controllerSuffixes = []string{"-controller", "-controller-manager", "-operator", "-webhook", "-autoscaler", "-injector"}
)

// isController says whether a manager is a controller: by name, or because it writes through a
// subresource such as status or scale.
func (m Manager) isController() bool {
	if m.Subresource != "" || controlPlane[m.Name] {
		return true
	}
	if m.Operation == metav1.ManagedFieldsOperationApply {
		return false
	}
	for _, suffix := range controllerSuffixes {
		if strings.HasSuffix(m.Name, suffix) {
			return true
		}
	}
	return false
}

// Authored are the fields that people or their tools own, controllers left out.
func (c Claims) Authored() *paths.Set {
	authored := paths.NewSet()
	for _, claim := range c {
		if !claim.isController() {
			authored = authored.Union(claim.Fields)
		}
	}
	return authored
}

// Applied are the fields that people or their tools own by server-side apply, which records just what
// they wrote.
func (c Claims) Applied() *paths.Set {
	applied := paths.NewSet()
	for _, claim := range c {
		if claim.Operation == metav1.ManagedFieldsOperationApply && !claim.isController() {
			applied = applied.Union(claim.Fields)
		}
	}
	return applied
}
