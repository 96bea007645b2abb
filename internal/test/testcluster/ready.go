package testcluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// NodeName is the name of the simulated node.
const NodeName = "k8sconnect-test-node"

// readyPoll is how often a start looks whether the control plane is ready.
const readyPoll = 100 * time.Millisecond

// awaitReady creates the simulated node and waits until it is ready and the default service account,
// which every pod needs, exists in the default namespace.
func (c *ControlPlane) awaitReady(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Nodes().Create(ctx, simulatedNode(), metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("create the simulated node: %w", err)
	}
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	var missing error
	for {
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("the control plane did not get ready: %w", ctx.Err()), missing)
		case <-ticker.C:
		}
		if err := c.endedChild(); err != nil {
			return err
		}
		if missing = missingPart(ctx, client); missing == nil {
			return nil
		}
	}
}

// Wait returns nil when ctx ends, or an error with the end of the log of a controller that ended before.
func (c *ControlPlane) Wait(ctx context.Context) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := c.endedChild(); err != nil {
				return err
			}
		}
	}
}

// endedChild returns an error for a server that has ended by itself, nil while all of them run.
func (c *ControlPlane) endedChild() error {
	for _, started := range c.children {
		select {
		case <-started.ended:
			return errors.Join(fmt.Errorf("%s ended: %w", started.name, started.err), c.logTail(started.name))
		default:
		}
	}
	return nil
}

// missingPart returns an error with the reason if the control plane is not ready; nil if it is ready.
func missingPart(ctx context.Context, client kubernetes.Interface) error {
	node, err := client.CoreV1().Nodes().Get(ctx, NodeName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read the simulated node: %w", err)
	}
	if err := unready(node); err != nil {
		return err
	}
	_, err = client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return errors.New("the default namespace has no service account")
	}
	return err
}

// unready returns an error with the reason if a node accepts no pods; nil if it does. A new node has a taint until a
// controller has seen that it is ready. Until then, a DaemonSet neither runs nor expects a pod on it.
func unready(node *corev1.Node) error {
	ready := slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
	if !ready {
		return fmt.Errorf("the node %s is not ready", node.Name)
	}
	if len(node.Spec.Taints) > 0 {
		return fmt.Errorf("the node %s has the taint %s", node.Name, node.Spec.Taints[0].ToString())
	}
	return nil
}

// simulatedNode returns a node that kwok keeps alive, with room for any test.
func simulatedNode() *corev1.Node {
	room := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("64"),
		corev1.ResourceMemory: resource.MustParse("256Gi"),
		corev1.ResourcePods:   resource.MustParse("1000"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:        NodeName,
			Labels:      map[string]string{"type": "kwok", "kubernetes.io/hostname": NodeName},
			Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
		},
		Status: corev1.NodeStatus{Capacity: room, Allocatable: room},
	}
}
