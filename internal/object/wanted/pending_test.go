package wanted

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestPending(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*record.Prior, *Wanted)
		want   bool
	}{
		"nothing changed": {func(*record.Prior, *Wanted) {}, false},
		"only the formatting of the body": {
			func(p *record.Prior, _ *Wanted) {
				p.Arguments.Manifest = clustertest.Parsed(t, "# formatted\n"+strings.ReplaceAll(clustertest.ConfigBody, "{a: \"1\", ", "{a: '1',   "))
			}, false,
		},
		"the body": {
			func(p *record.Prior, _ *Wanted) {
				p.Arguments.Manifest = clustertest.Parsed(t, strings.Replace(clustertest.ConfigBody, `"1"`, `"3"`, 1))
			}, true,
		},
		"a body in the state that does not parse": {func(p *record.Prior, _ *Wanted) { p.Arguments.Manifest = manifest.Manifest{} }, true},
		"a pattern more":              {func(p *record.Prior, _ *Wanted) { p.Arguments.Ignore = nil }, true},
		"another text of a pattern":   {func(p *record.Prior, _ *Wanted) { p.Arguments.Ignore = clustertest.Patterns(t, `data["b"]`) }, true},
		"the field manager":           {func(_ *record.Prior, i *Wanted) { i.FieldManager = "other" }, true},
		"an object that was imported": {func(p *record.Prior, _ *Wanted) { p.Snapshot.AppliedState = "" }, true},
		"a declared value": {func(p *record.Prior, _ *Wanted) {
			p.Snapshot.LiveState = record.DigestOf(map[string]string{"data.a": "2"})
		}, true},
		"other texts of the paths in the state": {
			func(p *record.Prior, _ *Wanted) { p.ManagedState = map[string]string{`data["a"]`: "1"} }, false,
		},
		"a part of a map that the body gives as empty": {
			func(p *record.Prior, _ *Wanted) {
				p.Snapshot.Fields.Declared = clustertest.Fields(t, `{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Fields.Empty = clustertest.Fields(t, `{"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl", `{"f:metadata":{"f:labels":{".":{},"f:x":{}}}}`)})...)
			}, false,
		},
		"a map that the body gives as empty, and that is gone": {
			func(p *record.Prior, _ *Wanted) {
				p.Snapshot.Fields.Declared = clustertest.Fields(t, `{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Fields.Empty = clustertest.Fields(t, `{"f:metadata":{"f:labels":{}}}`)
			}, true,
		},
		"somebody took a field from us": {func(p *record.Prior, _ *Wanted) { p.Snapshot.Claims = clustertest.Claims(t, clustertest.Owning(`{}`)) }, true},
		"somebody applied more in our name": {func(p *record.Prior, _ *Wanted) {
			p.Snapshot.Claims = clustertest.Claims(t, clustertest.Owning(clustertest.BothFields))
		}, true},
		"our entry is gone": {func(p *record.Prior, _ *Wanted) { p.Snapshot.Claims = nil }, true},
		"somebody shares our fields": {
			func(p *record.Prior, _ *Wanted) {
				other := clustertest.Owning(clustertest.BothFields)[0]
				other.Manager = "kubectl"
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{other})...)
			}, false,
		},
		"a manager that is taken over shares them": {
			func(p *record.Prior, i *Wanted) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl-create", clustertest.BothFields)})...)
				i.TakeOver = []string{"kubectl-create"}
			}, true,
		},
		"a manager that is ignored shares them": {
			func(p *record.Prior, i *Wanted) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", clustertest.BothFields)})...)
				p.Snapshot.Values = map[string]string{"f:data/f:a": `"1"`, "f:data/f:b": `"2"`}
				i.IgnoreManagers = []string{"h*"}
			}, true,
		},
		"a manager that is ignored holds a map and nothing in it": {
			func(p *record.Prior, i *Wanted) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", `{"f:data":{}}`)})...)
				p.Snapshot.Values = map[string]string{"f:data": `{"a":"1","b":"2"}`}
				i.IgnoreManagers = []string{"hpa"}
			}, false,
		},
		"a manager that was ignored let go": {
			func(p *record.Prior, _ *Wanted) { p.Snapshot.IgnoredByManager = []string{"data.c"} }, true,
		},
		"a manager that was ignored holds what it held": {
			func(p *record.Prior, i *Wanted) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", `{"f:data":{"f:b":{}}}`)})...)
				p.Snapshot.Values = map[string]string{"f:data/f:b": `"2"`}
				p.Snapshot.IgnoredByManager, i.IgnoreManagers = []string{"data.b"}, []string{"hpa"}
			}, false,
		},
		"our entry has another time": {
			func(p *record.Prior, _ *Wanted) { p.Snapshot.Claims[0].Time = time.Now() }, false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := applied(t)
			intent := ignoring(t, "data.b")
			tt.change(&prior, &intent)
			if got := Pending(intent.Arguments, prior); got != tt.want {
				t.Errorf("pending %t, want %t", got, tt.want)
			}
		})
	}
}

// applied returns what the state and private state hold after an apply of both fields with a pattern.
func applied(t *testing.T) record.Prior {
	t.Helper()
	state := map[string]string{"data.a": "1"}
	return record.Prior{
		Object: clustertest.ConfigMap, Shown: record.Shown{ManagedState: state},
		Arguments: arguments.Arguments{Manifest: clustertest.Manifest(t), Ignore: clustertest.Patterns(t, "data.b"), FieldManager: "k8sconnect"},
		Snapshot: record.Snapshot{
			Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: "u"}, Claims: clustertest.Claims(t, clustertest.Owning(`{"f:data":{"f:a":{}}}`)),
			Fields: record.KnownFields{Declared: clustertest.Fields(t, `{"f:data":{"f:a":{}}}`)}, Digests: record.Digests{AppliedState: record.DigestOf(state), LiveState: record.DigestOf(state)},
		},
	}
}

// TestPendingOfStringData holds that a state of a version which sent stringData is brought up to date, and
// one that differs in the spelling alone is not.
func TestPendingOfStringData(t *testing.T) {
	t.Parallel()
	const before, now = `{"f:stringData":{"f:a":{}}}`, `{"f:data":{"f:a":{}}}`
	for name, tc := range map[string]struct {
		body, owned, declared string
		want                  bool
	}{
		"as this version leaves it":     {secretBody, now, now, false},
		"written as data":               {"apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\ndata: {a: MQ==}\n", now, now, false},
		"as a version before left it":   {secretBody, before, before, true},
		"applied again by one before":   {secretBody, before, now, true},
		"a snapshot of a version alone": {secretBody, now, before, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parsed, err := manifest.Parse(secretBody)
			if err != nil {
				t.Fatal(err)
			}
			state := map[string]string{"data.a": "(digest)"}
			prior := record.Prior{
				Object: clustertest.Secret, Shown: record.Shown{ManagedState: state}, Arguments: arguments.Arguments{Manifest: clustertest.Parsed(t, tc.body), FieldManager: "k8sconnect"},
				Snapshot: record.Snapshot{
					Object: clustertest.Secret, Sighting: record.Sighting{UID: "u"}, Claims: clustertest.Claims(t, clustertest.Owning(tc.owned)), Fields: record.KnownFields{Declared: record.AsData(clustertest.Secret, clustertest.Fields(t, tc.declared))}, Digests: record.Digests{AppliedState: record.DigestOf(state), LiveState: record.DigestOf(state)},
				},
			}
			if got := Pending(arguments.Arguments{Manifest: parsed, FieldManager: "k8sconnect"}, prior); got != tc.want {
				t.Errorf("pending %t, want %t", got, tc.want)
			}
		})
	}
}

const secretBody = "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\nstringData: {a: \"1\"}\n"

// A provider that is killed during an apply leaves the state without a snapshot. The next apply does what
// that apply was to do, including a new field manager.
func TestObserveWithoutSnapshot(t *testing.T) {
	t.Parallel()
	api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
		return clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), nil
	}}
	last := arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Ignore: clustertest.Patterns(t, "data.b")}
	prior := record.Prior{Object: clustertest.ConfigMap, Arguments: last}
	observed, err := record.Observe(t.Context(), api, "k8sconnect", prior)
	if err != nil || len(observed.ManagedState) != 2 || !slices.Equal(fieldsIn(observed.Snapshot.Fields.Kept), []string{"data.b"}) {
		t.Fatalf("observed %+v, %v", observed, err)
	}
	prior.Snapshot, prior.ManagedState = observed.Snapshot, observed.ManagedState
	intent := ignoring(t)
	if !Pending(intent.Arguments, prior) {
		t.Error("nothing is pending")
	}
	intent.FieldManager = "renamed"
	if previousManager := prior.PreviousManager(intent.FieldManager); previousManager != "k8sconnect" {
		t.Errorf("formerly %q", previousManager)
	}
}
