package ownership

import (
	"strings"
	"testing"
)

// TestTransitionsAreNamed checks that each combination of the facts has a name of its own, and that the impossible ones
// are those in which we gain or lose a field without the configuration. A test in package prediction, which makes the
// facts, proves that they are impossible.
func TestTransitionsAreNamed(t *testing.T) {
	t.Parallel()
	names := map[Transition]bool{}
	flags := []bool{false, true}
	for _, before := range flags {
		for _, after := range flags {
			for _, configured := range flags {
				for _, contested := range flags {
					facts := Facts{Owned{before, after}, configured, contested}
					transition, outcome := facts.Classify()
					if transition == "" || outcome == "" || names[transition] {
						t.Errorf("%+v is %q, %q", facts, transition, outcome)
					}
					names[transition] = true
					if unrequested := before != after && !configured; unrequested != (outcome == Impossible) || unrequested != strings.HasPrefix(string(transition), "Unrequested") {
						t.Errorf("%+v is %s, %s", facts, transition, outcome)
					}
					if transition.IsConflict() != (after && contested && outcome != Impossible) {
						t.Errorf("%s is a conflict: %t", transition, transition.IsConflict())
					}
				}
			}
		}
	}
	if len(names) != 16 {
		t.Errorf("%d transitions", len(names))
	}
}
