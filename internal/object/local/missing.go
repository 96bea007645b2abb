package local

import (
	"context"
	"slices"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// missing holds the rights that a plan lacks. It is safe for concurrent use.
type missing struct {
	mu     sync.Mutex
	rights []*cluster.MissingRightError
}

type key struct{}

// allow returns a context in which dry-runs that the user may not send get an answer, and what will hold the rights
// that they lack.
func allow(ctx context.Context) (context.Context, *missing) {
	rights := &missing{}
	return context.WithValue(ctx, key{}, rights), rights
}

// list returns the rights for lack of which dry-runs were refused, each once; nil if none was.
func (m *missing) list() []*cluster.MissingRightError {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.rights)
}

func (m *missing) note(right *cluster.MissingRightError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	isSame := func(other *cluster.MissingRightError) bool { return *other == *right }
	if !slices.ContainsFunc(m.rights, isSame) {
		m.rights = append(m.rights, right)
	}
}
