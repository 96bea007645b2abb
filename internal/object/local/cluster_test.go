package local_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/local"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

var (
	lacking   = &cluster.MissingRightError{Verb: "patch", Resource: "configmaps", Namespace: "shop"}
	forbidden = &cluster.Error{Reason: cluster.ReasonForbidden, Object: clustertest.ConfigMap, Message: "no", Details: lacking}
)

// server refuses every write with an error.
type server struct {
	clustertest.Stub
	refusal error
}

// newServer returns a server that has an object; nil if it has none, or if unread is the error of each read.
func newServer(live *unstructured.Unstructured, refusal, unread error) *server {
	s := &server{refusal: refusal}
	s.OnApply = func(cluster.ApplyOptions) (cluster.Applied, error) { return cluster.Applied{}, refusal }
	s.OnGet = func() (*unstructured.Unstructured, error) {
		switch {
		case unread != nil:
			return nil, unread
		case live == nil:
			return nil, clustertest.Failing(cluster.ReasonNotFound)
		}
		return live, nil
	}
	return s
}

func (*server) Kind(context.Context, string, string) (cluster.Kind, error) {
	return cluster.Kind{Scope: cluster.ScopeNamespaced, Plural: "configmaps"}, nil
}

func (s *server) Update(context.Context, manifest.Identity, cluster.Update) (cluster.Applied, error) {
	return cluster.Applied{}, s.refusal
}

func planner(api cluster.Interface, args arguments.Arguments, current *run.Run) engine.Engine {
	work := engine.Work{API: local.Cluster{Interface: api}, Args: args, Run: current}
	return local.Planner{Engine: engine.Of(work), Work: work}
}

func argumentsOf(t *testing.T, change func(*arguments.Arguments)) arguments.Arguments {
	t.Helper()
	args := arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", OnConflict: arguments.Force}
	change(&args)
	return args
}

// conflicts returns the fields that a plan takes, each with both values and the first owner.
func conflicts(plan ssa.Plan) []string {
	var found []string
	for _, change := range plan.Conflicts() {
		found = append(found, change.Field+": "+change.Was+" -> "+change.Becomes+" from "+change.Owners[0].Name)
	}
	return found
}

// theirs is an object of which another manager owns both fields, one of them with another value.
func theirs() *unstructured.Unstructured {
	object := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("eve", clustertest.BothFields)})
	object.Object["data"] = map[string]any{"a": "9", "b": "2"}
	return object
}

// hollow is an object of which another manager owns only the map, which is empty.
func hollow() *unstructured.Unstructured {
	object := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("eve", `{"f:data":{}}`)})
	object.Object["data"] = map[string]any{}
	return object
}

func TestPlanFirst(t *testing.T) {
	t.Parallel()
	part := func(args *arguments.Arguments) { args.IsPart = true }
	adopting := func(args *arguments.Arguments) { args.Existing = arguments.Adopt }
	failing := func(args *arguments.Arguments) { args.IsPart, args.OnConflict = true, arguments.Fail }
	patch := func(args *arguments.Arguments) {
		parsed, err := patches.Parse("", patches.Merge, `{"data": {"a": "3"}}`)
		if err != nil {
			t.Fatal(err)
		}
		args.IsPart, args.Patch = true, &parsed
	}
	ofPolicy := clustertest.Failing(cluster.ReasonForbidden)
	taken := []string{"data.a: 9 -> 1 from eve"}
	for name, test := range map[string]struct {
		change          func(*arguments.Arguments)
		live            *unstructured.Unstructured
		refusal, unread error
		conflicts       []string
		noted           int
		fails           bool
	}{
		"a new object":             {change: func(*arguments.Arguments) {}, refusal: forbidden, noted: 1},
		"an object that exists":    {change: func(*arguments.Arguments) {}, live: theirs(), refusal: forbidden, noted: 1, fails: true},
		"an adopted object":        {change: adopting, live: theirs(), refusal: forbidden, conflicts: taken, noted: 1},
		"a part":                   {change: part, live: theirs(), refusal: forbidden, conflicts: taken, noted: 1},
		"a part without conflicts": {change: failing, live: theirs(), refusal: forbidden, conflicts: taken, noted: 1, fails: true},
		"a patch":                  {change: patch, live: theirs(), refusal: forbidden, conflicts: []string{"data.a: 9 -> 3 from eve"}, noted: 1},
		"an unreadable object":     {change: func(*arguments.Arguments) {}, refusal: forbidden, unread: ofPolicy, fails: true},
		"an empty map of others":   {change: failing, live: hollow(), refusal: forbidden, noted: 1},
		"a policy":                 {change: part, live: theirs(), refusal: ofPolicy, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var current run.Run
			e := planner(newServer(test.live, test.refusal, test.unread), argumentsOf(t, test.change), &current)
			plan, _, err := e.PlanFirst(t.Context(), record.Snapshot{})
			if (err != nil) != test.fails || err == nil && plan.State != nil {
				t.Errorf("error %v, state %v", err, plan.State)
			}
			if diff := cmp.Diff(test.conflicts, conflicts(plan)); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			if objects, _ := current.AwaitWithoutDryRun(t.Context()); objects != test.noted {
				t.Errorf("%d objects are noted, want %d", objects, test.noted)
			}
		})
	}
}

// An answer has what the apply sets and removes, and leaves what only other managers own.
func TestPlanOfAnUpdate(t *testing.T) {
	t.Parallel()
	const before = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data: {a: "1", b: "2", c: "3"}
`
	live := clustertest.Live("u", "2", append(clustertest.Owning(`{"f:data":{"f:a":{},"f:b":{},"f:c":{}}}`),
		clustertest.Updating("eve", `{"f:data":{"f:c":{},"f:d":{}}}`)))
	live.Object["data"] = map[string]any{"a": "1", "b": "2", "c": "3", "d": "4"}
	args := argumentsOf(t, func(args *arguments.Arguments) { args.Manifest = clustertest.Parsed(t, before) })
	prior, err := record.PriorOf(live, record.Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect",
		Fields: record.KnownFields{Declared: clustertest.Claims(t, live.GetManagedFields()).Own("k8sconnect")},
	})
	if err != nil {
		t.Fatal(err)
	}
	prior.Arguments, prior.Snapshot.AppliedState = args, "applied"
	args.Manifest = clustertest.Parsed(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: \"5\"}\n")
	var current run.Run
	plan, err := planner(newServer(live, forbidden, nil), args, &current).Plan(t.Context(), prior)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, change := range plan.Changes {
		lines = append(lines, string(change.What)+" "+change.Field)
	}
	// The other manager owns c, so it stays. b goes, as yaml_body shows.
	if diff := cmp.Diff([]string{"Leaving data.c"}, lines); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// A dry-run under the uid of another object, and every request that no plan sends, is refused as ever.
func TestCluster(t *testing.T) {
	t.Parallel()
	api := local.Cluster{Interface: newServer(theirs(), forbidden, nil)}
	_, err := api.Apply(t.Context(), clustertest.ConfigMap, clustertest.Manifest(t).Object, cluster.ApplyOptions{DryRun: true})
	if cluster.ReasonOf(err) != cluster.ReasonForbidden {
		t.Errorf("an apply without a planner: %v", err)
	}
	var current run.Run
	prior, err := record.PriorOf(theirs(), record.Observation{ID: clustertest.ConfigMap, IsPart: true})
	if err != nil {
		t.Fatal(err)
	}
	prior.Snapshot.UID = "another"
	args := argumentsOf(t, func(args *arguments.Arguments) { args.IsPart = true })
	if _, err = planner(api.Interface, args, &current).Plan(t.Context(), prior); cluster.ReasonOf(err) != cluster.ReasonConflict {
		t.Errorf("another object has the name: %v", err)
	}
}
