// Package secrecy keeps secret values out of the diagnostics of an operation on an object:
//
//	ctx, secrets := secrecy.Keep(ctx, plan, state)
//	defer secrets.Scrub(&resp.Diagnostics)
//
// Messages of the API server, of policies and of webhooks about an object with secret values are not shown. Messages of
// controllers are cleaned on arrival. In the end, the secret values in the configuration, in the state and on the
// cluster are removed from all diagnostics.
package secrecy

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// Secrecy keeps the secret values of an operation's object out of its diagnostics: those of the configuration, those of
// the state, and those on the cluster, as far as the operation reads them. It is safe for concurrent use.
type Secrecy struct {
	models []*model.Model

	mu sync.Mutex
	// id is the object, once it is known.
	id manifest.Identity
	// snapshot shows which fields were secret in the last apply.
	snapshot record.Snapshot
	seen     []map[string]any
	// known is true if seen has what the cluster stored when the operation began.
	known bool
}

// Keep returns the Secrecy of an operation, and a context for its requests. A model may be nil.
func Keep(ctx context.Context, models ...*model.Model) (context.Context, *Secrecy) {
	s := &Secrecy{models: models}
	return cluster.WithSecrecy(ctx, s), s
}

// Since shows which fields were secret in the last apply.
func (s *Secrecy) Since(snapshot record.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot = snapshot
}

// mostSeen is how many versions of an object an operation remembers.
const mostSeen = 8

// See implements cluster.Secrecy.
func (s *Secrecy) See(id manifest.Identity, object map[string]any, stored bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A manifest may leave the namespace out, and name another version of the kind.
	if own := s.object(); own.Kind != id.Kind || own.Name != id.Name {
		return
	}
	s.known = s.known || stored
	switch {
	case object == nil:
	case len(s.seen) == mostSeen:
		// The oldest versions stay, which have the values from before the operation, and the newest one.
		s.seen[mostSeen-1] = object
	default:
		s.seen = append(s.seen, object)
	}
}

// HasSecrets implements cluster.Secrecy.
func (s *Secrecy) HasSecrets() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.renderers()) > 0
}

// Field implements cluster.Secrecy.
func (s *Secrecy) Field(field string, unknown bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, renderer := range s.renderers() {
		if s.object().IsSecret() && !unknown { // The keys of its data are shown everywhere.
			field = rendering.OwnedField(renderer.Sensitive, field)
		} else {
			field = rendering.Field(renderer.Sensitive, field, unknown)
		}
	}
	return field
}

// OwnedField implements cluster.Secrecy.
func (s *Secrecy) OwnedField(field string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, renderer := range s.renderers() {
		field = rendering.OwnedField(renderer.Sensitive, field)
	}
	return field
}

// Show implements cluster.Secrecy. If the operation has not read the object, it withholds the remark.
func (s *Secrecy) Show(remark cluster.Remark) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.renderers()) == 0 {
		return remark.Text
	}
	if !s.known {
		holds := "a value of the Secret"
		if id := s.object(); !id.IsSecret() {
			holds = "a sensitive value of the " + cmp.Or(id.Kind, "object")
		}
		return remark.Withheld(holds)
	}
	text := remark.Text
	for _, secrets := range s.secrets() {
		text = secrets.Scrub(text)
	}
	return text
}

// object returns the object of the operation. It keeps what it finds: a model may have to parse its manifest for that.
func (s *Secrecy) object() manifest.Identity {
	for _, m := range s.models {
		if s.id.Name != "" {
			break
		}
		if m == nil {
			continue
		}
		if id, diags := m.Object(); model.IsKnown(m.ID) && !diags.HasError() {
			s.id, s.id.Subresource = id, ""
		} else if args, is := m.Legible(); is {
			s.id = args.Manifest.Identity
		}
	}
	return s.id
}

// renderers returns the renderers that know secret fields of the object. They do not look for copies of the values
// in annotations, which takes long: that changes nothing here.
func (s *Secrecy) renderers() []rendering.Renderer {
	all := []rendering.Renderer{s.snapshot.Renderer(), {Secret: s.object().IsSecret()}}
	for _, m := range s.models {
		if args, is := m.Legible(); is {
			hidden := record.Hidden{Sensitive: paths.Texts(args.Sensitive), WriteOnly: args.WriteOnly.Fields}
			all = append(all, record.RendererOf(args.Manifest.Identity, hidden, nil))
		}
	}
	return slices.DeleteFunc(all, func(r rendering.Renderer) bool { return !r.HasSecrets() })
}

// secrets returns the values that no message may quote.
func (s *Secrecy) secrets() []rendering.Secrets {
	var all []rendering.Secrets
	for _, m := range s.models {
		if args, is := m.Legible(); is {
			all = append(all, wanted.Wanted{Arguments: args}.Secrets())
		}
		if m != nil && m.Sent != nil {
			all = append(all, wanted.Wanted{Arguments: *m.Sent}.Secrets())
		}
	}
	for _, renderer := range s.renderers() {
		all = append(all, renderer.Secrets(s.object().String(), s.seen...))
	}
	return all
}

// ScrubValues replaces the secret values in the values of fields, which diagnostics about several objects quote.
func (s *Secrecy) ScrubValues(fields []ownership.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(fields) == 0 {
		return // To collect the secrets takes long.
	}
	all := s.secrets()
	for i := range fields {
		for _, secrets := range all {
			fields[i].Was, fields[i].Becomes = secrets.Scrub(fields[i].Was), secrets.Scrub(fields[i].Becomes)
		}
	}
}

// Scrub replaces the secret values in diagnostics.
func (s *Secrecy) Scrub(diags *diag.Diagnostics) {
	if len(*diags) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	*diags = diagnostics.Scrub(*diags, s.secrets()...)
}
