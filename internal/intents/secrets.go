package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// Renderer returns the renderer that shows values as the intent asks. Without a key, which an object gets when it is
// first read, secret values are redacted.
func (i Intent) Renderer(id manifest.Identity, key []byte) rendering.Renderer {
	return record.RendererOf(id, record.Texts(i.Sensitive), i.WriteOnly.Fields, key)
}

// Secrets returns the values of the intent that no message may quote.
func (i Intent) Secrets() rendering.Secrets {
	objects := []map[string]any{i.Manifest.Object, i.stored().Object}
	if i.Patch != nil {
		objects = append(objects, i.Patch.Values())
	}
	return i.Renderer(i.Manifest.Identity, nil).Secrets(i.Manifest.String(), objects...)
}
