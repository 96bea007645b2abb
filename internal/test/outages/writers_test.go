package outages_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// writers is how many other managers write to one object, half of them by server-side apply.
const writers = 10

const contested = `
apiVersion: v1
kind: ConfigMap
metadata: {name: contested, namespace: NS, labels: {team: orders}}
data: {colour: red, size: large}
`

// Ten other managers write to an object without end while its claims are taken over, renamed and released: no value is
// lost, no client loses what is theirs, and the plan after each step is empty. The same holds for an object of a set.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	// One after the other: the writers of both would leave no processor to the provider.
	t.Run("manifest", func(t *testing.T) {
		s := newStageAlone(t)
		importing := fmt.Sprintf("import {\n  to = k8sconnect_manifest.test\n  id = \"apiVersion=v1,kind=ConfigMap,namespace=%s,name=contested\"\n}\n", s.Namespace)
		s.amidWriters(3, `ignore_fields = ["data.colour"]`, func(arguments ...string) {
			s.Configure(importing, s.Manifest("test", contested, arguments...))
		})
	})
	t.Run("set", func(t *testing.T) {
		s := newStageAlone(t)
		s.amidWriters(1, `rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.colour"] }]`, func(arguments ...string) {
			arguments = append([]string{"adopt_existing = true", "manifests = { contested = <<-YAML\n" + s.Expand(contested) + "    YAML\n  }"}, arguments...)
			s.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  " + strings.Join(arguments, "\n  ") + "\n}\n")
		})
	})
}

// amidWriters lets a resource with a ConfigMap take it over, and then a number of times rename its manager, release
// data.colour by an argument, and go back, while other managers write to it.
func (s *stage) amidWriters(times int, releasing string, configure func(arguments ...string)) {
	t := s.T
	client := s.Typed.CoreV1().ConfigMaps(s.Namespace)
	_, err := client.Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "contested", Labels: map[string]string{"team": "orders"}},
		Data:       map[string]string{"colour": "red", "size": "large"},
	}, metav1.CreateOptions{FieldManager: "kubectl-client-side-apply"})
	story.Must(t, err)
	crowd := s.crowd(client)

	const patience = "timeouts {\n    update = \"10m\"\n  }"
	const own, other = `field_manager = "k8sconnect"`, `field_manager = "platform"`
	began, refusals := story.ControlPlane().AuditLog().Mark(), 0
	type step struct {
		what      string
		arguments []string
		owner     string
		released  bool
	}
	steps := slices.Concat([]step{{"taking over", []string{own}, "k8sconnect", false}}, slices.Repeat([]step{
		{"renaming", []string{other}, "platform", false},
		{"releasing", []string{other, releasing}, "platform", true},
		{"renaming back, and taking the field again", []string{own}, "k8sconnect", false},
	}, times))
	for _, step := range steps {
		configure(append(step.arguments, patience)...)
		awaitWriters()
		before := crowd.written.Load()
		s.exits(story.Nothing, "apply", "-auto-approve")
		if crowd.written.Load() == before {
			t.Errorf("%s: nobody wrote during the apply", step.what)
		}
		refused := s.refusals(began) - refusals
		refusals += refused
		t.Logf("%s: %d writes of others during the apply, %d rewrites refused", step.what, crowd.written.Load()-before, refused)
		live, err := client.Get(t.Context(), "contested", metav1.GetOptions{})
		story.Must(t, err)
		s.expectOwners(live, "data.size", step.owner)
		s.expectOwners(live, `metadata.labels.team`, step.owner)
		if step.released {
			s.expectOwners(live, "data.colour")
		} else {
			s.expectOwners(live, "data.colour", step.owner)
		}
		s.settled()
	}
	crowd.expectKept()
	t.Logf("%d rewrites were refused because somebody had written in between", refusals)
}

// refusals returns the provider's requests that the server refused because another client wrote in between.
func (s *stage) refusals(since testcluster.Position) int {
	s.T.Helper()
	all, err := story.ControlPlane().AuditLog().Since(since)
	story.Must(s.T, err)
	return len(testcluster.Matching(all, testcluster.ByObject(s.Namespace, "contested"),
		testcluster.ByUserAgent("terraform-provider-k8sconnect"), func(r testcluster.Request) bool { return r.Code == http.StatusConflict }))
}

// crowd are writers who do not stop until the test looks at what they left.
type crowd struct {
	*stage
	client  typedcorev1.ConfigMapInterface
	stop    context.CancelFunc
	done    sync.WaitGroup
	last    [writers]atomic.Int64
	written atomic.Int64
}

// breath is how long all writers write, and how long they pause then. During a pause a rewrite gets through that is slow
// for lack of a processor.
const breath = 400 * time.Millisecond

// pausing reports whether the writers pause now, and returns how long it takes until they begin or end a pause.
func pausing() (bool, time.Duration) {
	now := time.Now().UnixNano()
	return now/int64(breath)%2 == 1, breath - time.Duration(now%int64(breath))
}

// breathe waits for the end of a pause.
func breathe() {
	if paused, left := pausing(); paused {
		time.Sleep(left)
	}
}

// awaitWriters waits for the end of the next pause. An apply can be shorter than a pause; one that begins here begins together
// with the writers.
func awaitWriters() {
	paused, left := pausing()
	if !paused {
		left += breath
	}
	time.Sleep(left)
}

func (s *stage) crowd(client typedcorev1.ConfigMapInterface) *crowd {
	ctx, stop := context.WithCancel(s.T.Context())
	c := &crowd{stage: s, client: client, stop: stop}
	for number := range writers {
		c.done.Go(func() {
			for count := int64(1); ctx.Err() == nil; count++ {
				began := time.Now()
				switch err := c.write(number, count); {
				case err == nil:
					c.last[number].Store(count)
					c.written.Add(1)
				case !apierrors.IsConflict(err):
					s.T.Errorf("writer %d: %v", number, err)
					return
				}
				// The odds are the same on slow machines, where everything takes longer.
				time.Sleep(time.Since(began))
				breathe()
			}
		})
	}
	s.T.Cleanup(func() {
		stop()
		c.done.Wait()
	})
	return c
}

func key(number int) string { return fmt.Sprintf("writer-%d", number) }

// passing returns a field that a writer keeps and one that goes with its next apply, as long as the writer's claim on
// it is not lost.
func passing(number int, value string) map[string]string {
	return map[string]string{key(number): value, key(number) + "-" + value: value}
}

// write makes one write of one writer. The write is completed even if the crowd is told to stop, so that the
// last written value is certain.
func (c *crowd) write(number int, count int64) error {
	ctx, value := context.WithoutCancel(c.T.Context()), fmt.Sprint(count)
	if number%2 == 0 {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"%s":"%s"}}}`, key(number), value)
		_, err := c.client.Patch(ctx, "contested", types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: key(number)})
		return err
	}
	_, err := c.client.Apply(ctx, applycorev1.ConfigMap("contested", c.Namespace).WithData(passing(number, value)),
		metav1.ApplyOptions{FieldManager: key(number)})
	return err
}

// expectKept stops the crowd and asserts that everything that it wrote last is there and its writer's, and
// so are the configured values.
func (c *crowd) expectKept() {
	c.T.Helper()
	c.stop()
	c.done.Wait()
	live, err := c.client.Get(c.T.Context(), "contested", metav1.GetOptions{})
	story.Must(c.T, err)
	annotations, data := map[string]string{}, map[string]string{"colour": "red", "size": "large"}
	for number := range writers {
		last := fmt.Sprint(c.last[number].Load())
		if number%2 == 0 {
			annotations[key(number)] = last
			c.expectOwners(live, "metadata.annotations."+key(number), key(number))
			continue
		}
		for field, value := range passing(number, last) {
			data[field] = value
			c.expectOwners(live, "data."+field, key(number))
		}
	}
	if diff := cmp.Diff(annotations, live.Annotations); diff != "" {
		c.T.Errorf("annotations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(data, live.Data); diff != "" {
		c.T.Errorf("data (-want +got):\n%s", diff)
	}
	c.T.Logf("%d writers wrote %d times", writers, c.written.Load())
}

// expectOwners asserts who owns a field on the server.
func (s *stage) expectOwners(live *corev1.ConfigMap, field string, want ...string) {
	s.T.Helper()
	claims, err := ownership.Parse(live.ManagedFields)
	story.Must(s.T, err)
	names := []string{}
	for _, manager := range claims.CoOwners(claims.Formatter())[field] {
		names = append(names, manager.Name)
	}
	if got := strings.Join(names, " "); got != strings.Join(want, " ") {
		s.T.Errorf("%s is owned by %q, want %q", field, got, strings.Join(want, " "))
	}
}
