package outages_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// stage is a namespace and a directory in which the CLI runs the built provider.
type stage struct {
	*testing.T
	tf        *workdir.Workdir
	namespace string
	typed     *kubernetes.Clientset
	dynamic   dynamic.Interface
}

// newStage skips where TF_ACC is unset.
func newStage(t *testing.T) *stage {
	t.Helper()
	if controlPlane == nil {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	provider, err := workdir.Shared()
	must(t, err)
	return newStageWith(t, provider)
}

func newStageWith(t *testing.T, provider string) *stage {
	t.Helper()
	cli, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	must(t, err)
	dir, err := workdir.New(t.TempDir(), provider, cli)
	must(t, err)
	s := &stage{T: t, tf: dir}
	s.typed, err = kubernetes.NewForConfig(controlPlane.RESTConfig())
	must(t, err)
	s.dynamic, err = dynamic.NewForConfig(controlPlane.RESTConfig())
	must(t, err)
	namespace, err := s.typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "outage-"}}, metav1.CreateOptions{})
	must(t, err)
	s.namespace = namespace.Name
	t.Cleanup(func() {
		_ = s.typed.CoreV1().Namespaces().Delete(context.Background(), s.namespace, metav1.DeleteOptions{})
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// configure writes a configuration whose provider connects to the control plane as an administrator.
func (s *stage) configure(resources ...string) {
	s.Helper()
	s.configureProvider(fmt.Sprintf("{ config_path = %q }", controlPlane.KubeconfigPath()), resources...)
}

// configureProvider is configure with another connection of the provider.
func (s *stage) configureProvider(cluster string, resources ...string) {
	s.Helper()
	must(s.T, s.tf.Write("provider \"k8sconnect\" {\n  cluster = "+cluster+"\n}\n"+strings.Join(resources, "\n")))
}

// manifest returns a resource; NS in its body is the stage's namespace.
func (s *stage) manifest(name, body string, arguments ...string) string {
	return fmt.Sprintf("resource \"k8sconnect_manifest\" %q {\n  yaml_body = <<-YAML\n%s\nYAML\n  %s\n}\n",
		name, strings.ReplaceAll(body, "NS", s.namespace), strings.Join(arguments, "\n  "))
}

// many returns count ConfigMaps, named after their resource.
func (s *stage) many(name string, count int, arguments ...string) string {
	body := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"" + name + "-${count.index}\", namespace: NS}\n" +
		"data: {index: \"${count.index}\"}"
	return s.manifest(name, body, append([]string{fmt.Sprintf("count = %d", count)}, arguments...)...)
}

// exits runs a command of the CLI that has to end with a code. The output is on one line, however the CLI
// wraps it.
func (s *stage) exits(want int, args ...string) string {
	s.Helper()
	began := time.Now()
	output, code, err := s.tf.Run(s.Context(), args...)
	must(s.T, err)
	if code != want {
		s.Fatalf("%s ended with exit code %d, want %d:\n%s", strings.Join(args, " "), code, want, tail(output))
	}
	s.Logf("%s: exit code %d after %.1f s", strings.Join(args, " "), code, time.Since(began).Seconds())
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
}

func tail(text string) string { return text[max(0, len(text)-6000):] }

// The exit codes of plan -detailed-exitcode.
const (
	nothing = iota
	refused
	changes
)

// settled plans once more and finds nothing to do.
func (s *stage) settled() {
	s.Helper()
	s.exits(nothing, "plan", "-detailed-exitcode")
}

// says asserts that a text has all of the parts.
func (s *stage) says(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.Errorf("%q is not in:\n%s", part, tail(text))
		}
	}
}

// configMaps returns the ConfigMaps of the stage whose names begin with a prefix, by name.
func (s *stage) configMaps(prefix string) map[string]corev1.ConfigMap {
	s.Helper()
	list, err := s.typed.CoreV1().ConfigMaps(s.namespace).List(s.Context(), metav1.ListOptions{})
	must(s.T, err)
	found := map[string]corev1.ConfigMap{}
	for _, item := range list.Items {
		if strings.HasPrefix(item.Name, prefix) {
			found[item.Name] = item
		}
	}
	return found
}

// expectAll asserts that all objects of many are on the server as configured, and that the state has each
// with the uid that it has there.
func (s *stage) expectAll(name string, count int) {
	s.Helper()
	live := s.configMaps(name + "-")
	state := s.state()
	if len(live) != count {
		s.Errorf("%d ConfigMaps of %s are on the server, want %d", len(live), name, count)
	}
	for index := range count {
		address := fmt.Sprintf("k8sconnect_manifest.%s[%d]", name, index)
		object := live[fmt.Sprintf("%s-%d", name, index)]
		if state[address] == "" || state[address] != string(object.UID) {
			s.Errorf("%s: the state has the uid %q, the server %q", address, state[address], object.UID)
		}
		if object.Data["index"] != fmt.Sprint(index) {
			s.Errorf("%s holds %v", object.Name, object.Data)
		}
	}
}

// file writes a file into the directory and returns its path.
func (s *stage) file(name, text string, mode os.FileMode) string {
	s.Helper()
	path := filepath.Join(s.tf.Dir, name)
	must(s.T, os.WriteFile(path, []byte(text), mode))
	return path
}

// await waits until something happens.
func (s *stage) await(what string, happened func() bool) {
	s.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("waited two minutes until %s", what)
		}
	}
}
