package run

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestDefinitions(t *testing.T) {
	t.Parallel()
	of := Definition{Name: "pools.example.com"}
	object := map[string]any{"rules": []any{map[string]any{"rule": "self < 5"}}}
	for name, c := range map[string]struct {
		do   func(*Definitions)
		want Redefinition
	}{
		"nothing is known":      {func(*Definitions) {}, NotRedefined},
		"it was read":           {func(d *Definitions) { d.NoteRead(of, "a") }, MayBeRedefined},
		"it was read and stays": {func(d *Definitions) { d.NoteRead(of, "a"); d.PlanNothing(of, "a") }, NotRedefined},
		"one of two changes it": {func(d *Definitions) { d.PlanChange(of, "a", object); d.PlanNothing(of, "b") }, ToBeRedefined},
		"it was just changed":   {func(d *Definitions) { d.PlanChange(of, "a", object); d.EndChange(of, "a", nil) }, Redefining},
		"its change failed":     {func(d *Definitions) { d.PlanChange(of, "a", nil); d.EndChange(of, "a", errors.New("no")) }, NotRedefined},
		"another one is to come": {func(d *Definitions) {
			d.PlanChange(of, "a", nil)
			d.PlanChange(of, "b", nil)
			d.EndChange(of, "a", nil)
		}, ToBeRedefined},
		"it was changed long ago": {func(d *Definitions) { d.EndChange(of, "a", nil); d.known[of].applied = time.Now().Add(-publishing) }, Redefined},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d Definitions
			c.do(&d)
			if diff := cmp.Diff(c.want, d.Of(of)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDefinitionKeeps(t *testing.T) {
	t.Parallel()
	of := Definition{Name: "pools.example.com"}
	var d Definitions
	d.PlanChange(of, "a", map[string]any{"rules": []any{map[string]any{"rule": "self < 5"}}})
	if !d.Keeps(of, "self < 5") || d.Keeps(of, "self < 6") {
		t.Error("a rule that stays, or one that goes")
	}
}

// A wait for the plan of a definition ends when the plan comes, and when nothing moves.
func TestAwaitRedefinition(t *testing.T) {
	t.Parallel()
	of := Definition{Name: "pools.example.com"}
	var r Run
	r.Rounds.Set(FirstRound)
	defer r.Waits.Begin(t.Context())()
	if now := r.AwaitRedefinition(t.Context(), of, NotRedefined); now != NotRedefined {
		t.Errorf("without a plan: %q", now)
	}
	end := r.Waits.Begin(t.Context())
	go func() {
		time.Sleep(2 * quietInPlan)
		r.Definitions.PlanChange(of, "a", nil)
		end()
	}()
	if now := r.AwaitRedefinition(t.Context(), of, NotRedefined); now != ToBeRedefined {
		t.Errorf("with a plan: %q", now)
	}
}

func TestReplacedParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		isPending bool
	}{"a patch that stays as it is": {false}, "a patch that changes": {true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o Objects
			if err := o.Share(At{UID: "uid"}, Share{FieldManager: "patch", IsPart: true, IsPending: c.isPending}); err != nil {
				t.Fatal(err)
			}
			for _, note := range []func(manifest.Identity, string) ([]Share, error){o.NoteReplaced, o.NoteLeaving} {
				parts, err := note(manifest.Identity{}, "uid")
				if again, _ := note(manifest.Identity{}, "uid"); len(parts) != 1 || len(again) != 0 || !o.Of("uid").IsReplaced {
					t.Errorf("parts: %v", parts)
				}
				if _, is := errors.AsType[*PatchedError](err); is != c.isPending {
					t.Errorf("error: %v", err)
				}
			}
			err := o.Share(At{UID: "uid"}, Share{FieldManager: "later", IsPart: true, IsPending: c.isPending})
			if patched, is := errors.AsType[*PatchedError](err); is != c.isPending || is && !patched.IsLeaving || !o.Of("uid").IsLeaving {
				t.Errorf("planned after the deletion: %v", err)
			}
		})
	}
}
