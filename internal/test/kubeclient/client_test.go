package kubeclient

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

var controlPlane *testcluster.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(testcluster.Main(m, func(started *testcluster.ControlPlane) { controlPlane = started }))
}

// connected returns a client of its own for one test, which needs the control plane.
func connected(t *testing.T) *kube.Client {
	t.Helper()
	if controlPlane == nil {
		t.Skip("TF_ACC is not set")
	}
	client, err := kube.NewPool(
		connect.Options{Version: t.Name()},
	).Client(connect.Config{ConfigPath: controlPlane.KubeconfigPath()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// parse reads a manifest into its identity and its body.
func parse(t *testing.T, text string) (manifest.Identity, map[string]any) {
	t.Helper()
	body := &unstructured.Unstructured{Object: clustertest.Object(t, text)}
	return manifest.IdentityOf(body), body.Object
}

var forced = cluster.ApplyOptions{FieldManager: "k8sconnect", Force: true}

func mustApply(t *testing.T, c *kube.Client, text string) cluster.Applied {
	t.Helper()
	id, body := parse(t, text)
	applied, err := c.Apply(t.Context(), id, body, forced)
	if err != nil {
		t.Fatalf("apply %s: %v", id, err)
	}
	return applied
}

func background(uid types.UID) cluster.Removal {
	return cluster.Removal{UID: string(uid), Propagation: cluster.Background}
}

func mustReason(t *testing.T, err error, want cluster.Reason) {
	t.Helper()
	if got := cluster.ReasonOf(err); got != want {
		t.Fatalf("want reason %s, got %s: %v", want, got, err)
	}
}

func details[T error](t *testing.T, err error) T {
	t.Helper()
	found, is := errors.AsType[T](err)
	if !is {
		t.Fatalf("want details of the type %T, got %v", found, err)
	}
	return found
}

func TestAccApply(t *testing.T) {
	t.Parallel()
	c := connected(t)
	const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-apply, namespace: default}, data: {x: "1"}}`
	id, body := parse(t, text)
	dryRun := forced
	dryRun.DryRun = true

	planned, err := c.Apply(t.Context(), id, body, dryRun)
	if err != nil {
		t.Fatal(err)
	}
	if planned.Outcome != cluster.Created || planned.Object.GetResourceVersion() != "" {
		t.Errorf(
			"a dry-run of a new object: got %s with resourceVersion %q",
			planned.Outcome,
			planned.Object.GetResourceVersion(),
		)
	}
	if _, err := c.Get(t.Context(), id); cluster.ReasonOf(err) != cluster.ReasonNotFound {
		t.Errorf("after a dry-run: want no object, got %v", err)
	}
	if applied := mustApply(t, c, text); applied.Outcome != cluster.Created {
		t.Errorf("first apply: got %s", applied.Outcome)
	}
	if planned, err = c.Apply(t.Context(), id, body, dryRun); err != nil || planned.Outcome != cluster.Updated {
		t.Errorf("a dry-run of an object that is there: got %s, %v", planned.Outcome, err)
	}

	body["metadata"].(map[string]any)["uid"] = "11111111-1111-1111-1111-111111111111"
	_, err = c.Apply(t.Context(), id, body, forced)
	mustReason(t, err, cluster.ReasonConflict)
	if _, err := c.Delete(t.Context(), id, background("")); err != nil {
		t.Fatal(err)
	}
	_, err = c.Apply(t.Context(), id, body, forced)
	mustReason(t, err, cluster.ReasonConflict)
}

func TestAccApplyKeepsEveryCharacter(t *testing.T) {
	t.Parallel()
	c := connected(t)
	want := "a\x7fb\u0085c\u009fd\ufeffe\ufffef\u2028g\u2029h\ti\nj\r\nk é世🙂"
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "acc-characters"}
	body := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": id.Name}, "data": map[string]any{"x": want},
	}
	applied, err := c.Apply(t.Context(), id, body, forced)
	if err != nil {
		t.Fatal(err)
	}
	got, _, _ := unstructured.NestedString(applied.Object.Object, "data", "x")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestAccApplyErrors(t *testing.T) {
	t.Parallel()
	c := connected(t)
	mustApply(
		t,
		c,
		`{apiVersion: v1, kind: Secret, metadata: {name: acc-immutable, namespace: default}, immutable: true, stringData: {k: v}}`,
	)
	const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: acc-errors, namespace: default}, spec: {replicas: 0,
		selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`
	mustApply(t, c, deployment)
	cases := map[string]struct {
		text   string
		opts   cluster.ApplyOptions
		reason cluster.Reason
		says   string
	}{
		"an unknown field": {
			strings.ReplaceAll(
				deployment,
				"replicas",
				"replica",
			), forced, cluster.ReasonSchemaMismatch, ".spec.replica: field not declared in schema",
		},
		"fields of another manager without force": {
			strings.ReplaceAll(deployment, "replicas: 0", "replicas: 1"), cluster.ApplyOptions{FieldManager: "other"},
			cluster.ReasonFieldManagerConflict, ".spec.replicas",
		},
		"an immutable field": {
			strings.ReplaceAll(deployment, "a: b", "a: c"), forced, cluster.ReasonInvalid, "field is immutable",
		},
		"a missing namespace": {
			strings.ReplaceAll(deployment, "default", "acc-missing"), forced, cluster.ReasonNamespaceNotFound, "acc-missing",
		},
		"an unserved kind of a built-in group": {
			`{apiVersion: apps/v1, kind: Deploymet, metadata: {name: x}}`, forced, cluster.ReasonKindNotServed, "Deploymet",
		},
		"an immutable Secret": {
			`{apiVersion: v1, kind: Secret, metadata: {name: acc-immutable, namespace: default}, immutable: true, stringData: {k: w}}`,
			forced, cluster.ReasonInvalid, "immutable",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, body := parse(t, tc.text)
			_, err := c.Apply(t.Context(), id, body, tc.opts)
			mustReason(t, err, tc.reason)
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("want %q in %q", tc.says, err)
			}
		})
	}
	t.Run("an unserved kind names the nearest", func(t *testing.T) {
		t.Parallel()
		_, err := c.Scope(t.Context(), "apps/v1", "Deploymet")
		mustReason(t, err, cluster.ReasonKindNotServed)
		want := &cluster.KindNotServedError{Nearest: []string{"apps/v1 Deployment"}, BuiltinGroup: true}
		if diff := cmp.Diff(want, details[*cluster.KindNotServedError](t, err)); diff != "" {
			t.Errorf("details (-want +got):\n%s", diff)
		}
	})
}

func TestAccPatchOfManagedFields(t *testing.T) {
	t.Parallel()
	c := connected(t)
	const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-managed, namespace: default}, data: {a: "1", b: "1"}}`
	first := mustApply(t, c, text).Object
	id := manifest.IdentityOf(first)
	second := mustApply(t, c, strings.Replace(text, `a: "1"`, `a: "2"`, 1)).Object

	entries := second.GetManagedFields()
	entries[0].FieldsV1 = metav1.NewFieldsV1(`{"f:data":{"f:b":{}}}`)
	_, err := c.Patch(
		t.Context(),
		id,
		cluster.Patch{
			FieldManager:    "k8sconnect",
			ResourceVersion: first.GetResourceVersion(),
			Edits:           []cluster.Edit{cluster.SetManagedFields(entries)},
		},
	)
	mustReason(t, err, cluster.ReasonConflict)

	released, err := c.Patch(
		t.Context(),
		id,
		cluster.Patch{
			FieldManager:    "k8sconnect",
			ResourceVersion: second.GetResourceVersion(),
			Edits:           []cluster.Edit{cluster.SetManagedFields(entries)},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entries, released.GetManagedFields()); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	kept := mustApply(
		t,
		c,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-managed, namespace: default}, data: {b: "1"}}`,
	).Object
	data, _, _ := unstructured.NestedStringMap(kept.Object, "data")
	if diff := cmp.Diff(map[string]string{"a": "2", "b": "1"}, data); diff != "" {
		t.Errorf("data after the release (-want +got):\n%s", diff)
	}
}

func TestAccDeleteOfWhatIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	c := connected(t)
	for name, text := range map[string]string{
		"a kind answered with a status":     `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-gone, namespace: default}}`,
		"a kind answered with the object":   `{apiVersion: v1, kind: Service, metadata: {name: acc-gone, namespace: default}, spec: {ports: [{port: 80}]}}`,
		"a pod that is scheduled to nobody": `{apiVersion: v1, kind: Pod, metadata: {name: acc-gone, namespace: default}, spec: {schedulerName: none, containers: [{name: c, image: i}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			created := mustApply(t, c, text).Object
			id := manifest.IdentityOf(created)
			_, err := c.Delete(t.Context(), id, background("11111111-1111-1111-1111-111111111111"))
			mustReason(t, err, cluster.ReasonConflict)
			terminating, err := c.Delete(t.Context(), id, background(created.GetUID()))
			if err != nil || terminating != nil {
				t.Fatalf("want nothing left, got %v, %v", terminating, err)
			}
			_, err = c.Delete(t.Context(), id, background(created.GetUID()))
			mustReason(t, err, cluster.ReasonNotFound)
			_, err = c.Get(t.Context(), id)
			mustReason(t, err, cluster.ReasonNotFound)
		})
	}
}

func TestAccAwaitDeletion(t *testing.T) {
	t.Parallel()
	c := connected(t)
	const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-held, namespace: default, finalizers: [example.com/hold]}}`
	created := mustApply(t, c, text).Object
	id := manifest.IdentityOf(created)
	terminating, err := c.Delete(t.Context(), id, background(created.GetUID()))
	if err != nil || terminating == nil {
		t.Fatalf("want a terminating object, got %v, %v", terminating, err)
	}

	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err = c.AwaitDeletion(short, terminating)
	mustReason(t, err, cluster.ReasonDeletionBlocked)
	if !strings.Contains(err.Error(), "example.com/hold") {
		t.Errorf("the finalizer is not named: %v", err)
	}

	from := controlPlane.AuditLog().Mark()
	done := make(chan error, 1)
	go func() { done <- c.AwaitDeletion(t.Context(), terminating) }()
	awaitWatch(t, from)
	mustApply(t, c, `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-held, namespace: default}}`)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	requests, err := controlPlane.AuditLog().Since(from, testcluster.ByUserAgent(t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range requests {
		got = append(got, r.Verb)
	}
	if diff := cmp.Diff([]string{"watch", "patch"}, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	// A late call finds the object gone, or another object with its name.
	mustApply(t, c, text)
	if err := c.AwaitDeletion(t.Context(), terminating); err != nil {
		t.Errorf("an object that was created again: %v", err)
	}
	mustApply(t, c, `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-held, namespace: default}}`)
}

// awaitWatch waits until the test's client has begun to watch since a position.
func awaitWatch(t *testing.T, from testcluster.Position) {
	t.Helper()
	sent := controlPlane.AuditLog().Tail(from, testcluster.ByUserAgent(t.Name()))
	for range 600 {
		if requests, err := sent(); err == nil && len(requests) > 0 && requests[0].Code != 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the client does not watch")
}

func TestAccNamespaceLifecycle(t *testing.T) {
	t.Parallel()
	c := connected(t)
	created := mustApply(t, c, `{apiVersion: v1, kind: Namespace, metadata: {name: acc-ns}}`).Object
	mustApply(
		t,
		c,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: acc-ns, finalizers: [example.com/hold]}}`,
	)
	terminating, err := c.Delete(t.Context(), manifest.IdentityOf(created), background(created.GetUID()))
	if err != nil || terminating == nil {
		t.Fatalf("want a terminating namespace, got %v, %v", terminating, err)
	}
	id, body := parse(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: late, namespace: acc-ns}}`)
	_, err = c.Apply(t.Context(), id, body, forced)
	mustReason(t, err, cluster.ReasonNamespaceTerminating)

	// The namespace controller reports what is left after it has checked the namespace.
	for deadline := time.Now().Add(time.Minute); ; {
		short, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		err = c.AwaitDeletion(short, terminating)
		cancel()
		mustReason(t, err, cluster.ReasonDeletionBlocked)
		if strings.Contains(err.Error(), "example.com/hold") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("what holds the namespace is not named: %v", err)
		}
	}
	writer, err := dynamic.NewForConfig(controlPlane.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("acc-ns").
		Patch(t.Context(), "held", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := c.AwaitDeletion(t.Context(), terminating); err != nil {
		t.Fatal(err)
	}
}

func TestAccCustomResource(t *testing.T) {
	t.Parallel()
	c := connected(t)
	_, err := c.Scope(t.Context(), "acc.example.com/v1", "Gadget")
	mustReason(t, err, cluster.ReasonKindNotServed)
	if details[*cluster.KindNotServedError](t, err).BuiltinGroup {
		t.Errorf("a group of a CustomResourceDefinition is called built in")
	}
	definition := mustApply(
		t,
		c,
		strings.NewReplacer("scope: Namespaced", "scope: Cluster", "served: true", "served: true\n    deprecated: true").
			Replace(
				customresource.Definition("acc.example.com", "Gadget", "spec: {type: object, properties: {size: {type: integer, maximum: 5}}}"),
			),
	).Object
	const text = `{apiVersion: acc.example.com/v1, kind: Gadget, metadata: {name: g}, spec: {size: 1}}`
	id, body := parse(t, text)
	var applied cluster.Applied
	for range 600 {
		if applied, err = c.Apply(t.Context(), id, body, forced); cluster.ReasonOf(err) != cluster.ReasonKindNotServed {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(applied.Warnings) != 1 || !strings.Contains(applied.Warnings[0], "deprecated") {
		t.Errorf("want one warning of a deprecated version, got %q", applied.Warnings)
	}
	if scope, err := c.Scope(t.Context(), "acc.example.com/v1", "Gadget"); err != nil || scope != cluster.ScopeCluster {
		t.Errorf("scope: %s, %v", scope, err)
	}
	_, invalid := parse(t, strings.Replace(text, "size: 1", "size: 9", 1))
	_, err = c.Apply(t.Context(), id, invalid, forced)
	mustReason(t, err, cluster.ReasonInvalid)
	if got := details[*cluster.InvalidError](t, err).Causes; len(got) != 1 || got[0].Field != "spec.size" {
		t.Errorf("causes: %v", got)
	}

	terminating, err := c.Delete(t.Context(), manifest.IdentityOf(definition), background(definition.GetUID()))
	if err != nil || terminating == nil {
		t.Fatalf("want a terminating definition, got %v, %v", terminating, err)
	}
	if err := c.AwaitDeletion(t.Context(), terminating); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if _, err = c.Get(t.Context(), id); cluster.ReasonOf(err) == cluster.ReasonKindNotServed {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("want the kind to be gone, got %v", err)
}

func TestAccCredentialsThatAreNotAccepted(t *testing.T) {
	t.Parallel()
	if controlPlane == nil {
		t.Skip("TF_ACC is not set")
	}
	nobody, err := controlPlane.User("acc-nobody")
	if err != nil {
		t.Fatal(err)
	}
	ca := string(nobody.CAData)
	cases := map[string]struct {
		config connect.Config
		reason cluster.Reason
	}{
		"a wrong token": {
			connect.Config{Host: nobody.Host, ClusterCACertificate: ca, Token: "hunter2"},
			cluster.ReasonUnauthorized,
		},
		"a user without permissions": {
			connect.Config{
				Host:                 nobody.Host,
				ClusterCACertificate: ca,
				ClientCertificate:    string(nobody.CertData),
				ClientKey:            string(nobody.KeyData),
			},
			cluster.ReasonForbidden,
		},
		"a certificate nobody vouches": {connect.Config{Host: nobody.Host, Token: "hunter2"}, cluster.ReasonUnreachable},
		"a plugin that is not installed": {
			connect.Config{
				Host:                 nobody.Host,
				ClusterCACertificate: ca,
				Exec: &connect.ExecConfig{
					APIVersion: "client.authentication.k8s.io/v1",
					Command:    "acc-no-such-plugin",
				},
			},
			cluster.ReasonCredentials,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := kube.NewPool(connect.Options{}).Client(tc.config)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Get(
				t.Context(),
				manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "x"},
			)
			mustReason(t, err, tc.reason)
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the token is shown: %v", err)
			}
			t.Log(err)
		})
	}
}
