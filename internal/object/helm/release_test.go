package helm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	release "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/helm"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// storage is a cluster with what Helm has stored. A request for something of a kind in failing fails.
type storage struct {
	clustertest.Stub
	records []*unstructured.Unstructured
	failing string
}

func (s storage) List(_ context.Context, query cluster.ListQuery) (cluster.Page, error) {
	if query.Kind == s.failing {
		return cluster.Page{}, clustertest.Failing(cluster.ReasonForbidden)
	}
	if query.Namespace != "tides" || query.LabelSelector != "name=buoy,owner=helm" || !query.MetadataOnly {
		return cluster.Page{}, fmt.Errorf("an unexpected query: %+v", query)
	}
	isOther := func(record *unstructured.Unstructured) bool { return record.GetKind() != query.Kind }
	return cluster.Page{Objects: slices.DeleteFunc(slices.Clone(s.records), isOther)}, nil
}

func (s storage) Get(_ context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	if s.failing == "Get" {
		return nil, clustertest.Failing(cluster.ReasonForbidden)
	}
	for _, record := range s.records {
		if manifest.IdentityOf(record) == id {
			return record, nil
		}
	}
	return nil, fmt.Errorf("%s is not there", id)
}

func (storage) Scope(_ context.Context, _, kind string) (cluster.Scope, error) {
	switch kind {
	case "ClusterRole", "CustomResourceDefinition":
		return cluster.ScopeCluster, nil
	case "Widget":
		return "", clustertest.Failing(cluster.ReasonKindNotServed)
	}
	return cluster.ScopeNamespaced, nil
}

// record returns an object in which Helm stores a revision.
func record(t *testing.T, kind string, revision int, status, content string) *unstructured.Unstructured {
	t.Helper()
	return &unstructured.Unstructured{Object: clustertest.Object(t, fmt.Sprintf(
		"apiVersion: v1\nkind: %s\nmetadata: {name: v%d, namespace: tides, labels: {status: %s, version: '%d'}}\ndata: {release: %q}\n",
		kind, revision, status, revision, content))}
}

// packed returns what Helm stores of a revision with manifests, and a definition in crds/.
func packed(t *testing.T, kind, manifests string) string {
	t.Helper()
	text, err := json.Marshal(release.Release{Manifest: manifests, Chart: &chart.Chart{
		Metadata: &chart.Metadata{Name: "buoy", Version: "1.2.3"},
		Files: []*common.File{{
			Name: "crds/widgets.yaml", Data: []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.buoy.example}\n"),
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return compressed(t, kind, string(text))
}

// compressed returns a text as it is stored.
func compressed(t *testing.T, kind, text string) string {
	t.Helper()
	var buffer bytes.Buffer
	writer := gzip.NewWriter(&buffer)
	_, err := io.WriteString(writer, text)
	if err = errors.Join(err, writer.Close()); err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(buffer.Bytes())
	if kind == "Secret" {
		data = base64.StdEncoding.EncodeToString([]byte(data))
	}
	return data
}

func find(t *testing.T, s storage) (*helm.Release, error) {
	t.Helper()
	return helm.Find(t.Context(), s, helm.ID{Name: "buoy", Namespace: "tides"})
}

func names(records []*unstructured.Unstructured) string {
	var all []string
	for _, record := range records {
		all = append(all, record.GetName())
	}
	return strings.Join(all, " ")
}

// The newest revision is the one with the largest number, in whichever kind it is.
func TestFindNewestRevision(t *testing.T) {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"
	for _, kind := range []string{"Secret", "ConfigMap"} {
		found, err := find(t, storage{records: []*unstructured.Unstructured{
			record(t, kind, 10, "failed", packed(t, kind, fmt.Sprintf(object, "newest"))),
			record(t, kind, 9, "deployed", packed(t, kind, fmt.Sprintf(object, "older"))),
			record(t, "ConfigMap", 2, "superseded", ""),
		}})
		if err != nil {
			t.Fatal(err)
		}
		newest := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "tides", Name: "newest"}
		if got := names(found.Records); got != "v2 v9 v10" || found.Chart != "buoy-1.2.3" || !found.Has(t.Context(), newest) {
			t.Errorf("%s: %q, %q, left %v", kind, got, found.Chart, found.Left())
		}
	}
}

// The status of the newest revision decides.
func TestStatesOfReleases(t *testing.T) {
	for status, want := range map[string]string{
		"deployed": "found", "failed": "found", "superseded": "found", "uninstalled": "none",
		"uninstalling": "uninstalling", "pending-install": "pending-install", "pending-upgrade": "pending-upgrade", "pending-rollback": "pending-rollback", "unknown": "unknown",
	} {
		found, err := find(t, storage{records: []*unstructured.Unstructured{
			record(t, "Secret", 1, "deployed", ""), record(t, "Secret", 2, status, packed(t, "Secret", "")),
		}})
		got := "none"
		if busy, is := errors.AsType[*helm.BusyError](err); is {
			got = busy.Status
		} else if err != nil {
			t.Error(err)
		}
		if found != nil {
			got = "found"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", status, got, want)
		}
	}
	if found, err := find(t, storage{}); found != nil || err != nil {
		t.Errorf("without records: %v, %v", found, err)
	}
}

// What cannot be read is an error about the record.
func TestUnreadableReleases(t *testing.T) {
	for name, content := range map[string]string{
		"no base64":         "%",
		"no base64 in it":   base64.StdEncoding.EncodeToString([]byte("%")),
		"not compressed":    base64.StdEncoding.EncodeToString([]byte("AAAA")),
		"no JSON":           compressed(t, "Secret", "{"),
		"no chart":          compressed(t, "Secret", "{}"),
		"a broken manifest": packed(t, "Secret", "a: [\n"),
	} {
		_, err := find(t, storage{records: []*unstructured.Unstructured{record(t, "Secret", 1, "deployed", content)}})
		unreadable, is := errors.AsType[*helm.UnreadableError](err)
		if !is || unreadable.Record.Name != "v1" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A request that fails names what it was about: a LIST has no name.
func TestFailedRequests(t *testing.T) {
	for failing, want := range map[string]manifest.Identity{
		"Secret":    {APIVersion: "v1", Kind: "Secret", Namespace: "tides"},
		"ConfigMap": {APIVersion: "v1", Kind: "ConfigMap", Namespace: "tides"},
		"Get":       {APIVersion: "v1", Kind: "Secret", Namespace: "tides", Name: "v1"},
	} {
		_, err := find(t, storage{failing: failing, records: []*unstructured.Unstructured{record(t, "Secret", 1, "deployed", "")}})
		failed, is := errors.AsType[*helm.RequestError](err)
		if !is || failed.Objects != want || cluster.ReasonOf(err) != cluster.ReasonForbidden {
			t.Errorf("%s: %v", failing, err)
		}
	}
}

// Objects without a namespace are in that of the release, and those of a set in that of the connection. Their version
// does not matter, and those of a kind without a namespace have none.
func TestObjectsOfARelease(t *testing.T) {
	found, err := find(t, storage{records: []*unstructured.Unstructured{record(t, "Secret", 1, "deployed", packed(t, "Secret", `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: role, namespace: nowhere}
---
apiVersion: buoy.example/v1
kind: Widget
metadata: {name: depth}
---
# nothing
`))}})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[manifest.Identity]bool{
		{APIVersion: "apps/v1beta1", Kind: "Deployment", Namespace: "tides", Name: "web"}:       true,
		{APIVersion: "extensions/v1beta1", Kind: "Deployment", Namespace: "tides", Name: "web"}: false,
		{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}:                                false,
		{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}:                                        true,
		{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: "role"}:         true,
		{APIVersion: "buoy.example/v1", Kind: "Widget", Namespace: "tides", Name: "depth"}:      true,
	} {
		if got := found.Has(t.Context(), id); got != want || want != found.Has(t.Context(), id) {
			t.Errorf("%s: %t", id, got)
		}
	}
	var left []string
	for _, id := range found.Left() {
		left = append(left, id.String())
	}
	slices.Sort(left)
	want := []string{"ConfigMap tides/b (v1)", "CustomResourceDefinition widgets.buoy.example (apiextensions.k8s.io/v1)"}
	if !slices.Equal(left, want) {
		t.Errorf("left: %q, want %q", left, want)
	}
	var none *helm.Release
	if none.Has(t.Context(), clustertest.ConfigMap) {
		t.Error("no release has an object")
	}
}

// Helm stores no subcharts: a definition in the crds/ of one is of the release if Helm has created it, and for no other
// release.
func TestDefinitionsOfSubcharts(t *testing.T) {
	definition := func(name, manager, annotations string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: clustertest.Object(t, fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %s
  annotations: {%s}
  managedFields: [{manager: %s, operation: Update, apiVersion: apiextensions.k8s.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:group": {}}}}]
`, name, annotations, manager))}
	}
	found, err := find(t, storage{records: []*unstructured.Unstructured{
		record(t, "Secret", 1, "deployed", packed(t, "Secret", "")),
		definition("bells", "terraform-provider-helm_v3.1.1_x5", ""), definition("horns", "kubectl-create", ""),
		definition("lamps", "helm", "meta.helm.sh/release-name: buoy, meta.helm.sh/release-namespace: other"),
		definition("masts", "helm", "meta.helm.sh/release-name: buoy, meta.helm.sh/release-namespace: tides"),
		{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "bells", "namespace": "tides"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"bells": true, "horns": false, "lamps": false, "masts": true, "none": false} {
		id := manifest.Identity{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: name}
		if got := found.Has(t.Context(), id); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if found.Has(t.Context(), manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "tides", Name: "bells"}) {
		t.Error("an object that Helm has not stored is of the release")
	}
}
