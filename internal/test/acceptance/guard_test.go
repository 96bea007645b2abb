package acceptance_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// guarded is a story whose namespace has a guard.
type guarded struct{ *story.Story }

// installGuard installs a guard of the story's namespace, and waits until it is in effect.
func installGuard(t *testing.T, options guard.Options) guarded {
	t.Helper()
	g := guarded{story.New(t)}
	options.Name, options.Namespaces = "guard-"+g.Namespace, []string{g.Namespace}
	if options.FieldManagers == nil {
		options.FieldManagers = []string{"k8sconnect*"}
	}
	for i, key := range options.Scale {
		options.Scale[i] = g.Expand(key)
	}
	if problem := options.Check(); problem != "" {
		t.Fatal(problem)
	}
	manifests, err := guard.Manifests(options)
	story.Must(t, err)
	owner := strings.TrimSuffix(options.FieldManagers[0], "*")
	g.As(owner).Create("{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: NS}, data: {a: \"1\"}}")
	for _, text := range manifests {
		g.As("k8sconnect").CreateUntilEnd(text)
	}
	warned := &warnings{}
	probing := g.by("probe", warned)
	g.Await("the guard is in effect", func() bool {
		refusal := probing.merge("v1 ConfigMap probe", `{"data": {"a": "2"}}`, metav1.DryRunAll)
		return refusal != nil || len(warned.texts) > 0 || options.Mode == guard.Audit
	})
	if options.Delete == guard.Deny { // A second binding, which may be in effect later.
		g.Await("the guard of deletions is in effect", func() bool {
			client, name := probing.at("v1 ConfigMap probe")
			return client.Delete(t.Context(), name, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}) != nil
		})
	}
	return g
}

// warnings collects the warnings of the API server.
type warnings struct{ texts []string }

func (w *warnings) HandleWarningHeader(_ int, _, text string) { w.texts = append(w.texts, text) }

// guardedWriter is another client.
type guardedWriter struct {
	guarded
	manager string
}

// by returns a writer under a manager's name. "" gives no name.
func (g guarded) by(manager string, warned *warnings) guardedWriter {
	g.T.Helper()
	return g.user(manager, rest.ImpersonationConfig{}, warned)
}

// user returns a writer that the API server knows as another user.
func (g guarded) user(manager string, as rest.ImpersonationConfig, warned *warnings) guardedWriter {
	g.T.Helper()
	config := story.ControlPlane().RESTConfig()
	config.Impersonate, config.UserAgent = as, "k8sconnect/1.0" // The name of a program is not a field manager.
	if warned != nil {
		config.WarningHandler = warned
	}
	client, err := dynamic.NewForConfig(config)
	story.Must(g.T, err)
	return guardedWriter{guarded: guarded{g.With(client)}, manager: manager}
}

func (w guardedWriter) at(target string) (dynamic.ResourceInterface, string) {
	parts := strings.Fields(w.Expand(target))
	name := parts[2]
	return w.Resource(parts[0], parts[1], w.Namespace), name
}

func (w guardedWriter) patch(kind types.PatchType, target, body string, subresources ...string) error {
	client, name := w.at(target)
	_, err := client.Patch(w.T.Context(), name, kind, []byte(w.Expand(body)), metav1.PatchOptions{FieldManager: w.manager}, subresources...)
	return err
}

func (w guardedWriter) merge(target, body string, dryRun ...string) error {
	client, name := w.at(target)
	_, err := client.Patch(w.T.Context(), name, types.MergePatchType, []byte(w.Expand(body)),
		metav1.PatchOptions{FieldManager: w.manager, DryRun: dryRun})
	return err
}

func (w guardedWriter) json(target, body string) error {
	return w.patch(types.JSONPatchType, target, body)
}

func (w guardedWriter) apply(body string, dryRun ...string) error {
	object := w.Parse(body)
	_, err := w.ResourceOf(object).Apply(w.T.Context(), object.GetName(), object,
		metav1.ApplyOptions{FieldManager: w.manager, Force: true, DryRun: dryRun})
	return err
}

func (w guardedWriter) put(target string, change func(object *unstructured.Unstructured)) error {
	client, name := w.at(target)
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { // A controller may write in between.
		object, err := client.Get(w.T.Context(), name, metav1.GetOptions{})
		story.Must(w.T, err)
		change(object)
		_, err = client.Update(w.T.Context(), object, metav1.UpdateOptions{FieldManager: w.manager})
		return err
	})
}

func (w guardedWriter) remove(target string) error {
	client, name := w.at(target)
	return client.Delete(w.T.Context(), name, metav1.DeleteOptions{})
}

// passes asserts that a write is not refused.
func passes(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s is refused: %v", what, err)
	}
}

// refused asserts that the guard refuses a write, and what it says.
func refused(t *testing.T, what string, err error, says ...string) {
	t.Helper()
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "ValidatingAdmissionPolicy 'guard-") {
		t.Errorf("%s is not refused by the guard: %v", what, err)
		return
	}
	for _, text := range says {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %q is missing in: %v", what, text, err)
		}
	}
}
