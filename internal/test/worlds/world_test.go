package worlds_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The variables that choose other worlds than the usual ones: another seed, more or fewer steps in all, and the world
// or the kind that is played alone, as a finding names it.
const (
	seedVariable  = "K8SCONNECT_WORLDS_SEED"
	stepsVariable = "K8SCONNECT_WORLDS_STEPS"
	worldVariable = "K8SCONNECT_WORLDS_ONLY"
)

const (
	usualSeed  = 1
	usualSteps = 105
	// length is how many steps a world has, and shortest those of one in a run of few steps: each kind has its world first.
	length, shortest = 25, 10
	// shrinks is how many shorter worlds are tried to find the shortest that breaks the same promise.
	shrinks = 25
)

// stage is what the worlds share.
type stage struct {
	// isPart is true if the worlds are of k8sconnect_patch.
	isPart   bool
	families []family
	typed    *kubernetes.Clientset
	dynamic  dynamic.Interface
	// guard watches the writes of other managers; nil without one.
	guard *watch
}

// kinds are those of the worlds.
func (s *stage) kinds() []kind {
	if s.plays(versions) {
		return append(slices.Clone(kinds), gadget)
	}
	return kinds
}

// No plan and no apply tells the user less than what happens, whoever writes what.
func TestWorlds(t *testing.T) { playWorlds(t, newStage(t), usualSteps) }

// playWorlds plays worlds with so many steps in all.
func playWorlds(t *testing.T, stage *stage, usual uint64) {
	t.Helper()
	seed, count := number(t, seedVariable, usualSeed), number(t, stepsVariable, usual)
	began := time.Now()
	var all [5]atomic.Int64
	t.Run("worlds", func(t *testing.T) {
		kinds := uint64(len(stage.kinds()))
		steps := min(length, max(shortest, count/kinds))
		for world := range (count + steps - 1) / steps {
			kind := stage.kinds()[world%kinds]
			name := fmt.Sprintf("%s-%d", kind.name, world)
			if only := os.Getenv(worldVariable); only != "" && only != name && only != kind.name {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				played := stage.world(t, kind, seed, world, steps)
				for i, n := range []int{played.steps, played.writes, played.applies, played.quiet, played.refused} {
					all[i].Add(int64(n))
				}
			})
		}
	})
	t.Logf("seed %d: %d steps, %d writes of others, %d applies, %d plans without changes, %d refused, in %s", seed,
		all[0].Load(), all[1].Load(), all[2].Load(), all[3].Load(), all[4].Load(), time.Since(began).Round(time.Second))
}

func number(t *testing.T, variable string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return value
}

// world plays the first steps of one world, and prints the shortest one that breaks a promise where it does.
func (s *stage) world(t *testing.T, k kind, seed, number, steps uint64) *counts {
	t.Helper()
	script := s.script(k, seed, number)[:steps]
	played := &counts{}
	err := s.play(t.Context(), k, script, played)
	var found *finding
	if !errors.As(err, &found) {
		if err != nil {
			t.Error(err)
		}
		return played
	}
	if !testing.Short() {
		script, found = shrink(script, found, func(s step) int { return s.number }, func(all []step) error {
			return s.play(t.Context(), k, all, &counts{})
		})
	}
	var text strings.Builder
	for _, step := range script {
		fmt.Fprintf(&text, "step %d\n%s", step.number, step)
	}
	t.Errorf("%s\nreplay with %s=%d %s=%s-%d; the shortest way to it:\n%s", found, seedVariable, seed, worldVariable, k.name, number, text.String())
	return played
}

// shrink drops steps for as long as the same promise breaks.
func shrink[T any](script []T, found *finding, number func(T) int, play func([]T) error) ([]T, *finding) {
	cut := func(script []T, f *finding) []T {
		at := slices.IndexFunc(script, func(step T) bool { return number(step) == f.step.number })
		return script[:max(at+1, 1)]
	}
	script = cut(script, found)
	tries := 0
	for i := 0; i < len(script)-1 && tries < shrinks; {
		tries++
		shorter := slices.Delete(slices.Clone(script), i, i+1)
		var again *finding
		if err := play(shorter); errors.As(err, &again) && again.rule == found.rule {
			script, found = cut(shorter, again), again
			continue
		}
		i++
	}
	return script, found
}

// play plays a script in a namespace of its own.
func (s *stage) play(ctx context.Context, k kind, script []step, played *counts) (err error) {
	namespace, err := s.typed.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "world-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, s.typed.CoreV1().Namespaces().Delete(context.WithoutCancel(ctx), namespace.Name, metav1.DeleteOptions{}))
	}()
	w := &world{stage: s, kind: k, isPart: s.isPart, namespace: namespace.Name, dynamic: s.dynamic, counts: played}
	w.client = w.clientOf(object(k.base, w.namespace, nil).GetAPIVersion())
	if k.defined && len(script) > 0 {
		defer func() { err = errors.Join(err, w.undefine(context.WithoutCancel(ctx))) }()
		if err := w.install(ctx, script[0].edition.ours); err != nil {
			return err
		}
	}
	if w.isPart {
		if err := w.createTarget(ctx); err != nil {
			return err
		}
	}
	for _, step := range script {
		if err := w.begin(ctx, step.configuration); err != nil {
			return err
		}
		w.followed = nil
		if err := w.play(ctx, step); err != nil {
			return err
		}
	}
	if w.isPart && len(script) > 0 {
		return w.takeBack(ctx, script[len(script)-1])
	}
	return nil
}

// begin starts two processes for a step, unless those of the step before will do.
func (w *world) begin(ctx context.Context, c configuration) error {
	isNew := w.planner == nil || w.state.value.IsNull()
	_, rules := c.ruled(w.namespace)
	// The process of a patch plans it once, or takes it for two. So does one that has applied under another name: the claim of that
	// name would be that of another resource of the run, which the apply does not rename.
	isKnown := !w.isPart && !w.kind.defined && w.state.manager() == c.manager()
	if !isNew && w.rules == fmt.Sprint(rules) && isKnown {
		return nil
	}
	if err := w.restart(ctx, c); err != nil {
		return err
	}
	if isNew {
		w.state.value = tftypes.NewValue(w.planner.kind, nil)
	}
	return nil
}

// restart starts the two processes again, which know nothing of what they did before.
func (w *world) restart(ctx context.Context, c configuration) (err error) {
	_, rules := c.ruled(w.namespace)
	if w.planner, err = newRun(ctx, w.resourceType(), rules...); err != nil {
		return err
	}
	w.rules = fmt.Sprint(rules)
	w.applier, err = newRun(ctx, w.resourceType(), rules...)
	return err
}

// newStage defines the kind Widget. The worlds play the usual families, unless movesVariable chooses others.
func newStage(t *testing.T, usual ...family) *stage {
	t.Helper()
	story.SkipUnlessAcceptance(t)
	begun := story.In(t, metav1.NamespaceDefault)
	t.Cleanup(func() { awaitNoWidgets(t, begun) })
	begun.InstallKind(widgets)
	config := story.ControlPlane().RESTConfig()
	config.WarningHandler = rest.NoWarnings{}
	quiet, err := dynamic.NewForConfig(config)
	story.Must(t, err)
	return &stage{families: chosen(t, usual), typed: begun.Typed, dynamic: quiet}
}

// awaitNoWidgets waits until the definition of the kind Widget is gone, so that the next test can install it.
func awaitNoWidgets(t *testing.T, s *story.Story) {
	t.Helper()
	definitions := s.Resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "")
	for range 300 {
		if _, err := definitions.Get(context.WithoutCancel(t.Context()), "widgets.worlds.example.com", metav1.GetOptions{}); apierrors.IsNotFound(err) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the definition of Widgets does not go")
}
