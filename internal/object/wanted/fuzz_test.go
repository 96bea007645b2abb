package wanted

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// FuzzBeforeAnyCall holds that any manifest, any ignore_fields and anybody's managedFields lead to a body
// to send or to an error: the body names the same object, and the manifest is as it was.
func FuzzBeforeAnyCall(f *testing.F) {
	const entries = `[{"manager":"k8sconnect","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}},` +
		`{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:b":{}},"f:l":{"k:{\"n\":1}":{".":{}}}}}]`
	f.Add(clustertest.ConfigBody, "data.a", entries)
	f.Add(clustertest.ConfigBody, "metadata\ndata[*]", "[]")
	f.Add(clustertest.ConfigBody+"l: [{n: 1, m: 2}, {n: 2}]\n", "l[n=1]\nl[*].m\nl[0]", entries)
	f.Add(clustertest.ConfigBody+"l: [a, a, [b], {c: ~}]\n", `l[="a"]`, "null")
	f.Add(clustertest.ConfigBody+"x: &x {a: 1}\ny: {<<: *x, b: 9007199254740993}\n", "y.a\nx", `[{"manager":"k8sconnect","operation":"Apply","fieldsV1":{"f:x":{},"f:y":{}}}]`)
	f.Add(strings.Replace(clustertest.ConfigBody, "name: web", "name: web, creationTimestamp: null, finalizers: [a]", 1), `metadata.finalizers[="a"]`, "[{}]")
	f.Fuzz(func(t *testing.T, text, ignore, managedFields string) {
		parsed, err := manifest.Parse(text)
		if err != nil {
			return
		}
		patterns, err := paths.ParseAll(strings.Split(ignore, "\n"))
		if err != nil {
			return
		}
		var entries []metav1.ManagedFieldsEntry
		if json.Unmarshal([]byte(managedFields), &entries) != nil {
			return
		}
		before, err := manifest.Canonical(parsed.Object)
		if err != nil {
			t.Fatal(err)
		}
		intent := Wanted{Arguments: arguments.Arguments{Manifest: parsed, Ignore: patterns, FieldManager: "k8sconnect", TakeOver: []string{"x"}, IgnoreManagers: []string{"y*"}}}
		checkIntent(t, intent, entries)
		after, err := manifest.Canonical(parsed.Object)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("the manifest changed:\n%s", diff)
		}
	})
}

func checkIntent(t *testing.T, intent Wanted, entries []metav1.ManagedFieldsEntry) {
	t.Helper()
	claims, err := ownership.Parse(entries)
	if err != nil {
		return
	}
	Pending(intent.Arguments, record.Prior{
		Object:    intent.Manifest.Identity,
		Snapshot:  record.Snapshot{Sighting: record.Sighting{UID: "u"}, Digests: record.Digests{AppliedState: "a"}, Claims: claims},
		Arguments: arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect"},
	})
	known := claims.Fields()
	reduced := intent.Ignoring(claims, "k8sconnect", nil)
	reduced.BeforeApply(claims, "k8sconnect").Claims(claims)
	var notIgnorable *NotIgnorableError
	if err := reduced.CheckSeparable(known); err != nil && (!errors.As(err, &notIgnorable) || notIgnorable.Whole == "") {
		t.Fatalf("error %#v", err)
	}
	matcher{[]map[string]any{reduced.Manifest.Object, intent.Manifest.Object}, known}.unmatched(reduced.Ignore)
	sent, err := manifest.Canonical(reduced.Body(known, ""))
	if err != nil {
		t.Fatal(err)
	}
	sent = strings.Replace(sent, `"uid": ""`, `"uid": null`, 1)
	if again, err := manifest.Parse(sent); err != nil || again.Identity != intent.Manifest.Identity {
		t.Fatalf("%s is sent for %s: %v", again.Identity, intent.Manifest.Identity, err)
	}
}
