// Package terminating reads the causes that block the deletion of an object: finalizers, a grace period, conditions,
// and nodes that do not report that its pods have ended.
package terminating

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// most is how many conditions, and how many APIs, an ending lists.
const most = 5

// readWithin is how long the reads take that only a message needs.
const readWithin = 5 * time.Second

// Of returns the causes that block the end of a terminating object. If a namespace stays because API servers do not
// answer, it sends one LIST, which names them. If it may stay because of pods, it sends one LIST of these, and a GET of
// each of their first nodes; for a pod, it sends that GET.
func Of(ctx context.Context, api cluster.Interface, live *unstructured.Unstructured) cluster.Ending {
	ctx, cancel := cluster.Afterwards(ctx, readWithin)
	defer cancel()
	ending := cluster.Ending{Object: manifest.IdentityOf(live)}
	if since := live.GetDeletionTimestamp(); since != nil {
		ending.Since = since.Time
	}
	if grace := live.GetDeletionGracePeriodSeconds(); grace != nil {
		ending.Grace = time.Duration(*grace) * time.Second
	}
	all := conditionsOf(live)
	ending.Finalizers = finalizersOf(live)
	for i, condition := range all {
		if i == most {
			ending.Conditions = append(ending.Conditions, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		ending.Conditions = append(ending.Conditions, condition.describe(ctx, ending.Object))
	}
	undiscovered := func(c statusCondition) bool { return c.name == string(corev1.NamespaceDeletionDiscoveryFailure) }
	if ending.Object.IsNamespace() && slices.ContainsFunc(all, undiscovered) {
		ending.Unavailable = unavailable(ctx, api)
	}
	switch id := ending.Object; {
	case id.IsNamespace() && mentionsPods(all):
		pods, err := api.List(ctx, cluster.ListQuery{APIVersion: "v1", Kind: "Pod", Namespace: id.Name})
		if err == nil {
			ending.Nodes = nodesOf(ctx, api, pods.Objects)
		}
	case id.APIVersion == "v1" && id.Kind == "Pod":
		ending.Nodes = nodesOf(ctx, api, []*unstructured.Unstructured{live})
	}
	return ending
}

// unavailable returns the first APIServices that do not answer; none if they cannot be read.
func unavailable(ctx context.Context, api cluster.Interface) []cluster.UnavailableAPIError {
	page, err := api.List(ctx, cluster.ListQuery{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService"})
	if err != nil {
		return nil
	}
	var found []cluster.UnavailableAPIError
	for _, object := range page.Objects {
		for _, condition := range conditionsOf(object) {
			if condition.name != "Available" || condition.status == "True" || len(found) == most {
				continue
			}
			namespace, _, _ := unstructured.NestedString(object.Object, "spec", "service", "namespace")
			service, _, _ := unstructured.NestedString(object.Object, "spec", "service", "name")
			if service != "" {
				service = namespace + "/" + service
			}
			found = append(found, cluster.UnavailableAPIError{Name: object.GetName(), Service: service})
		}
	}
	return found
}

type statusCondition struct{ name, status, reason, message, since string }

// conditionsOf returns the conditions of an object. The conditions of a namespace report what could not be deleted,
// and nothing if they are false.
func conditionsOf(live *unstructured.Unstructured) []statusCondition {
	var found []statusCondition
	isNamespace := manifest.IdentityOf(live).IsNamespace()
	entries, _, _ := unstructured.NestedSlice(live.Object, "status", "conditions")
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		text := func(field string) string {
			value, _ := fields[field].(string)
			return value
		}
		read := statusCondition{text("type"), text("status"), text("reason"), text("message"),
			text("lastTransitionTime")}
		if read.name != "" && (!isNamespace || read.status == "True") {
			found = append(found, read)
		}
	}
	return found
}

// describe returns a condition of an object as messages show it.
func (c statusCondition) describe(ctx context.Context, of manifest.Identity) string {
	text := c.name + "=" + c.status
	if c.reason != "" {
		text += " (" + c.reason + ")"
	}
	if message := strings.TrimRight(strings.TrimSpace(c.message), "."); message != "" {
		text += ": " + cluster.Show(ctx, of, cluster.RemarkOn(of, message))
	}
	return text
}

// ofNamespaces is the finalizer that every namespace has in its spec until its content is deleted: it names nothing
// that holds the namespace.
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

// finalizersOf returns the finalizers of an object but for the one of every namespace, with the managers that set them.
func finalizersOf(live *unstructured.Unstructured) []cluster.Finalizer {
	var finalizers []cluster.Finalizer
	inMetadata := live.GetFinalizers()
	for i, name := range Finalizers(live) {
		if name != ofNamespaces {
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
