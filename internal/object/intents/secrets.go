package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Renderer returns the renderer that shows values as the intent asks. snapshot has what the last read knows of the object's
// secrets. Without a key, which an object gets when it is first read, secret values are redacted.
func (i Intent) Renderer(id manifest.Identity, snapshot record.Snapshot) rendering.Renderer {
	hidden := record.Hidden{Sensitive: record.Texts(i.Sensitive), WriteOnly: i.WriteOnly.Fields, Copied: snapshot.Copied}
	return record.RendererOf(id, hidden, snapshot.DigestKey).Knowing(i.stored().Object)
}

// Copied returns the patterns of the annotations and labels that contain secret values: those that were seen in the object of
// snapshot, and those of the manifest. Write-only values do not count: Terraform's two plans may see different ones.
func (i Intent) Copied(snapshot record.Snapshot) []string {
	return record.Texts(i.Renderer(i.Manifest.Identity, snapshot).Copied)
}

// Secrets returns the values of the intent that no message may quote.
func (i Intent) Secrets() rendering.Secrets {
	objects := []map[string]any{i.Manifest.Object, i.stored().Object}
	if i.Patch != nil {
		objects = append(objects, i.Patch.Values())
	}
	return i.Renderer(i.Manifest.Identity, record.Snapshot{}).Secrets(i.Manifest.String(), objects...)
}
