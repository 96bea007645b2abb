package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Renderer returns the renderer that shows values as the arguments ask. snapshot contains what the last read knows of
// the secrets of the object. Without a key, which an object gets when it is first read, secret values are redacted.
func (w Wanted) Renderer(id manifest.Identity, snapshot record.Snapshot) rendering.Renderer {
	hidden := record.Hidden{Sensitive: paths.Texts(w.Sensitive), WriteOnly: w.WriteOnly.Fields, Copied: snapshot.Copied}
	return record.RendererOf(id, hidden, snapshot.DigestKey).Knowing(w.Stored().Object)
}

// LiveRenderer returns the Renderer of the object of Prior.
func (w Wanted) LiveRenderer() rendering.Renderer {
	return w.Renderer(w.Prior.Object, w.Prior.Snapshot)
}

// Copied returns the patterns of the annotations and labels that contain secret values: those that were seen in the
// object of snapshot, and those of the manifest. Write-only values do not count: Terraform's two plans may see
// different ones.
func (w Wanted) Copied(snapshot record.Snapshot) []string {
	return paths.Texts(w.Renderer(w.Manifest.Identity, snapshot).Copied)
}

// Secrets returns the values of the configuration that no message may quote.
func (w Wanted) Secrets() rendering.Secrets {
	objects := []map[string]any{w.Manifest.Object, w.Stored().Object}
	if w.Patch != nil {
		objects = append(objects, w.Patch.Values())
	}
	return w.Renderer(w.Manifest.Identity, record.Snapshot{}).Secrets(w.Manifest.String(), objects...)
}
