package blame

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// applied returns an entry of a manager that applies.
func applied(manager, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(fields),
	}
}

// written returns fields on a line each: path, value where it has one, and the names of the owners.
func written(fields []Field) []string {
	var lines []string
	for _, field := range fields {
		line := field.Path
		if field.Value != nil {
			line += "=" + *field.Value
		}
		for _, owner := range field.Owners {
			line += " " + owner.Name
		}
		lines = append(lines, line)
	}
	return lines
}

func TestRead(t *testing.T) {
	t.Parallel()
	const ports = `{"f:spec":{"f:ports":{"k:{\"port\":80}":{".":{},"f:port":{}}}}}`
	tests := map[string]struct {
		object  string
		entries []metav1.ManagedFieldsEntry
		query   Query
		// fields, stale and unowned are as written has them, managers are name and count.
		fields, stale, unowned, managers []string
	}{
		"an object without entries is unowned": {
			object:  "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b, uid: u, labels: {a: b}}, data: {a: b}}",
			unowned: []string{"data.a=b", "metadata.labels.a=b"},
		},
		"what the server alone writes is not unowned, at the top": {
			object: `{apiVersion: v1, kind: A, metadata: {name: a, namespace: b, uid: u, resourceVersion: "1", generation: 1, selfLink: l,
				creationTimestamp: t, deletionTimestamp: t, deletionGracePeriodSeconds: 1, managedFields: [{}]},
				spec: {metadata: {name: a}, kind: b}}`,
			unowned: []string{"spec.kind=b", "spec.metadata.name=a"},
		},
		"owners are in the server's order, and a group has no value": {
			object:   "{spec: {a: 1, b: x}}",
			entries:  []metav1.ManagedFieldsEntry{applied("z", `{"f:spec":{".":{},"f:a":{}}}`), applied("a", `{"f:spec":{"f:a":{},"f:b":{}}}`)},
			fields:   []string{"spec z", "spec.a=1 z a", "spec.b=x a"},
			managers: []string{"z 2", "a 2"},
		},
		"an atomic field covers what is below it": {
			object:   "{spec: {selector: {a: b}, args: [x, {u: 1}], other: {c: d}}}",
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:selector":{},"f:args":{}}}`)},
			fields:   []string{`spec.args=["x",{"u":1}] a`, `spec.selector={"a":"b"} a`},
			unowned:  []string{"spec.other.c=d"},
			managers: []string{"a 2"},
		},
		"a group covers nothing": {
			object:   "{spec: {labels: {a: b, c: d}}}",
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:labels":{".":{},"f:a":{}}}}`)},
			fields:   []string{"spec.labels a", "spec.labels.a=b a"},
			unowned:  []string{"spec.labels.c=d"},
			managers: []string{"a 2"},
		},
		"a claim without a value is stale, and null is a value": {
			object:   "{spec: {a: null, d: null}}",
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:a":{},"f:b":{".":{},"f:c":{}}}}`)},
			fields:   []string{"spec.a=null a", "spec.b a", "spec.b.c a"},
			stale:    []string{"spec.b a", "spec.b.c a"},
			managers: []string{"a 3"},
		},
		"items nobody holds are named as their siblings are": {
			object: `{spec: {ports: [{port: 80}, {port: 90, name: x}, {name: z}], set: [red, 1], plain: [q, {r: []}]}}`,
			entries: []metav1.ManagedFieldsEntry{
				applied("a", ports), applied("b", `{"f:spec":{"f:set":{"v:\"red\"":{}}}}`),
			},
			fields: []string{"spec.ports[port=80] a", "spec.ports[port=80].port=80 a", `spec.set[="red"]=red b`},
			unowned: []string{
				"spec.plain[0]=q", "spec.plain[1].r=[]", "spec.ports[port=90].name=x", "spec.ports[port=90].port=90",
				"spec.ports[2].name=z", "spec.set[=1]=1",
			},
			managers: []string{"a 2", "b 1"},
		},
		"the second of two items with one key is named by its position": {
			object:   `{spec: {ports: [{port: 80}, {port: 80, name: x}]}}`,
			entries:  []metav1.ManagedFieldsEntry{applied("a", ports)},
			fields:   []string{"spec.ports[port=80] a", "spec.ports[port=80].port=80 a"},
			managers: []string{"a 2"},
			unowned:  []string{"spec.ports[1].name=x"},
		},
		"an item held by the keys of before and of now has both owners": {
			object: `{spec: {ports: [{port: 80, protocol: TCP, name: x}]}}`,
			entries: []metav1.ManagedFieldsEntry{
				applied("a", ports), applied("b", `{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{"f:protocol":{}}}}}`),
			},
			fields: []string{
				`spec.ports[{"port":80}] a`, `spec.ports[{"port":80}].port=80 a`, `spec.ports[port=80,protocol="TCP"].protocol=TCP b`,
			},
			managers: []string{"a 2", "b 1"},
			unowned:  []string{`spec.ports[{"port":80}].name=x`},
		},
		"status counts where it is asked for": {
			object: "{spec: {a: 1}, status: {b: 2, c: 3}}", query: Query{Status: WithStatus},
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:a":{}}}`), applied("b", `{"f:status":{"f:b":{}}}`)},
			fields:   []string{"spec.a=1 a", "status.b=2 b"},
			unowned:  []string{"status.c=3"},
			managers: []string{"a 1", "b 1"},
		},
		"status does not count otherwise": {
			object:   "{spec: {a: 1}, status: {b: 2, c: 3}}",
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:a":{}}}`), applied("b", `{"f:status":{"f:b":{}}}`)},
			fields:   []string{"spec.a=1 a"},
			managers: []string{"a 1"},
		},
		"one manager's fields, with their other owners": {
			object: "{spec: {a: 1, b: 2, c: 3}}", query: Query{Manager: "flux"},
			entries: []metav1.ManagedFieldsEntry{
				applied("flux", `{"f:spec":{"f:a":{},"f:x":{}}}`), applied("flux-2", `{"f:spec":{"f:a":{},"f:b":{},"f:y":{}}}`),
			},
			fields: []string{"spec.a=1 flux flux-2", "spec.x flux"}, stale: []string{"spec.x flux"}, managers: []string{"flux 2"},
		},
		"the fields of all managers of a beginning": {
			object: "{spec: {a: 1, b: 2, c: 3}}", query: Query{Manager: "flux*"},
			entries: []metav1.ManagedFieldsEntry{
				applied("flux", `{"f:spec":{"f:a":{}}}`), applied("flux-2", `{"f:spec":{"f:b":{}}}`), applied("o", `{"f:spec":{"f:c":{}}}`),
			},
			fields: []string{"spec.a=1 flux", "spec.b=2 flux-2"}, managers: []string{"flux 1", "flux-2 1"},
		},
		"a path and all below it": {
			object: "{spec: {ports: [{port: 80, name: x}, {port: 90}], b: 2}}", query: Query{Path: patterns(t, "spec.ports[1]")},
			entries: []metav1.ManagedFieldsEntry{
				applied("a", ports), applied("b", `{"f:spec":{"f:b":{},"f:ports":{"k:{\"port\":90}":{}}}}`),
			},
			fields: []string{`spec.ports[port=90]={"port":90} b`}, managers: []string{"b 1"},
		},
		"a path that nobody owns": {
			object: "{spec: {ports: [{port: 80, name: x}], b: 2}}", query: Query{Path: patterns(t, "spec.ports[port=80].name")},
			entries: []metav1.ManagedFieldsEntry{applied("a", ports)},
			unowned: []string{"spec.ports[port=80].name=x"},
		},
		"keys tell the items of a list that nobody owns": {
			object: "{spec: {ports: [{port: 80, name: x}, {port: 90}]}}", query: Query{Path: patterns(t, "spec.ports[port=90]")},
			unowned: []string{"spec.ports[1].port=90"},
		},
		"a value over 4 KiB is a digest": {
			object:   fmt.Sprintf("{spec: {a: %s}}", strings.Repeat("x", 4097)),
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:a":{}}}`)},
			fields:   []string{"spec.a=(4097 bytes, sha256:3e97197f4b8d46a893067c94ab15e195e3d97fb5f24eede5ef047b571240d92b) a"},
			managers: []string{"a 1"},
		},
		"no two fields share a text": {
			object:   "{metadata: {annotations: {a.b: x}}, spec: {a: {b: w}, a.b: z}}",
			entries:  []metav1.ManagedFieldsEntry{applied("a", `{"f:spec":{"f:a":{"f:b":{}}}}`)},
			fields:   []string{`spec["a"]["b"]=w a`},
			unowned:  []string{"metadata.annotations.a.b=x", `spec["a.b"]=z`},
			managers: []string{"a 1"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := Read(clustertest.Object(t, tt.object), tt.entries, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var managers []string
			for _, manager := range report.Managers {
				managers = append(managers, fmt.Sprint(manager.Name, " ", manager.Fields))
			}
			for what, diff := range map[string]string{
				"fields":   cmp.Diff(tt.fields, written(report.Fields)),
				"managers": cmp.Diff(tt.managers, managers),
				"stale":    cmp.Diff(tt.stale, written(report.Stale)),
				"unowned":  cmp.Diff(tt.unowned, written(report.Unowned)),
			} {
				if diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
		})
	}
}

// A manager that holds an item by its old and its new keys is named once.
func TestAnOwnerIsNamedOnce(t *testing.T) {
	t.Parallel()
	const fields = `{".":{},"f:port":{},"f:opts":{".":{},"f:a":{}}}`
	report, err := Read(clustertest.Object(t, "{spec: {ports: [{port: 80, protocol: TCP, opts: {a: 1}}]}}"), []metav1.ManagedFieldsEntry{
		applied("a", `{"f:spec":{"f:ports":{"k:{\"port\":80}":`+fields+`,"k:{\"port\":80,\"protocol\":\"TCP\"}":`+fields+`}}}`),
	}, Query{})
	want := "spec:\n  ports:\n  - port: 80  # a\n    opts:     # a\n      a: 1    # a\n    protocol: TCP\n"
	if err != nil || !strings.HasSuffix(report.AnnotatedYAML, want) {
		t.Errorf("%v, want %s\nat the end of\n%s", err, want, report.AnnotatedYAML)
	}
}

func TestTimesAreInUTC(t *testing.T) {
	t.Parallel()
	entry := applied("a", `{"f:a":{}}`)
	entry.Time = &metav1.Time{Time: time.Date(2024, 5, 1, 14, 0, 0, 0, time.FixedZone("", 2*60*60))}
	report, err := Read(map[string]any{"a": "b"}, []metav1.ManagedFieldsEntry{entry}, Query{})
	if err != nil || !strings.Contains(report.AnnotatedYAML, "  2024-05-01T12:00:00Z\n") {
		t.Errorf("%v, annotated\n%s", err, report.AnnotatedYAML)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	bad := []metav1.ManagedFieldsEntry{applied("flux", `{"f:data"`)}
	const want = `managedFields entry of "flux": fieldsV1 is not valid JSON`
	if _, err := Read(map[string]any{}, bad, Query{}); err == nil || err.Error() != want {
		t.Errorf("Read: %v", err)
	}
	if _, err := Owners(bad); err == nil || err.Error() != want {
		t.Errorf("Owners: %v", err)
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	a, b := applied("a", `{"f:spec":{"f:x":{}},"f:status":{"f:y":{}}}`), applied("b", `{"f:spec":{"f:x":{}}}`)
	b.Subresource, b.Operation = "scale", metav1.ManagedFieldsOperationUpdate
	now := metav1.Now()
	b.Time = &now
	got, err := Owners([]metav1.ManagedFieldsEntry{a, b})
	if err != nil {
		t.Fatal(err)
	}
	one := ownership.Holder{}
	one.Name, one.Operation, one.APIVersion = "a", "Apply", "v1"
	two := ownership.Holder{Time: now.Time}
	two.Name, two.Operation, two.APIVersion, two.Subresource = "b", "Update", "v1", "scale"
	if diff := cmp.Diff(map[string][]ownership.Holder{"spec.x": {one, two}, "status.y": {one}}, got); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}
