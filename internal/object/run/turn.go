package run

import "context"

// Turn is the place of an operation among those that a resource with many objects works on at a time.
type Turn interface {
	// Leave gives the place to another operation.
	Leave()
	// Return waits for a place again.
	Return()
}

type turnKey struct{}

// WithTurn returns a context for an operation that has a turn.
func WithTurn(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

// LeaveTurn is called by an operation that begins to wait for what others do. It leaves the turn of ctx until the
// operation calls back, and reports whether ctx has one.
func LeaveTurn(ctx context.Context) (back func(), has bool) {
	turn, has := ctx.Value(turnKey{}).(Turn)
	if !has {
		return func() {}, false
	}
	turn.Leave()
	return turn.Return, true
}
