package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// server notes the requests, and answers them with one object.
type server struct {
	clustertest.Stub
	requests []string
	live     *unstructured.Unstructured
	// applied is what an apply makes of the object.
	applied *unstructured.Unstructured
	// refusals is how many patches are refused; blocked is the error of a deletion.
	refusals int
	blocked  error
}

func newServer(live, applied *unstructured.Unstructured) *server {
	s := &server{live: live, applied: applied}
	s.OnGet = func() (*unstructured.Unstructured, error) {
		if s.note("GET"); s.live == nil {
			return nil, clustertest.Failing(cluster.ReasonNotFound)
		}
		return s.live, nil
	}
	s.OnApply = func(options cluster.ApplyOptions) (cluster.Applied, error) {
		outcome := cluster.Updated
		if s.live == nil {
			outcome = cluster.Created
		}
		if s.note(named("apply", options.DryRun)); !options.DryRun {
			s.live = s.applied
		}
		return cluster.Applied{Object: s.applied, Outcome: outcome}, nil
	}
	s.OnPatch = func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
		if s.note("PATCH"); s.refusals > 0 {
			s.refusals--
			return nil, clustertest.Failing(cluster.ReasonInvalid)
		}
		s.live = s.live.DeepCopy()
		s.live.SetManagedFields(entries)
		return s.live, nil
	}
	return s
}

func named(request string, dryRun bool) string {
	if dryRun {
		return "dry-run of " + request
	}
	return request
}

func (s *server) note(request string) { s.requests = append(s.requests, request) }

// Update implements cluster.Interface.
func (s *server) Update(_ context.Context, _ manifest.Identity, update cluster.Update) (cluster.Applied, error) {
	if s.note(named("update", update.DryRun)); !update.DryRun {
		s.live = s.applied
	}
	return cluster.Applied{Object: s.applied, Outcome: cluster.Updated}, nil
}

// Delete implements cluster.Interface.
func (s *server) Delete(_ context.Context, _ manifest.Identity, removal cluster.Removal) (*unstructured.Unstructured, error) {
	s.note("DELETE " + removal.UID + " " + string(removal.Propagation))
	return nil, s.blocked
}

// sent returns the requests since the last call.
func (s *server) sent() string {
	defer func() { s.requests = nil }()
	return strings.Join(s.requests, ", ")
}

// theirs returns the ConfigMap of another client, and what it is after our apply.
func theirs() (live, applied *unstructured.Unstructured) {
	entry := clustertest.Updating("other", clustertest.BothFields)
	live = clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{entry})
	applied = clustertest.Live("u", "2", append(clustertest.Owning(clustertest.BothFields), entry))
	return live, applied
}

// patched returns the ConfigMap after our patch.
func patched() *unstructured.Unstructured {
	object := clustertest.Live("u", "2", []metav1.ManagedFieldsEntry{
		clustertest.Updating("k8sconnect", `{"f:data":{"f:a":{}}}`), clustertest.Updating("other", `{"f:data":{"f:b":{}}}`),
	})
	object.Object["data"] = map[string]any{"a": "3", "b": "2"}
	return object
}

func argumentsOf(t *testing.T, change func(*arguments.Arguments)) arguments.Arguments {
	t.Helper()
	args := arguments.Arguments{
		Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", OnConflict: arguments.Force,
	}
	change(&args)
	return args
}

func wholeOf(*arguments.Arguments)     {}
func partOf(args *arguments.Arguments) { args.IsPart = true }
func patchOf(args *arguments.Arguments) {
	patch, err := patches.Parse("", patches.Merge, `{"data": {"a": "3"}}`)
	if err != nil {
		panic(err)
	}
	args.IsPart, args.Patch = true, &patch
}

// Each engine sends the requests of its way, from the first plan to the end.
func TestEngines(t *testing.T) {
	t.Parallel()
	live, applied := theirs()
	ours := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
	for name, test := range map[string]struct {
		change        func(*arguments.Arguments)
		live, applied *unstructured.Unstructured
		// The requests of PlanFirst, Create, Plan, Apply and End.
		first, create, plan, apply, end string
	}{
		"whole": {
			change: wholeOf, applied: ours,
			first: "dry-run of apply", create: "apply", plan: "dry-run of apply", apply: "apply", end: "DELETE u Foreground",
		},
		"part": {
			change: partOf, live: live, applied: applied,
			first: "GET, dry-run of apply", create: "apply", plan: "dry-run of apply", apply: "apply", end: "GET, apply",
		},
		"patch": {
			change: patchOf, live: live, applied: patched(),
			first: "GET, dry-run of update", create: "update", plan: "GET", end: "GET, PATCH", // It is in effect.
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newServer(test.live, test.applied)
			args := argumentsOf(t, test.change)
			e := Of(Work{API: api, Args: args, Run: &run.Run{}})
			expect := func(step, want string, err error) {
				t.Helper()
				if got := api.sent(); got != want || err != nil {
					t.Errorf("%s sends %q (error %v), want %q", step, got, err, want)
				}
			}
			first, prior, err := e.PlanFirst(t.Context(), record.Snapshot{})
			expect("PlanFirst", test.first, err)
			if first.Awaited.IsPrerequisite || prior.Snapshot.Known() != (test.live != nil) {
				t.Errorf("PlanFirst: awaits %+v, prior %+v", first.Awaited, prior.Snapshot)
			}
			observed, _, err := e.Create(t.Context(), first)
			expect("Create", test.create, err)
			prior = record.Prior{
				Object: observed.Object, UID: observed.UID, Shown: observed.Shown, Snapshot: observed.Snapshot, Arguments: args,
			}
			plan, err := e.Plan(t.Context(), prior)
			expect("Plan", test.plan, err)
			_, _, err = e.Apply(t.Context(), prior, plan)
			expect("Apply", test.apply, err)
			_, _, err = e.PlanNothing(prior)
			expect("PlanNothing", "", err)
			until := time.Now().Add(time.Minute)
			if args.IsPart { // The run that has applied it does not take it back.
				ended, err := e.End(t.Context(), prior, Policy{Until: until})
				if expect("End of the same run", "", err); !ended.Adopted {
					t.Errorf("End of the same run: %+v", ended)
				}
				e = Of(Work{API: api, Args: args, Run: &run.Run{}})
			}
			ended, err := e.End(t.Context(), prior, Policy{Propagation: cluster.Foreground, Until: until})
			expect("End", test.end, err)
			if ended.Superseded || ended.Adopted || ended.Forced || ended.Refused != nil {
				t.Errorf("End: %+v", ended)
			}
		})
	}
}

// If the object of a part is missing, the plan that an apply makes fails, so that it is repeated.
func TestPlanFirstWithoutObject(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*arguments.Arguments){"part": partOf, "patch": patchOf} {
		for round, fails := range map[run.Round]bool{run.FirstRound: false, run.SecondRound: true} {
			var current run.Run
			current.Rounds.Set(round)
			e := Of(Work{API: newServer(nil, nil), Args: argumentsOf(t, change), Run: &current})
			plan, _, err := e.PlanFirst(t.Context(), record.Snapshot{})
			if plan.Awaited.Err == nil || plan.State != nil || (err != nil) != fails {
				t.Errorf("%s, round %v: awaits %v, error %v", name, round, plan.Awaited.Err, err)
			}
		}
	}
}

// A plan tries again what the end of a part takes back if other clients write between its read and its dry-run, which is
// then refused as a conflict.
func TestWithdrawalBesideOtherClients(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		isRead    bool
		conflicts int
		requests  string
	}{
		"nobody writes":                   {true, 0, "PATCH"},
		"the object was not read":         {false, 0, "GET, PATCH"},
		"a write since the read":          {true, 1, "PATCH, GET, PATCH"},
		"a write after its own read":      {false, 1, "GET, PATCH, GET, PATCH"},
		"writes that do not end":          {true, 9, "PATCH, GET, PATCH, GET, PATCH, GET, PATCH"},
		"writes after reads, without end": {false, 9, "GET, PATCH, GET, PATCH, GET, PATCH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live, _ := theirs()
			api, conflicts := newServer(live, nil), test.conflicts
			api.OnPatch = func(string, []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
				api.note("PATCH")
				if conflicts--; conflicts >= 0 {
					return nil, clustertest.Failing(cluster.ReasonConflict)
				}
				return live, nil
			}
			args := argumentsOf(t, patchOf)
			prior, err := record.PriorOf(patched(), record.Observation{
				ID: clustertest.ConfigMap, FieldManager: args.FieldManager, IsPart: true, Patch: args.Patch,
				Fields: record.KnownFields{
					Declared: clustertest.Fields(t, clustertest.BothFields), Added: clustertest.Fields(t, clustertest.BothFields),
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			api.live, prior.Arguments = patched(), args
			if !test.isRead {
				prior.Live = nil
			}
			_, after, err := tryWithdrawal(t.Context(), api, prior)
			if got := api.sent(); got != test.requests || (after == nil) != (test.conflicts > mostReads) || (err == nil) != (after != nil) {
				t.Errorf("it sends %q, and returns %v, %v", got, after, err)
			}
		})
	}
}

// What the server refuses twice to take back is only released.
func TestEndReleasesWhatIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refusals int
		refused  bool
		reason   cluster.Reason
	}{
		"an accident": {refusals: 1},
		"a refusal":   {refusals: 2, refused: true},
		"all refused": {refusals: 3, reason: cluster.ReasonInvalid},
	} {
		api := newServer(patched(), patched())
		api.refusals = test.refusals
		args := argumentsOf(t, patchOf)
		prior, err := record.PriorOf(api.live, record.Observation{
			ID: clustertest.ConfigMap, FieldManager: "k8sconnect", IsPart: true, Patch: args.Patch,
		})
		if err != nil {
			t.Fatal(err)
		}
		e := Of(Work{API: api, Args: args, Run: &run.Run{}})
		ended, err := e.End(t.Context(), prior, Policy{Until: time.Now().Add(time.Minute)})
		if (ended.Refused != nil) != test.refused || cluster.ReasonOf(err) != test.reason {
			t.Errorf("%s: refused %v, error %v", name, ended.Refused, err)
		}
	}
}

// An object that another resource of the run has adopted stays, and so does one that is only released.
func TestEndOfWholeObjects(t *testing.T) {
	t.Parallel()
	ours := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
	blocked := clustertest.Failing(cluster.ReasonDeletionBlocked)
	for name, test := range map[string]struct {
		uid      string
		adopted  bool
		policy   Policy
		blocked  error
		want     Ended
		requests string
		reason   cluster.Reason
	}{
		"deleted":     {uid: "u", requests: "DELETE u "},
		"released":    {uid: "u", policy: Policy{Releases: true}, requests: "GET, PATCH"},
		"adopted":     {uid: "u", adopted: true, want: Ended{Adopted: true}},
		"uid unknown": {requests: "GET, DELETE u "},
		"blocked":     {uid: "u", blocked: blocked, requests: "DELETE u ", reason: cluster.ReasonDeletionBlocked},
		"blocked, and forced": {
			uid: "u", blocked: blocked, policy: Policy{Forces: true}, requests: "DELETE u , GET",
			want: Ended{Forced: true}, reason: cluster.ReasonDeletionBlocked,
		},
	} {
		api := newServer(ours, ours)
		api.blocked = test.blocked
		var current run.Run
		if test.adopted {
			if err := current.Objects.Adopt(clustertest.ConfigMap, "u", "another"); err != nil {
				t.Fatal(err)
			}
		}
		args := argumentsOf(t, wholeOf)
		test.policy.Until = time.Now().Add(time.Minute)
		prior := record.Prior{Object: clustertest.ConfigMap, UID: test.uid, Arguments: args}
		ended, err := Of(Work{API: api, Args: args, Run: &current}).End(t.Context(), prior, test.policy)
		if diff := cmp.Diff(test.want, ended); diff != "" || cluster.ReasonOf(err) != test.reason {
			t.Errorf("%s: error %v (-want +got):\n%s", name, err, diff)
		}
		if got := api.sent(); got != test.requests {
			t.Errorf("%s: sends %q, want %q", name, got, test.requests)
		}
	}
}
