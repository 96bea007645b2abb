package terminating

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// mentionsPods reports whether a terminating namespace may still have pods, by its conditions.
func mentionsPods(conditions []statusCondition) bool {
	return len(conditions) == 0 ||
		slices.ContainsFunc(conditions, func(c statusCondition) bool { return strings.Contains(c.message, "pods") })
}

// nodesOf returns the nodes of those pods that no finalizer holds, sorted by name. It sends a GET for each of the first
// nodes, and leaves out the others. The cluster may delete the pods of a namespace later.
func nodesOf(ctx context.Context, api cluster.Interface, pods []*unstructured.Unstructured) []cluster.NodeOfPods {
	var nodes []cluster.NodeOfPods
	for _, pod := range pods {
		name, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
		if name == "" || len(pod.GetFinalizers()) > 0 {
			continue
		}
		at := slices.IndexFunc(nodes, func(node cluster.NodeOfPods) bool { return node.Name == name })
		if at < 0 && len(nodes) == most {
			continue
		}
		if at < 0 {
			at, nodes = len(nodes), append(nodes, cluster.NodeOfPods{Name: name, Namespace: pod.GetNamespace(),
				Problem: problemOfNode(ctx, api, name)})
		}
		nodes[at].Pods = append(nodes[at].Pods, pod.GetName())
	}
	for _, node := range nodes {
		slices.Sort(node.Pods)
	}
	slices.SortFunc(nodes, func(a, b cluster.NodeOfPods) int { return cmp.Compare(a.Name, b.Name) })
	return nodes
}

// problemOfNode returns why nothing is known of the pods of a node; "" if the node is ready, or cannot be read.
func problemOfNode(ctx context.Context, api cluster.Interface, name string) string {
	node, err := api.Get(ctx, manifest.Identity{APIVersion: "v1", Kind: "Node", Name: name})
	switch {
	case cluster.IsGone(err):
		return "does not exist"
	case err != nil:
		return ""
	}
	for _, condition := range conditionsOf(node) {
		if condition.name == string(corev1.NodeReady) && condition.status != string(corev1.ConditionTrue) {
			problem := "does not answer (Ready=" + condition.status
			if condition.since != "" {
				problem += " since " + condition.since
			}
			return problem + ")"
		}
	}
	return ""
}
