package fastpath

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// private is the private state of one request. D is the framework's type of it, which it does not export.
type private[D privatestate.Private] struct {
	data      D
	documents map[string]json.RawMessage
	was       []byte
}

// readPrivate returns stored private state in the framework's type. The second argument is nil, and only names that
// type. It returns false if the framework keeps something of its own in the private state.
func readPrivate[T any, D interface {
	*T
	privatestate.Private
}](ctx context.Context, _ D, stored []byte) (private[D], bool) {
	documents, err := privatestate.Documents(stored)
	if err != nil {
		return private[D]{}, false
	}
	p := private[D]{data: D(new(T)), documents: documents, was: stored}
	for key, document := range documents {
		// Keys that begin with a dot are the framework's own, and it refuses to set them here.
		if strings.HasPrefix(key, ".") || p.data.SetKey(ctx, key, document).HasError() {
			return private[D]{}, false
		}
	}
	return p, true
}

// stored returns the private state of the answer: that of the request if nothing has changed.
func (p private[D]) stored(ctx context.Context) []byte {
	now, same := map[string]json.RawMessage{}, true
	// The framework's type cannot list its keys.
	for _, key := range privatestate.Keys {
		document, _ := p.data.GetKey(ctx, key)
		same = same && bytes.Equal(document, p.documents[key])
		if len(document) > 0 {
			now[key] = document
		}
	}
	if same {
		return p.was
	}
	return privatestate.SealDocuments(now)
}
