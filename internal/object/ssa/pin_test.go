package ssa

import (
	"slices"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// If the dry-run creates a value to pin, the computed maps are unknown until the apply. If the object has changed since it
// was read, others may have written the value, and the first of Terraform's two plans may not have seen it.
func TestGainsPins(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pin     []string
		version string
		want    bool
	}{
		"a value that the apply brings about":  {[]string{"spec.added"}, "1", true},
		"a value in a list item of others":     {[]string{"spec.list[*].added"}, "1", true},
		"nothing":                              {[]string{"spec.other"}, "1", false},
		"an object that others have moved":     {[]string{"spec.added"}, "2", false},
		"an item of others in a moved object":  {[]string{"spec.list[*].added"}, "2", false},
		"a moved object without pinned fields": {nil, "2", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := append(clustertest.Owning(clustertest.BothFields), clustertest.Updating("kubectl", `{"f:spec":{"f:list":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`))
			api := clustertest.Stub{OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
				answer := clustertest.Live("u", tt.version, entries)
				answer.Object["spec"] = clustertest.Object(t, "{added: y, list: [{name: x, added: y}]}")
				return cluster.Applied{Object: answer, Outcome: cluster.Updated}, nil
			}}
			prior := record.Prior{
				Object:    clustertest.ConfigMap,
				Arguments: arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, tt.pin...)},
				Snapshot: record.Snapshot{
					Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: "u", ResourceVersion: "1"}, Claims: clustertest.Claims(t, entries), Digests: record.Digests{AppliedState: "a", LiveState: "b"},
					Fields: record.KnownFields{Declared: clustertest.Fields(t, clustertest.BothFields)},
				},
			}
			intent := arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, tt.pin...)}
			plan, err := PlanUpdate(t.Context(), api, intent, prior)
			if err != nil {
				t.Fatal(err)
			}
			if plan.State.PinsUnknown != tt.want {
				t.Errorf("unknown %t, want %t", plan.State.PinsUnknown, tt.want)
			}
		})
	}
}

// The server drops a pinned value. If other managers have written since the read, and it drops the value from the body
// of our last apply, too, their write is the cause, and Terraform's first plan has the value. Otherwise the value is
// forgotten.
func TestLostMeanwhile(t *testing.T) {
	t.Parallel()
	const all = `{"f:data":{"f:a":{},"f:b":{},"f:c":{}}}`
	for name, tt := range map[string]struct {
		version string
		keeps   bool
		asked   int
		want    string
	}{
		"by the apply":                    {"1", true, 1, ""},
		"by others":                       {"2", false, 2, "3"},
		"by the apply, and others wrote":  {"2", true, 2, ""},
		"by neither, as far as one knows": {"1", false, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			api := clustertest.Stub{OnApply: func(options cluster.ApplyOptions) (cluster.Applied, error) {
				asked++
				answer := clustertest.Live("u", tt.version, clustertest.Owning(clustertest.BothFields))
				if tt.keeps && options.FieldManager != "k8sconnect" {
					answer.Object["data"] = map[string]any{"a": "1", "b": "2", "c": "3"}
				}
				return cluster.Applied{Object: answer, Outcome: cluster.Updated}, nil
			}}
			prior := record.Prior{
				Object:    clustertest.ConfigMap,
				Arguments: arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "data.c")},
				Shown:     record.Shown{ManagedState: map[string]string{"data.a": "1", "data.b": "2", "data.c": "3"}},
				Snapshot: record.Snapshot{
					Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: "u", ResourceVersion: "1"}, Claims: clustertest.Claims(t, clustertest.Owning(all)), Digests: record.Digests{AppliedState: "a", LiveState: "b"},
					Fields: record.KnownFields{Declared: clustertest.Fields(t, all)},
					Pins:   record.Pins{}.With(clustertest.Object(t, `{data: {c: "3"}}`), clustertest.Fields(t, `{"f:data":{"f:c":{}}}`)),
				},
			}
			intent := arguments.Arguments{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "data.c")}
			plan, err := PlanUpdate(t.Context(), api, intent, prior)
			if err != nil {
				t.Fatal(err)
			}
			if got := plan.State.ManagedState["data.c"]; got != tt.want || plan.State.Pinned["data.c"] != tt.want {
				t.Errorf("the plan has %q, and pins %q, want %q", got, plan.State.Pinned["data.c"], tt.want)
			}
			if asked != tt.asked {
				t.Errorf("%d dry-runs, want %d", asked, tt.asked)
			}
		})
	}
}

// Neither the create nor the PATCH that pins has force: another client may have written since the plan.
func TestPinsTakeNothing(t *testing.T) {
	t.Parallel()
	entries := append(clustertest.Owning(clustertest.BothFields), clustertest.Updating("kubectl", `{"f:spec":{"f:added":{}}}`))
	var forced []bool
	api := clustertest.Stub{OnApply: func(options cluster.ApplyOptions) (cluster.Applied, error) {
		forced = append(forced, options.Force)
		answer := clustertest.Live("u", "1", entries)
		answer.Object["spec"] = clustertest.Object(t, "{added: y}")
		return cluster.Applied{Object: answer, Outcome: cluster.Created}, nil
	}}
	intent := arguments.Arguments{
		Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec.added"), OnConflict: arguments.Force,
	}
	_, result, err := CreateObject(t.Context(), api, intent, Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}, &run.Run{})
	if err != nil || len(result.Warnings) > 0 || !slices.Equal(forced, []bool{false, false}) {
		t.Errorf("forced %v, %q, %v; want no force", forced, result.Warnings, err)
	}
}
