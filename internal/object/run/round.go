package run

import (
	"sync"
	"time"
)

// Round is one of the two plans that the CLI makes of each change. The CLI shows the first plan. The apply makes the
// second plan, in another process. Values that the first plan knows have to be known in the second plan, too.
type Round string

const (
	// UnknownRound means that it is not known which plan it is, so the rules of both plans apply.
	UnknownRound Round = ""
	// FirstRound is the plan that is shown.
	FirstRound Round = "First"
	// SecondRound is the plan that an apply makes.
	SecondRound Round = "Second"
)

// unapplied is the time after which a planned object that was not applied does not belong to an apply: an apply
// continues with its object at once.
const unapplied = 5 * time.Second

// Rounds determines which plan a run of the provider makes. The plugin protocol does not contain that. But only the
// first plan reads objects and plans deletions, and only an apply applies. It is safe for concurrent use, and its zero
// value has noted nothing.
type Rounds struct {
	mu      sync.Mutex
	known   Round
	planned time.Time
}

// Set notes which plan the run makes. The first call counts, except that SecondRound always counts.
func (r *Rounds) Set(round Round) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == UnknownRound || round == SecondRound {
		r.known = round
	}
}

// NotePlanned notes a new object that was planned, and that an apply would now create.
func (r *Rounds) NotePlanned() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.planned.IsZero() {
		r.planned = time.Now()
	}
}

// Current returns the plan of the run, as far as is known by now.
func (r *Rounds) Current() Round {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == UnknownRound && !r.planned.IsZero() && time.Since(r.planned) > unapplied {
		return FirstRound
	}
	return r.known
}
