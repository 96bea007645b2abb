package ecosystem_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	flux          = "kustomize-controller"
	kustomization = "kustomize.toolkit.fluxcd.io/v1 Kustomization shop"
	artifact      = "source.toolkit.fluxcd.io/v1 ExternalArtifact shop"
	settings      = "v1 ConfigMap settings"

	// What kustomize-controller reads of sources. The test serves the artifacts itself: no source-controller runs.
	sourceDefinition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.source.toolkit.fluxcd.io}
spec:
  group: source.toolkit.fluxcd.io
  names: {kind: %[2]s, listKind: %[2]sList, plural: %[1]s, singular: %[3]s}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
)

// sourceDefinitions are the kinds of sources.
var sourceDefinitions = func() string {
	var all strings.Builder
	for _, kind := range []string{"GitRepository", "OCIRepository", "Bucket", "ExternalArtifact"} {
		singular := strings.ToLower(kind)
		plural := singular + "s"
		if strings.HasSuffix(singular, "y") {
			plural = strings.TrimSuffix(singular, "y") + "ies"
		}
		fmt.Fprintf(&all, sourceDefinition, plural, kind, singular)
	}
	return all.String()
}()

// repository is what Flux applies in a story: a Kustomization, and an artifact with the manifests of a revision.
type repository struct {
	*story.Story
	server    *httptest.Server
	mu        sync.Mutex
	artifacts map[string][]byte
	revision  int
}

func newRepository(s *story.Story) *repository {
	r := &repository{Story: s, artifacts: map[string][]byte{}}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		content, found := r.artifacts[strings.TrimPrefix(req.URL.Path, "/")]
		if !found {
			http.NotFound(w, req)
			return
		}
		_, _ = w.Write(content)
	}))
	s.T.Cleanup(r.server.Close)
	return r
}

// push makes manifests the newest revision.
func (r *repository) push(manifests ...string) {
	r.T.Helper()
	content := archive(r.T, r.Expand(strings.Join(manifests, "\n---\n")))
	r.mu.Lock()
	r.revision++
	name := fmt.Sprintf("%d.tar.gz", r.revision)
	r.artifacts[name] = content
	r.mu.Unlock()
	if r.revision == 1 {
		r.As("source").Create("{apiVersion: source.toolkit.fluxcd.io/v1, kind: ExternalArtifact, metadata: {name: shop, namespace: NS}}")
	}
	r.As("source").Patch(artifact, story.AsJSON(map[string]any{"status": map[string]any{"artifact": map[string]any{
		"digest": fmt.Sprintf("sha256:%x", sha256.Sum256(content)), "path": name, "url": r.server.URL + "/" + name,
		"revision": r.newest(), "lastUpdateTime": time.Now().UTC().Format(time.RFC3339),
	}}}), "status")
	if r.revision == 1 {
		r.As("source").Create("{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: shop, namespace: NS}, " +
			"spec: {interval: 1h, retryInterval: 1h, timeout: 30s, path: ./, prune: true, sourceRef: {kind: ExternalArtifact, name: shop}}}")
	}
}

func (r *repository) newest() string { return fmt.Sprintf("main@sha1:%040d", r.revision) }

// sync makes Flux apply the newest revision now, and returns the message of its condition Ready.
func (r *repository) sync() (message string, ready bool) {
	r.T.Helper()
	token := time.Now().Format(time.RFC3339Nano)
	r.As("flux").Patch(kustomization, fmt.Sprintf(`{"metadata": {"annotations": {"reconcile.fluxcd.io/requestedAt": %q}}}`, token))
	r.Await("Flux has applied "+r.newest(), func() bool {
		live := r.Live(kustomization)
		handled, _, _ := unstructured.NestedString(live.Object, "status", "lastHandledReconcileAt")
		attempted, _, _ := unstructured.NestedString(live.Object, "status", "lastAttemptedRevision")
		condition := conditionOf(live, "Ready")
		message, _ = condition["message"].(string)
		ready = condition["status"] == "True"
		return handled == token && attempted == r.newest() && condition["status"] != "Unknown"
	})
	return message, ready
}

// apply pushes manifests, and asserts that Flux applies them.
func (r *repository) apply(manifests ...string) {
	r.T.Helper()
	r.push(manifests...)
	if message, ready := r.sync(); !ready {
		r.T.Fatalf("Flux: %s", message)
	}
}

func conditionOf(object *unstructured.Unstructured, name string) map[string]any {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, condition := range conditions {
		if fields, _ := condition.(map[string]any); fields["type"] == name {
			return fields
		}
	}
	return nil
}

// archive returns a compressed archive with one file.
func archive(t *testing.T, manifests string) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	files := tar.NewWriter(compressed)
	story.Must(t, files.WriteHeader(&tar.Header{Name: "all.yaml", Mode: 0o600, Size: int64(len(manifests))}))
	_, err := files.Write([]byte(manifests))
	story.Must(t, err)
	story.Must(t, files.Close())
	story.Must(t, compressed.Close())
	return out.Bytes()
}

// checking returns a check from a function that fails the test itself.
func checking(check func()) resource.TestCheckFunc {
	return func(*terraform.State) error {
		check()
		return nil
	}
}

const (
	handOver = `on_destroy = "hand_over"`
	toFlux   = `successor = "` + flux + `"`

	shop = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: shop, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1"}]}
`
)

// An object that is handed over to Flux changes by its first apply only by the labels with which Flux marks what it
// manages: no pod is replaced. What Flux drops later leaves the object.
func TestHandOverToFlux(t *testing.T) {
	s, _ := begin(t)
	flux := newRepository(s)
	data := story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`)
	generation := func() int64 { return s.Live(story.Web).GetGeneration() }
	var before int64
	s.Run(
		resource.TestStep{Config: s.ProviderBlock() + s.Manifest("web", shop, handOver, toFlux) + s.Manifest("settings", data, handOver, toFlux)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { before = generation() }),
			Config:    s.ProviderBlock(),
			Check: story.LiveChecks(
				checking(func() { flux.apply(shop, data) }),
				s.ExpectManagers(settings, "Apply kustomize-controller"),
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2, "metadata.labels.tier": "front"}),
				s.ExpectOwners(story.Web, "metadata.labels.tier", "kustomize-controller"),
				s.ExpectJSONPath(story.Web, map[string]string{`{.metadata.labels.kustomize\.toolkit\.fluxcd\.io/name}`: "shop"}),
				checking(func() {
					if after := generation(); after != before {
						t.Errorf("generation %d, was %d: Flux has changed the spec", after, before)
					}
				}),
				checking(func() {
					flux.apply(strings.Replace(shop, ", tier: front", "", 1), strings.Replace(data, `, b: "2"`, "", 1))
				}),
				s.ExpectLive(story.Web, map[string]any{"metadata.labels.tier": story.Absent}),
				s.ExpectLiveJSON(settings, `{"a":"1"}`, "data"),
			),
		},
	)
}

// The way back: Flux lets its objects go, and the resource takes over what Flux applied. No value changes.
func TestTakeOverFromFlux(t *testing.T) {
	s, _ := begin(t)
	repository := newRepository(s)
	repository.apply(shop)
	s.As("flux").Patch(kustomization, `{"spec": {"deletionPolicy": "Orphan"}}`)
	s.As("flux").Remove(kustomization)
	s.Await("the Kustomization is gone", func() bool { return s.Gone(kustomization) })
	version := s.Live(story.Web).GetGeneration()
	config := s.Config(shop, "adopt_existing = true", `take_over_managers = ["kustomize-controller"]`)
	s.Run(
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("The apply adopts it", `spec.replicas: "kustomize-controller" -> "k8sconnect"`)),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
				s.ExpectOwners(story.Web, "metadata.labels.tier", "k8sconnect"),
				checking(func() {
					if after := s.Live(story.Web).GetGeneration(); after != version {
						t.Errorf("generation %d, was %d", after, version)
					}
				}),
			),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(shop, ", tier: front", "", 1), "adopt_existing = true", `take_over_managers = ["kustomize-controller"]`),
			Check:  s.ExpectLive(story.Web, map[string]any{"metadata.labels.tier": story.Absent}),
		},
	)
}

// Flux and a patch have disjoint fields of one object: each keeps its own, and neither has a diff.
func TestPatchBesideFlux(t *testing.T) {
	s, _ := begin(t)
	repository := newRepository(s)
	repository.apply(strings.Replace(shop, "  replicas: 2\n", "", 1))
	config := s.PatchConfig(story.Web, "metadata: {annotations: {example.com/owner: sre}}\nspec: {replicas: 3}", `field_manager = "patch"`)
	expected := map[string]any{"spec.replicas": 3, "metadata.labels.tier": "front"}
	s.Run(
		resource.TestStep{Config: config, Check: s.ExpectLive(story.Web, expected)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				repository.apply(strings.Replace(strings.Replace(shop, "  replicas: 2\n", "", 1), "nginx:1", "nginx:2", 1))
			}),
			Config: config, PlanOnly: true,
		},
		resource.TestStep{Config: config, Check: s.ExpectLive(story.Web, expected)},
		settled(s, config),
	)
}

// Both set one field: the plan names Flux, the apply takes the field, and Flux takes it back. A guard ends that: Flux
// reports the message of the guard, and the object stays.
func TestFightWithFlux(t *testing.T) {
	s, _ := begin(t)
	repository := newRepository(s)
	theirs := strings.Replace(shop, "replicas: 2", "replicas: 5", 1)
	config := s.Config(shop)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { repository.apply(theirs) }),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`spec.replicas: "5" -> "2"`, `"kustomize-controller" (Flux`)),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2}),
				checking(func() { _, _ = repository.sync() }),
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5}),
			),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { protect(s, guard.Options{Namespaces: []string{s.Namespace}}) }),
			Config:    config,
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2}),
				checking(func() { awaitGuard(s, story.Web, `{"spec": {"replicas": 9}}`) }),
				checking(func() {
					if message, ready := repository.sync(); ready || !strings.Contains(message, `"kustomize-controller"`) || !strings.Contains(message, "spec.replicas") {
						t.Errorf("ready %t: %s", ready, message)
					}
				}),
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2}),
			),
		},
		settled(s, config),
	)
}
