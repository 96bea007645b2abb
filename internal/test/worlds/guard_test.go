package worlds_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// stepsGuarded is how many steps the worlds of each mode have in all: one world for each kind.
const stepsGuarded = stepsAlone

// A guard finds the writes that take or remove a field of ours, and no other.
func TestWorldsWithAGuard(t *testing.T) {
	for _, mode := range []guard.Mode{guard.Deny, guard.Warn} {
		t.Run(string(mode), func(t *testing.T) {
			s := newStage(t)
			s.guard = install(t, mode)
			s.dynamic = s.guard.exempt
			playWorlds(t, s, stepsGuarded)
			if found := s.guard.found.Load(); found == 0 {
				t.Error("the guard has found no write")
			} else {
				t.Logf("the guard has found %d writes", found)
			}
		})
	}
}

// watch is a guard, and the clients of those it knows.
type watch struct {
	mode guard.Mode
	// others is the client of the other managers. The contexts of its requests collect warnings.
	others dynamic.Interface
	// exempt may write everything, and trial does so in dry-runs.
	exempt, trial dynamic.Interface
	found         atomic.Int64
}

// guardName is the name of the policy, and exempted the user whom it lets pass.
const (
	guardName = "guard-worlds"
	exempted  = "oracle"
)

// guardedManagers are the field managers of the configurations.
var guardedManagers = []string{"k8sconnect", "platform", "team-a"}

func install(t *testing.T, mode guard.Mode) *watch {
	t.Helper()
	s := story.NewSerial(t)
	manifests, err := guard.Manifests(guard.Options{
		Name: guardName, Mode: mode, FieldManagers: guardedManagers, Namespaces: []string{"world-*", s.Namespace},
		ExemptUsers: []string{exempted},
	})
	story.Must(t, err)
	for _, text := range manifests {
		s.As("k8sconnect").CreateUntilEnd(text)
	}
	client := func(change func(*rest.Config)) dynamic.Interface {
		config := story.ControlPlane().RESTConfig()
		change(config)
		made, err := dynamic.NewForConfig(config)
		story.Must(t, err)
		return made
	}
	isExempt := func(config *rest.Config) {
		config.WarningHandler = rest.NoWarnings{}
		config.Impersonate = rest.ImpersonationConfig{UserName: exempted, Groups: []string{"system:masters"}}
	}
	w := &watch{
		mode:   mode,
		others: client(func(config *rest.Config) { config.WarningHandlerWithContext = collector{} }),
		exempt: client(isExempt),
		trial: client(func(config *rest.Config) {
			isExempt(config)
			config.Wrap(func(next http.RoundTripper) http.RoundTripper { return dryRun{next} })
		}),
	}
	w.await(t, s)
	return w
}

// await waits until the guard is in effect.
func (w *watch) await(t *testing.T, s *story.Story) {
	t.Helper()
	maps := w.others.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(s.Namespace)
	s.As("k8sconnect").Create(`{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: NS}, data: {a: "1"}}`)
	s.Await("the guard is in effect", func() bool {
		ctx, warnings := collected(t.Context())
		_, err := maps.Patch(ctx, "probe", types.MergePatchType, []byte(`{"data": {"a": "2"}}`),
			metav1.PatchOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err != nil || len(*warnings) > 0
	})
}

// dryRun makes each write a dry-run.
type dryRun struct{ next http.RoundTripper }

func (d dryRun) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		request = request.Clone(request.Context())
		query := request.URL.Query()
		query.Set("dryRun", metav1.DryRunAll)
		request.URL.RawQuery = query.Encode()
	}
	return d.next.RoundTrip(request)
}

// collector adds the warnings of the guard to those of a context.
type collector struct{}

type warningsKey struct{}

// collected returns a context, and the warnings of the guard about the requests in it.
func collected(ctx context.Context) (context.Context, *[]string) {
	all := &[]string{}
	return context.WithValue(ctx, warningsKey{}, all), all
}

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (collector) HandleWarningHeaderWithContext(ctx context.Context, _ int, _, text string) {
	if all, is := ctx.Value(warningsKey{}).(*[]string); is && strings.Contains(text, guardName) {
		*all = append(*all, text)
	}
}

// sendWatched sends the request of a writer, and checks what the guard makes of it.
func (w *world) sendWatched(ctx context.Context, request write) error {
	var before *unstructured.Unstructured
	if w.stage.guard != nil {
		var err error
		if before, err = w.live(ctx); err != nil {
			return err
		}
	}
	if before == nil {
		_, err := w.send(ctx, request)
		return err
	}
	version := before.GetAPIVersion()
	watched, warnings := collected(ctx)
	after, err := w.by(w.stage.guard.others, version).send(watched, request)
	refuses := apierrors.IsForbidden(err) && strings.Contains(err.Error(), guardName)
	if refuses {
		after, err = w.by(w.stage.guard.trial, version).send(ctx, request)
	}
	if err != nil || after == nil { // The server itself refuses it, or it went to a subresource.
		return err
	}
	was, is := guardedEntries(before), guardedEntries(after)
	finds, takes := refuses || len(*warnings) > 0, !reflect.DeepEqual(was, is)
	if finds {
		w.stage.guard.found.Add(1)
	}
	switch {
	case finds && !takes:
		return broke(w.playing, "a guard lets a write pass that takes nothing", request.String(), fmt.Sprint(*warnings), fmt.Sprint(was))
	case !finds && takes:
		return broke(w.playing, "a guard finds a write that takes a field", request.String(), fmt.Sprint(was), fmt.Sprint(is))
	case refuses && w.stage.guard.mode != guard.Deny:
		return broke(w.playing, "a guard that warns refuses nothing", request.String())
	default:
		return nil
	}
}

// by returns the world as another client sees it.
func (w *world) by(client dynamic.Interface, apiVersion string) *world {
	other := *w
	other.dynamic = client
	other.client = other.clientOf(apiVersion)
	return &other
}

// guardedEntries returns the fields in the entries of our field managers.
func guardedEntries(object *unstructured.Unstructured) map[string]any {
	all := map[string]any{}
	for _, entry := range object.GetManagedFields() {
		if !slices.Contains(guardedManagers, entry.Manager) {
			continue
		}
		var fields any
		if err := json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields); err != nil {
			panic(err)
		}
		all[fmt.Sprint(entry.Manager, entry.Operation, entry.Subresource)] = fields
	}
	return all
}
