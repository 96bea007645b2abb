package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// envKubeconfig names the kubeconfig of a cluster that the demo did not start.
const envKubeconfig = "KUBECONFIG_DEMO"

// demoCluster is the cluster of the demo, with a client for its live objects.
type demoCluster struct {
	kubeconfig string
	namespace  string
	client     *kubernetes.Clientset
	// cleanup describes what close does.
	cleanup string
	close   func() error
}

// openCluster starts a control plane, or uses the cluster that KUBECONFIG_DEMO names, and creates a namespace.
// After an error, nothing is left behind.
func openCluster(ctx context.Context, print *printer) (*demoCluster, error) {
	if path := os.Getenv(envKubeconfig); path != "" {
		return existingCluster(ctx, print, path)
	}
	binaries, err := testcluster.Build(ctx, print)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	plane, err := testcluster.Start(ctx, testcluster.Options{Binaries: binaries})
	if err != nil {
		return nil, err
	}
	print.line("started Kubernetes %s in %.0f s (on the loopback interface, with a simulated node)", plane.Version(),
		time.Since(began).Seconds())
	c := &demoCluster{kubeconfig: plane.KubeconfigPath(), cleanup: "stopping the control plane", close: plane.Stop}
	if err := c.connect(ctx, plane.RESTConfig()); err != nil {
		return nil, errors.Join(err, plane.Stop())
	}
	return c, nil
}

// existingCluster returns the cluster of a kubeconfig's current context.
func existingCluster(ctx context.Context, print *printer, path string) (*demoCluster, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("use the cluster that %s names: %w", envKubeconfig, err)
	}
	c := &demoCluster{kubeconfig: path}
	if err := c.connect(ctx, config); err != nil {
		return nil, fmt.Errorf("use the cluster that %s names: %w", envKubeconfig, err)
	}
	c.cleanup = "deleting the namespace " + c.namespace
	c.close = c.deleteNamespace
	print.line("using the cluster at %s, in a namespace of the demo's own: %s", config.Host, c.namespace)
	return c, nil
}

func (c *demoCluster) connect(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace, err := client.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "demo-"}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create a namespace: %w", err)
	}
	c.client, c.namespace = client, namespace.Name
	return nil
}

// deleteTimeout bounds the deletion of the namespace, pods included.
const deleteTimeout = 2 * time.Minute

// deleteNamespace deletes the demo's namespace with all that is in it and waits until it is gone. It works
// after an interruption too.
func (c *demoCluster) deleteNamespace() error {
	ctx, cancel := context.WithTimeout(context.Background(), deleteTimeout)
	defer cancel()
	namespaces := c.client.CoreV1().Namespaces()
	if err := namespaces.Delete(ctx, c.namespace, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete the namespace %s: %w", c.namespace, err)
	}
	return poll(ctx, "the namespace "+c.namespace+" is still being deleted", func() (done, error) {
		_, err := namespaces.Get(ctx, c.namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
}

// done is true if a condition holds.
type done bool

// poll calls ask until it returns done or an error, or until ctx ends. If ctx ends, the error names waiting.
func poll(ctx context.Context, waiting string, ask func() (done, error)) error {
	ticker := time.NewTicker(250 * time.Millisecond)
	defer ticker.Stop()
	for {
		if answer, err := ask(); answer || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", waiting, ctx.Err())
		case <-ticker.C:
		}
	}
}

func (c *demoCluster) deployments() appsclient.DeploymentInterface {
	return c.client.AppsV1().Deployments(c.namespace)
}

// settled returns a Deployment once its controller has seen its current spec. Before that, the controller is
// going to write to it.
func (c *demoCluster) settled(ctx context.Context, name string) (*appsv1.Deployment, error) {
	return c.await(ctx, name, "its controller has not seen it", func(d *appsv1.Deployment) done {
		return d.Status.ObservedGeneration == d.Generation
	})
}

// awaitTimeout is more than twice the period in which an autoscaler reads the workloads that it scales. That is 15 s
// unless the cluster's operator sets another.
const awaitTimeout = time.Minute

// await returns a Deployment as soon as a condition holds.
func (c *demoCluster) await(
	ctx context.Context, name, waiting string, wanted func(*appsv1.Deployment) done,
) (found *appsv1.Deployment, err error) {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	err = poll(ctx, "waiting for the Deployment "+name+": "+waiting, func() (done, error) {
		found, err = c.deployments().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return wanted(found), nil
	})
	return found, err
}

// kubectlCreate does what kubectl create -f does.
func (c *demoCluster) kubectlCreate(ctx context.Context, manifest string) error {
	deployment := &appsv1.Deployment{}
	if err := yaml.UnmarshalStrict([]byte(manifest), deployment); err != nil {
		return err
	}
	_, err := c.deployments().Create(ctx, deployment, metav1.CreateOptions{FieldManager: "kubectl-create"})
	return err
}

// kubectlEdit does what kubectl edit does if the user edits the image of a container.
func (c *demoCluster) kubectlEdit(ctx context.Context, name, container, image string) error {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
		"containers": []any{map[string]any{"name": container, "image": image}}}}}})
	if err != nil {
		return err
	}
	_, err = c.deployments().Patch(ctx, name, types.StrategicMergePatchType, patch,
		metav1.PatchOptions{FieldManager: "kubectl-edit"})
	return err
}
