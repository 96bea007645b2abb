package run

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// usualSlots is the number of operations that the CLI runs at once by default, without -parallelism.
	usualSlots = 10
	// stalled is the time without a begin or end of an operation after which the first wait gives way.
	stalled = 5 * time.Second
	// stalledAgain is the same time after it has become known that other operations are in the queue.
	stalledAgain = time.Second / 2
)

// WaitQueue ends waits that block the very operation that they wait for. The CLI runs a number of operations at once
// and queues the rest. Creates that all wait for a namespace can keep the create of that namespace in the queue. The
// provider sees the operations that run, not the queue:
//
//   - If every operation in flight waits, they are as many as ever ran at once and no fewer than the CLI's
//     default, and nothing has begun or ended for seconds, the oldest wait gives way.
//   - If another operation then takes the slot, the queue is not empty. The older half of the waits gives way each
//     half second, until an operation makes progress.
//   - If no operation does, the queue is empty, and the remaining waits keep their timeouts.
//
// If fewer operations than the default run, their waits keep their timeouts, too. That ends when a wait times
// out and another operation takes its slot at once: the CLI then runs with fewer slots. A single wait never gives way.
// To the CLI, a set of objects is one operation, which waits if all of its objects in work wait.
//
// It is for one run of the provider and safe for concurrent use. The zero value is empty, and nil never ends a wait.
type WaitQueue struct {
	mu sync.Mutex
	// running is the number of operations in flight, each object of a set among them, most the largest number of slots
	// of the CLI so far.
	running, most int
	// sets are the numbers of objects in work of each set, by the places of its turns.
	sets  map[chan struct{}]int
	waits []*queuedWait
	// probed is true if a wait ended to see whether another operation takes its slot. queued is true if one did.
	probed, queued bool
	timer          *time.Timer
	// lastMoved is when an operation last began, ended or began to wait.
	lastMoved time.Time
}

// queuedWait is a wait of one operation; giveWay is closed to end the wait.
type queuedWait struct {
	giveWay chan struct{}
	// stays is true for an operation of a resource with many objects: it holds no slot of the CLI that another resource
	// could have.
	stays bool
}

// Begin notes that an operation runs until the function that it returns is called. ctx is that of the operation.
func (q *WaitQueue) Begin(ctx context.Context) (end func()) {
	t, ofSet := ctx.Value(turnKey{}).(turn)
	q.mu.Lock()
	defer q.mu.Unlock()
	_, known := q.sets[t.places]
	q.add(t, ofSet, 1)
	q.most = max(q.most, q.slots())
	if q.probed && !known {
		// A wait ended, and this operation has its slot: the CLI has a queue.
		q.probed, q.queued = false, true
	}
	q.moved()
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.add(t, ofSet, -1)
		q.moved()
	}
}

func (q *WaitQueue) add(t turn, ofSet bool, n int) {
	q.running += n
	if !ofSet {
		return
	}
	if q.sets == nil {
		q.sets = map[chan struct{}]int{}
	}
	q.sets[t.places] += n
}

// slots returns how many slots of the CLI the operations in flight hold. The caller holds q.mu.
func (q *WaitQueue) slots() int {
	held := q.running
	for _, objects := range q.sets {
		held -= max(0, objects-1)
	}
	return held
}

// enter notes that an operation waits, until leave. stays is true if it does not give way.
func (q *WaitQueue) enter(stays bool) *queuedWait {
	entered := &queuedWait{giveWay: make(chan struct{}), stays: stays}
	if q == nil {
		return entered
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waits = append(q.waits, entered)
	q.moved()
	return entered
}

// leave ends what enter began. timedOut is true if the operation fails because its time ran out.
func (q *WaitQueue) leave(left *queuedWait, timedOut bool) {
	if q == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waits = slices.DeleteFunc(q.waits, func(w *queuedWait) bool { return w == left })
	q.probed = q.probed || timedOut && !left.stays
	q.moved()
}

// moved notes that an operation has begun, ended or waits, and restarts the time after which waits give way. The
// caller holds q.mu.
func (q *WaitQueue) moved() {
	q.lastMoved = time.Now()
	if q.timer != nil {
		q.timer.Stop()
		q.timer = nil
	}
	if !q.isStalled() {
		return
	}
	pause := stalled
	if q.queued {
		pause = stalledAgain
	}
	q.timer = time.AfterFunc(pause, q.endWaits)
}

// isQuiet reports whether only waits are in flight, and no operation has begun or ended for a time.
func (q *WaitQueue) isQuiet(since time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running <= len(q.waits) && time.Since(q.lastMoved) >= since
}

// isStalled reports whether only waits are in flight, and enough of them to fill the slots of the CLI.
func (q *WaitQueue) isStalled() bool {
	slots := usualSlots
	if q.queued {
		// A single wait never gives way.
		slots = 2
	}
	return !q.probed && q.running == len(q.waits) && q.slots() >= max(slots, q.most)
}

// endWaits ends the oldest wait, or the older half of them once the queue is known not to be empty.
func (q *WaitQueue) endWaits() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isStalled() {
		return
	}
	giving := slices.DeleteFunc(slices.Clone(q.waits), func(w *queuedWait) bool { return w.stays })
	switch {
	case len(giving) == 0:
		return
	case q.queued:
		giving = giving[:max(1, len(giving)/2)]
	default:
		giving = giving[:1]
	}
	for _, oldest := range giving {
		close(oldest.giveWay)
	}
	q.waits = slices.DeleteFunc(q.waits, func(w *queuedWait) bool { return slices.Contains(giving, w) })
	q.probed = true
}
