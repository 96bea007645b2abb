package run

import "sync"

// Unfinished are resources whose create has ended with an error although the object exists, by their objects. The CLI
// marks them as tainted, and plans and applies the rest of the create without their state. Of each, the caller notes
// what it needs of the state: the refresh notes it for the plan, and the destroy half of a replacement for the create
// half.
//
// It is safe for concurrent use, and the zero value is empty.
type Unfinished struct {
	mu    sync.Mutex
	known map[At]any
}

// Note notes an unfinished resource.
func (u *Unfinished) Note(at At, resource any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.known == nil {
		u.known = map[At]any{}
	}
	u.known[at] = resource
}

// Of returns what was noted of the object; nil if nothing was.
func (u *Unfinished) Of(at At) any {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.known[at]
}

// Forget ends what was noted of the object.
func (u *Unfinished) Forget(at At) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.known, at)
}

// IsEmpty reports whether nothing was noted.
func (u *Unfinished) IsEmpty() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.known) == 0
}
