// Command estate measures several states beside each other against one API server, each with a set of many objects:
//
//	go run ./internal/cmd/estate -states 10 -objects 1000
//
// It prints how long each phase takes until the last state is done, the requests that reach the server, and what the
// server's priority and fairness makes of them. The states connect as users whose requests it limits; it never limits
// those of administrators. With K8SCONNECT_TEST_CLUSTER, the server is that of a running control plane.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

func main() { os.Exit(play()) }

// play runs the command, and returns the exit code.
func play() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	states := flag.Int("states", 10, "how many states are applied beside each other")
	objects := flag.Int("objects", 1000, "how many objects each state has")
	flag.Parse()
	if err := run(ctx, *states, *objects); err != nil {
		fmt.Fprintln(os.Stderr, "estate:", err)
		return 1
	}
	return 0
}

// estate is a server, and the directories of the states.
type estate struct {
	plane *testcluster.ControlPlane
	dirs  []*workdir.Workdir
	size  int
}

func run(ctx context.Context, states, size int) (err error) {
	plane, stop, err := controlPlane(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	temporary, err := os.MkdirTemp("", "k8sconnect-estate-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary), workdir.RemoveShared()) }()
	e := &estate{plane: plane, size: size}
	if err := e.prepare(ctx, temporary, states); err != nil {
		return err
	}
	fmt.Printf("Kubernetes %s, %d states with %d objects each\n\n| | until the last state | requests | a second | "+
		"rejected | waited |\n|---|---|---|---|---|---|\n", plane.Version(), states, size)
	for _, p := range phases {
		if err := e.measure(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// controlPlane returns the running control plane, or starts one.
func controlPlane(ctx context.Context) (plane *testcluster.ControlPlane, stop func() error, err error) {
	if dir := os.Getenv(testcluster.EnvDir); dir != "" {
		plane, err = testcluster.Attach(dir)
		return plane, func() error { return nil }, err
	}
	if plane, err = testcluster.Start(ctx, testcluster.Options{Progress: os.Stderr}); err != nil {
		return nil, nil, err
	}
	return plane, plane.Stop, nil
}

// group is the group of the states' users.
const group = "estate"

// prepare makes the directories of the states, and the rights of their users.
func (e *estate) prepare(ctx context.Context, temporary string, states int) error {
	if err := e.allow(ctx); err != nil {
		return err
	}
	provider, err := workdir.Shared()
	if err != nil {
		return err
	}
	cli, err := testcluster.TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return err
	}
	for i := range states {
		dir := filepath.Join(temporary, "state-"+strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		w, err := workdir.New(dir, provider, cli)
		if err != nil {
			return err
		}
		user, err := e.plane.User(fmt.Sprintf("estate-%d", i), group)
		if err != nil {
			return err
		}
		w.Env = append(w.Env, "KUBE_CONFIG_PATH="+filepath.Join(dir, "kubeconfig"))
		err = errors.Join(clientcmd.WriteToFile(kubeconfig(user), filepath.Join(dir, "kubeconfig")),
			w.Write(configuration(fmt.Sprintf("estate-%d-%d", os.Getpid(), i), e.size)))
		if err != nil {
			return err
		}
		e.dirs = append(e.dirs, w)
	}
	return nil
}

// kubeconfig returns the kubeconfig of a user with a certificate.
func kubeconfig(user *rest.Config) clientcmdapi.Config {
	const name = "estate"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: user.Host, CertificateAuthorityData: user.CAData}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{
		ClientCertificateData: user.CertData, ClientKeyData: user.KeyData,
	}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	return *config
}

// configuration returns a set of ConfigMaps, Services and ServiceAccounts in a namespace of their own.
func configuration(namespace string, size int) string {
	return fmt.Sprintf(`
provider "k8sconnect" {}
variable "revision" { default = "1" }
variable "changed"  { default = 0 }
locals {
  map     = { data = { a = "1", b = "2" } }
  service = { spec = { clusterIP = "None", selector = { app = "web" }, ports = [{ port = 80 }] } }
  kinds   = ["ConfigMap", "Service", "ServiceAccount"]
}
resource "k8sconnect_manifests" "all" {
  manifests = merge({ namespace = jsonencode({
    apiVersion = "v1", kind = "Namespace", metadata = { name = %[1]q, labels = { estate = "1" } }
  }) }, {
    for i in range(%[2]d) : "o-${i}" => jsonencode(merge(
      { apiVersion = "v1", kind = local.kinds[i %% 3] },
      { metadata = {
        name = "o-${i}", namespace = %[1]q, labels = { revision = i < var.changed ? var.revision : "1" }
      } },
      i %% 3 == 0 ? local.map : {}, i %% 3 == 1 ? local.service : {},
    ))
  })
}
`, namespace, size)
}

// phase is a command that all states run at the same time.
type phase struct {
	name string
	args func(size int) []string
}

func always(args ...string) func(int) []string { return func(int) []string { return args } }

var phases = []phase{
	{"create", always("apply", "-auto-approve")},
	{"plan without changes", always("plan")},
	{"one object changes: plan and apply", always("apply", "-auto-approve", "-var=revision=2", "-var=changed=1")},
	{"all objects change: plan and apply", func(size int) []string {
		return []string{"apply", "-auto-approve", "-var=revision=3", "-var=changed=" + strconv.Itoa(size)}
	}},
	{"destroy", always("destroy", "-auto-approve")},
}

// measure runs a phase in all states, and prints a line of the table.
func (e *estate) measure(ctx context.Context, p phase) error {
	before, err := e.fairness(ctx)
	if err != nil {
		return err
	}
	mark, began := e.plane.AuditLog().Mark(), time.Now()
	var all errgroup.Group
	for _, w := range e.dirs {
		all.Go(func() error {
			output, code, err := w.Run(ctx, p.args(e.size)...)
			if err == nil && code != 0 {
				_, output, _ = strings.Cut(output, "\nError: ") // It is the plan of a thousand objects.
				err = fmt.Errorf("%s ended with %d: %s", p.name, code, output)
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	took := time.Since(began)
	sent, err := e.plane.AuditLog().Since(mark, testcluster.ByUserAgent("k8sconnect"))
	if err != nil {
		return err
	}
	after, err := e.fairness(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %.1f s | %d | %.0f | %.0f | %.1f s |\n", p.name, took.Seconds(), len(sent),
		float64(len(sent))/took.Seconds(), after.rejected-before.rejected, after.waited-before.waited)
	return nil
}

// fairness is what priority and fairness has done to requests since the server has started.
type fairness struct {
	rejected float64
	// waited is how many seconds all requests together have waited for their turn.
	waited float64
}

func (e *estate) fairness(ctx context.Context) (fairness, error) {
	client, err := rest.HTTPClientFor(e.plane.RESTConfig())
	if err != nil {
		return fairness{}, err
	}
	address, err := url.JoinPath(e.plane.RESTConfig().Host, "metrics")
	if err != nil {
		return fairness{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fairness{}, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return fairness{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fairness{}, fmt.Errorf("the metrics of the API server: %s", answer.Status)
	}
	var found fairness
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "} ")
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil:
		case strings.HasPrefix(name, "apiserver_flowcontrol_rejected_requests_total{"):
			found.rejected += number
		case strings.HasPrefix(name, "apiserver_flowcontrol_request_wait_duration_seconds_sum{"):
			found.waited += number
		}
	}
	return found, lines.Err()
}

// allow lets the users of the states do everything.
func (e *estate) allow(ctx context.Context) error {
	client, err := dynamic.NewForConfig(e.plane.RESTConfig())
	if err != nil {
		return err
	}
	const rbac = "rbac.authorization.k8s.io"
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": rbac + "/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": group},
		"roleRef":  map[string]any{"apiGroup": rbac, "kind": "ClusterRole", "name": "cluster-admin"},
		"subjects": []any{map[string]any{"apiGroup": rbac, "kind": "Group", "name": group}},
	}}
	_, err = client.Resource(schema.GroupVersionResource{Group: rbac, Version: "v1", Resource: "clusterrolebindings"}).
		Apply(ctx, group, binding, metav1.ApplyOptions{FieldManager: group, Force: true})
	return err
}
