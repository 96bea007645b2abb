package record

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// unlisted is a cluster whose discovery lacks a kind, as that of an API server that has just been started.
type unlisted struct{ clustertest.Stub }

func (unlisted) Scope(context.Context, string, string) (cluster.Scope, error) {
	return "", clustertest.Failing(cluster.ReasonKindNotServed)
}

// The object of a moved state does not count as gone before a Get says so.
func TestMovedObjectOfAKindThatIsNotListed(t *testing.T) {
	t.Parallel()
	for reason, isGone := range map[cluster.Reason]bool{cluster.ReasonServer: false, cluster.ReasonKindNotServed: true} {
		api := unlisted{clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return nil, clustertest.Failing(reason) }}}
		_, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: clustertest.ConfigMap, Snapshot: Snapshot{Move: Move{Moved: true}}})
		if cluster.IsGone(err) != isGone || err == nil {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// Fields that the manager of a moved state owns count as applied, and as added if no other manager has a part in them.
func TestObserveMoved(t *testing.T) {
	t.Parallel()
	const onlyA = `{"f:data":{"f:a":{}}}`
	for name, tc := range map[string]struct {
		body    string
		entries []metav1.ManagedFieldsEntry
		added   []string
		pending bool
	}{
		"as it was":         {`{"data":{"a":"1","b":"2"}}`, clustertest.Owning(clustertest.BothFields), []string{"data.a", "data.b"}, false},
		"one is shared":     {`{"data":{"a":"1","b":"2"}}`, append(clustertest.Owning(clustertest.BothFields), clustertest.Updating("bob", onlyA)), []string{"data.b"}, false},
		"one is lost":       {`{"data":{"a":"1","b":"2"}}`, append(clustertest.Owning(onlyA), clustertest.Updating("bob", `{"f:data":{"f:b":{}}}`)), []string{"data.a"}, true},
		"one is unowned":    {`{"data":{"a":"1"}}`, clustertest.Owning(onlyA), []string{"data.a"}, false},
		"another value":     {`{"data":{"a":"1","b":"3"}}`, clustertest.Owning(clustertest.BothFields), []string{"data.a", "data.b"}, true},
		"one too many":      {`{"data":{"a":"1"}}`, clustertest.Owning(clustertest.BothFields), []string{"data.a"}, true},
		"nothing is theirs": {`{"data":{"a":"1"}}`, []metav1.ManagedFieldsEntry{clustertest.Updating("bob", clustertest.BothFields)}, nil, true},
		"data as a whole":   {`{"data":{"a":"1"}}`, clustertest.Owning(`{"f:data":{".":{},"f:a":{}}}`), []string{"data.a"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part, err := manifest.ParsePart(tc.body, clustertest.ConfigMap)
			if err != nil {
				t.Fatal(err)
			}
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return clustertest.Live("u", "1", tc.entries), nil }}
			prior := Prior{
				Object: clustertest.ConfigMap, Snapshot: Snapshot{Object: clustertest.ConfigMap, Move: Move{Moved: true}},
				Arguments: arguments.Arguments{IsPart: true, FieldManager: "k8sconnect", Manifest: part},
			}
			observed, err := Observe(t.Context(), api, "k8sconnect", prior)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(observed.Added, tc.added) {
				t.Errorf("added %q, want %q", observed.Added, tc.added)
			}
			if pending := observed.Snapshot.AppliedState != observed.Snapshot.LiveState; pending != tc.pending || !observed.Snapshot.Moved {
				t.Errorf("pending %t, moved %t", pending, observed.Snapshot.Moved)
			}
		})
	}
}

// Other providers look for an object without a namespace in the namespace default, whatever the connection says.
func TestObserveMovedWithoutNamespace(t *testing.T) {
	t.Parallel()
	id := clustertest.ConfigMap
	id.Namespace = ""
	api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
		return clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), nil
	}}
	observed, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: id, Snapshot: Snapshot{Object: id, Move: Move{Moved: true}}, Arguments: arguments.Arguments{IsPart: true}})
	if err != nil || observed.Object.Namespace != "default" || observed.Snapshot.Object.Namespace != "default" {
		t.Errorf("observed %v, %v", observed.Object, err)
	}
}

// What a moved object's source wrote by update does not count as applied: the state shows what its body declares.
func TestDescribeMovedObject(t *testing.T) {
	t.Parallel()
	const body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"data\":{\"a\":\"1\",\"b\":\"2\"}}"
	for name, tc := range map[string]struct {
		body    string
		ignore  []string
		entries []metav1.ManagedFieldsEntry
		shown   []string
		applied string
	}{
		"applied":            {body, nil, clustertest.Owning(clustertest.BothFields), []string{"data.a", "data.b"}, "live"},
		"applied another":    {strings.Replace(body, `"2"`, `"3"`, 1), nil, clustertest.Owning(clustertest.BothFields), []string{"data.a", "data.b"}, "lost"},
		"applied more":       {strings.Replace(body, `,"b":"2"`, "", 1), nil, clustertest.Owning(clustertest.BothFields), []string{"data.a", "data.b"}, "lost"},
		"applied in part":    {body, []string{"data.b"}, clustertest.Owning(`{"f:data":{"f:a":{}}}`), []string{"data.a"}, "live"},
		"updated":            {body, nil, []metav1.ManagedFieldsEntry{clustertest.Updating("HashiCorp", clustertest.BothFields)}, []string{"data.a", "data.b"}, ""},
		"updated, with less": {strings.Replace(body, `,"b":"2"`, "", 1), nil, []metav1.ManagedFieldsEntry{clustertest.Updating("HashiCorp", clustertest.BothFields)}, []string{"data.a"}, ""},
		"updated, ignored":   {body, []string{"data.b"}, []metav1.ManagedFieldsEntry{clustertest.Updating("HashiCorp", clustertest.BothFields)}, []string{"data.a"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := Prior{
				Object: clustertest.ConfigMap, Snapshot: Snapshot{Object: clustertest.ConfigMap, Move: Move{Moved: true, MovedFrom: []string{"HashiCorp"}}},
				Arguments: arguments.Arguments{FieldManager: "k8sconnect", Manifest: clustertest.Parsed(t, tc.body), Ignore: clustertest.Patterns(t, tc.ignore...)},
			}
			observed, err := DescribeMoved(clustertest.Live("u", "1", tc.entries), clustertest.ConfigMap, "k8sconnect", prior)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(observed.ManagedState)); !slices.Equal(got, tc.shown) {
				t.Errorf("shown %q, want %q", got, tc.shown)
			}
			applied := observed.Snapshot.AppliedState
			if applied == observed.Snapshot.LiveState {
				applied = "live"
			}
			if applied != tc.applied {
				t.Errorf("applied is %q, want %q", applied, tc.applied)
			}
			if !observed.Snapshot.Moved || !slices.Equal(observed.Snapshot.MovedFrom, []string{"HashiCorp"}) || len(observed.Added) > 0 {
				t.Errorf("moved %t from %q, added %q", observed.Snapshot.Moved, observed.Snapshot.MovedFrom, observed.Added)
			}
		})
	}
}
