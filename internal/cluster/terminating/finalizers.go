package terminating

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ofNamespaces is the finalizer that every namespace has in its spec until its content is deleted.
const ofNamespaces = "kubernetes"

// Finalizers returns the names of the finalizers of an object, and then of those in the spec of a namespace.
func Finalizers(live *unstructured.Unstructured) []string {
	names := live.GetFinalizers()
	if manifest.IdentityOf(live).IsNamespace() {
		inSpec, _, _ := unstructured.NestedStringSlice(live.Object, "spec", "finalizers")
		names = append(names, inSpec...)
	}
	return names
}

// finalizersOf returns the finalizers of an object, with the managers that set them. If it has conditions, the
// finalizer of every namespace says nothing more.
func finalizersOf(live *unstructured.Unstructured, hasConditions bool) []cluster.Finalizer {
	var finalizers []cluster.Finalizer
	inMetadata := live.GetFinalizers()
	for i, name := range Finalizers(live) {
		if name != ofNamespaces || !hasConditions {
			finalizers = append(finalizers, cluster.Finalizer{
				Name: name, SetBy: settersOf(live, name),
				IsRemovable: i < len(inMetadata) && !cluster.IsEssential(name),
			})
		}
	}
	return finalizers
}

// settersOf returns the managers that own an entry of metadata.finalizers, each once; none if managedFields cannot be
// read.
func settersOf(live *unstructured.Unstructured, finalizer string) []string {
	claims, err := ownership.Parse(live.GetManagedFields())
	if err != nil {
		return nil
	}
	var managers []string
	for _, holder := range claims.Holders(paths.Path{
		paths.Field("metadata"), paths.Field("finalizers"), paths.Value(finalizer),
	}) {
		if !slices.Contains(managers, holder.Name) {
			managers = append(managers, holder.Name)
		}
	}
	return managers
}
