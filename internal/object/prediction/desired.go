package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// desired is what a configuration declares about an object: its manifest, and the part of it that is sent.
type desired struct {
	manifest, sent *projection.Reader
	// writeOnly covers the fields of which only the version is kept, and ignored those that are not sent.
	writeOnly, ignored paths.Patterns
	version            string
}

// desiredBy returns what is declared now. body is the part that is sent.
func desiredBy(w wanted.Wanted, body map[string]any) desired {
	return desired{
		projection.NewReader(w.Manifest.Object), projection.NewReader(body),
		paths.PatternsOf(w.WriteOnly.Fields), w.Ignored(), w.WriteOnly.Version,
	}
}

// desiredField is what a configuration declares about one field.
type desiredField struct {
	// value is its fingerprint, with secrets as digests.
	value         string
	written, sent projection.Presence
}

func (d desired) of(path paths.Path, renderer rendering.Renderer) desiredField {
	// Nothing of a write-only value is stored. Its version decides whether it has changed.
	if d.writeOnly.Match(path) {
		sent := projection.Present
		if d.ignored.Match(path) {
			sent = projection.Absent
		}
		return desiredField{value: d.version, written: projection.Present, sent: sent}
	}
	value, written := d.manifest.Lookup(path)
	_, sent := d.sent.Lookup(path)
	return desiredField{value: renderer.Fingerprint(path, value), written: written, sent: sent}
}

// desiredBefore returns what the configuration declared at our last apply; nothing before the first apply.
func desiredBefore(p record.Prior, known *paths.Set) desired {
	last := p.LastBody()
	if p.Snapshot.AppliedState == "" || last == nil {
		return desired{manifest: projection.NewReader(nil), sent: projection.NewReader(nil)}
	}
	return desired{
		manifest: projection.NewReader(last), sent: projection.NewReader(p.SentBefore(last, known)),
		writeOnly: paths.PatternsOf(p.Snapshot.WriteOnly), ignored: p.IgnoredBefore(),
		version: p.Arguments.WriteOnly.Version,
	}
}
