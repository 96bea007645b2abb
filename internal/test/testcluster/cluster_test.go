package testcluster_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func newClient(t *testing.T, config *rest.Config) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// newNamespace creates a namespace that goes with the test.
func newNamespace(t *testing.T, client *kubernetes.Clientset) string {
	t.Helper()
	namespace, err := client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "testcluster-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := client.CoreV1().Namespaces().Delete(context.Background(), namespace.Name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	return namespace.Name
}

// eventually fails the test when what a check misses is not there within a minute.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	var missing error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if missing = check(); missing == nil {
			return
		}
	}
	t.Fatal(missing)
}

func podTemplate(app string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "app:1"}}},
	}
}

func createDeployment(t *testing.T, client *kubernetes.Clientset, namespace string, replicas int32) {
	t.Helper()
	_, err := client.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: podTemplate("web"),
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func awaitReadyReplicas(t *testing.T, client *kubernetes.Clientset, namespace string, want int32) *appsv1.Deployment {
	t.Helper()
	var live *appsv1.Deployment
	eventually(t, func() (err error) {
		live, err = client.AppsV1().Deployments(namespace).Get(t.Context(), "web", metav1.GetOptions{})
		if err == nil && live.Status.ReadyReplicas != want {
			err = fmt.Errorf("%d replicas are ready, want %d", live.Status.ReadyReplicas, want)
		}
		return err
	})
	return live
}

func TestDeploymentRollsOutAndAutoscalerScalesIt(t *testing.T) {
	t.Parallel()
	client := newClient(t, requireCluster(t).RESTConfig())
	namespace := newNamespace(t, client)
	createDeployment(t, client, namespace, 2)
	awaitReadyReplicas(t, client, namespace, 2)

	least := int32(3)
	_, err := client.AutoscalingV2().HorizontalPodAutoscalers(namespace).Create(t.Context(),
		&autoscalingv2.HorizontalPodAutoscaler{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
				ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{
					APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
				MinReplicas: &least,
				MaxReplicas: 5,
			},
		}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	live := awaitReadyReplicas(t, client, namespace, 3)

	var scalers []string
	for _, entry := range live.ManagedFields {
		if entry.Subresource == "scale" {
			scalers = append(scalers, entry.Manager+" "+string(entry.Operation))
		}
	}
	if diff := cmp.Diff([]string{"kube-controller-manager Update"}, scalers); diff != "" {
		t.Errorf("managers of the scale subresource (-want +got):\n%s", diff)
	}
}

func TestJobCompletes(t *testing.T) {
	t.Parallel()
	client := newClient(t, requireCluster(t).RESTConfig())
	namespace := newNamespace(t, client)
	template := podTemplate("once")
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	_, err := client.BatchV1().Jobs(namespace).Create(t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "once"},
		Spec:       batchv1.JobSpec{Template: template},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		job, err := client.BatchV1().Jobs(namespace).Get(t.Context(), "once", metav1.GetOptions{})
		if err == nil && job.Status.Succeeded != 1 {
			err = fmt.Errorf("the job has not completed: %+v", job.Status)
		}
		return err
	})
}

func TestDeletedNamespaceGoesWithItsContent(t *testing.T) {
	t.Parallel()
	client := newClient(t, requireCluster(t).RESTConfig())
	namespace := newNamespace(t, client)
	createDeployment(t, client, namespace, 1)
	awaitReadyReplicas(t, client, namespace, 1)
	if err := client.CoreV1().Namespaces().Delete(t.Context(), namespace, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		_, err := client.CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("the namespace is still there, error %w", err)
	})
}

func TestUserWithoutBindingIsForbidden(t *testing.T) {
	t.Parallel()
	stranger, err := requireCluster(t).User("stranger")
	if err != nil {
		t.Fatal(err)
	}
	_, err = newClient(t, stranger).CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("list as a stranger: got %v, want Forbidden", err)
	}
}

// Tests in other processes add users, and cannot stop servers.
func TestAttach(t *testing.T) {
	t.Parallel()
	attached, err := testcluster.Attach(requireCluster(t).Dir())
	if err != nil {
		t.Fatal(err)
	}
	user, err := attached.User("attached", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newClient(t, user).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(cluster.Version(), attached.Version()); diff != "" {
		t.Errorf("version (-want +got):\n%s", diff)
	}
	if _, err := attached.PauseEtcd(); err == nil {
		t.Error("etcd of another process was paused")
	}
	if err := attached.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := newClient(t, cluster.RESTConfig()).Discovery().ServerVersion(); err != nil {
		t.Errorf("after the stop of an attached control plane: %v", err)
	}
	info, err := os.Stat(filepath.Join(cluster.Dir(), "users.key"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key of users has the mode %s", info.Mode())
	}
}

func TestKubeconfigFileReachesTheCluster(t *testing.T) {
	t.Parallel()
	running := requireCluster(t)
	config, err := clientcmd.BuildConfigFromFlags("", running.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	version, err := newClient(t, config).Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(running.Version(), version.GitVersion); diff != "" {
		t.Errorf("server version (-want +got):\n%s", diff)
	}
	loaded, err := clientcmd.Load(running.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("k8sconnect-test", loaded.CurrentContext); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestAuditLogCountsRequestsExactly(t *testing.T) {
	t.Parallel()
	running := requireCluster(t)
	config := running.RESTConfig()
	config.UserAgent = "counted/1"
	client := newClient(t, config)
	namespace := newNamespace(t, newClient(t, running.RESTConfig()))
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "counted"}}

	for round := range 20 {
		mark := running.AuditLog().Mark()
		_, _ = client.CoreV1().ConfigMaps(namespace).Get(t.Context(), "counted", metav1.GetOptions{})
		_, err := client.CoreV1().ConfigMaps(namespace).Update(t.Context(), object,
			metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		if !apierrors.IsNotFound(err) {
			t.Fatalf("dry-run of a missing object: got %v, want NotFound", err)
		}
		requests, err := running.AuditLog().Since(mark)
		if err != nil {
			t.Fatal(err)
		}
		mine := testcluster.Matching(requests,
			testcluster.ByUserAgent("counted/"), testcluster.ByObject(namespace, "counted"))
		want := []string{
			fmt.Sprintf("get configmaps %s/counted 404", namespace),
			fmt.Sprintf("update configmaps %s/counted dry-run 404", namespace),
		}
		if diff := cmp.Diff(want, testcluster.Lines(mine)); diff != "" {
			t.Fatalf("requests in round %d (-want +got):\n%s", round, diff)
		}
	}
}

func TestStopLeavesNoProcessAndNoFile(t *testing.T) {
	t.Parallel()
	requireCluster(t)
	second, err := testcluster.Start(t.Context(), testcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(second.KubeconfigPath())
	if got := len(processesNaming(t, dir)); got < 6 {
		t.Errorf("%d processes name the control plane's directory while it runs, want five servers and a watchdog", got)
	}
	if err := second.Stop(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string(nil), processesNaming(t, dir)); diff != "" {
		t.Errorf("processes after the stop (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory %s is still there, error %v", dir, err)
	}
}
