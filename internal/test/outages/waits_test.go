package outages_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A namespace that is not there is told in the plan, with the one that may have been meant.
func TestMissingNamespaceInThePlan(t *testing.T) {
	s := newStage(t)
	body := strings.Replace(colour("red"), "namespace: NS", "namespace: dfault", 1)
	s.Configure(s.Manifest("asked", body))
	s.says(s.exits(story.Changes, "plan", "-detailed-exitcode"), "Warning: Namespace Not Found Yet: dfault",
		`namespace "dfault" does not exist; did you mean "default"? The apply waits up to 2m for it.`)
	s.Configure(s.Manifest("asked", body, "timeouts {\n    create = \"5s\"\n  }"))
	text := s.exits(story.Refused, "apply", "-auto-approve")
	s.says(text, "The apply waits up to 5s for it.", "Error: Dependency Still Missing", "The nearest namespace that exists is default", "depends_on")
}

// A namespace that the configuration creates, and that its objects depend on, is not worth a warning.
func TestNamespaceOfTheConfiguration(t *testing.T) {
	s := newStage(t)
	name := s.Namespace + "-own"
	s.removeNamespaceAfter(name)
	s.Configure(
		s.Manifest("namespace", "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+name+"}\n"),
		s.Manifest("asked", strings.Replace(colour("red"), "namespace: NS", "namespace: "+name, 1), "depends_on = [k8sconnect_manifest.namespace]"),
	)
	if text := s.exits(story.Nothing, "apply", "-auto-approve"); strings.Contains(text, "Not Found Yet") {
		t.Error(text)
	}
}

func (s *stage) removeNamespaceAfter(name string) {
	s.T.Cleanup(func() { _ = s.Typed.CoreV1().Namespaces().Delete(context.Background(), name, metav1.DeleteOptions{}) })
}

// A Namespace and what is in it, in one for_each: the creates that wait take all slots of the CLI, so that they
// give way, and the next apply finishes.
func TestNamespaceBehindItsObjects(t *testing.T) {
	s := newStageAlone(t)
	const count = 190
	name := s.Namespace + "-own"
	s.removeNamespaceAfter(name)
	s.Configure(fmt.Sprintf(`
locals {
  namespace = { namespace = { apiVersion = "v1", kind = "Namespace", metadata = { name = %[1]q } } }
  objects = { for i in range(%[2]d) : "object-${i}" => {
    apiVersion = "v1", kind = "ConfigMap", metadata = { name = "object-${i}", namespace = %[1]q }, data = { index = tostring(i) }
  } }
}
resource "k8sconnect_manifest" "all" {
  for_each  = toset(concat(keys(local.namespace), keys(local.objects)))
  yaml_body = yamlencode(lookup(local.namespace, each.key, null) == null ? local.objects[each.key] : local.namespace[each.key])
}
`, name, count))
	began := time.Now()
	output, code, err := s.Workdir.Run(t.Context(), "apply", "-auto-approve")
	story.Must(t, err)
	took := time.Since(began)
	errors := strings.Count(output, "Error: Dependency Still Missing")
	t.Logf("the first apply took %.0f s and ended %d waits", took.Seconds(), errors)
	if took > 2*time.Minute {
		t.Errorf("the first apply took %s", took)
	}
	if code != story.Nothing && errors == 0 {
		t.Errorf("the apply failed with something else:\n%s", tail(output))
	}
	if errors > 0 {
		flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
		s.says(flat, "the provider ended the wait early", "depends_on", "-parallelism")
		s.exits(story.Nothing, "apply", "-auto-approve")
	}
	s.settled()
	list, err := s.Typed.CoreV1().ConfigMaps(name).List(t.Context(), metav1.ListOptions{})
	story.Must(t, err)
	found := 0
	for _, item := range list.Items {
		if strings.HasPrefix(item.Name, "object-") {
			found++
		}
	}
	if found != count {
		t.Errorf("%d objects, want %d", found, count)
	}
}

// What waits for a namespace that another tool makes keeps its timeout: nothing is behind it in the queue.
func TestNamespaceOfAnotherTool(t *testing.T) {
	t.Parallel()
	for name, count := range map[string]int{"one object": 1, "as many as the CLI runs at once, less one": 9} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			namespace := s.Namespace + "-theirs"
			s.removeNamespaceAfter(namespace)
			s.Configure(strings.ReplaceAll(s.many("many", count), "namespace: "+s.Namespace, "namespace: "+namespace))
			made := make(chan error, 1)
			time.AfterFunc(20*time.Second, func() {
				_, err := s.Typed.CoreV1().Namespaces().Create(context.Background(),
					&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
				made <- err
			})
			s.exits(story.Nothing, "apply", "-auto-approve")
			story.Must(t, <-made)
			s.settled()
		})
	}
}
