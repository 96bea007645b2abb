package objectkit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// WriteOnlyAttribute is the name of the attribute whose values are stored nowhere.
const WriteOnlyAttribute = "yaml_body_wo"

// WriteOnlyVersionAttribute is the name of the attribute whose change sends the values of WriteOnlyAttribute.
const WriteOnlyVersionAttribute = "yaml_body_wo_version"

// takeWriteOnly fills in the write-only part from the configuration: plans and states hold no write-only values.
func (m *Model) takeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	return config.GetAttribute(ctx, path.Root(WriteOnlyAttribute), &m.writeOnly)
}

// mergeWriteOnly returns intent merged with the write-only part of the configuration.
func (m Model) mergeWriteOnly(intent intents.Intent) (intents.Intent, diag.Diagnostics) {
	if m.writeOnly.IsNull() || m.writeOnly.IsUnknown() || intent.Manifest.Object == nil {
		return intent, nil
	}
	part, err := manifest.ParsePartial(m.writeOnly.ValueString())
	if err == nil {
		intent, err = intent.MergeWriteOnly(part, m.YAMLBodyWOVersion.ValueString())
	}
	if err == nil {
		return intent, nil
	}
	detail := err.Error()
	if other, is := errors.AsType[*manifest.OtherObjectError](err); is {
		detail = other.Field + " is not the same as in " + m.bodyAttribute() + ". Leave out apiVersion, kind, metadata.name and metadata.namespace."
	}
	return intent, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(WriteOnlyAttribute), "Invalid Manifest", WriteOnlyAttribute+": "+detail)}
}

// keepWriteOnly returns intent as an apply sends it: write-only fields whose version is that of the last apply, and which are as
// that apply left them, keep their live values; see intents.Intent.WithLiveWriteOnly. That costs a GET if there are such fields and
// this process has not read the object. The plan of an apply leaves the object for the apply. unsent are the fields whose values
// in the configuration are not sent.
func (m *Model) keepWriteOnly(
	ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior,
) (kept intents.Intent, unsent []string, err error) {
	if !intent.KeepsWriteOnly(prior) {
		return intent, nil, nil
	}
	provider := m.resource.provider
	if prior.Live == nil {
		prior.Live = provider.Sightings().Take(prior.Snapshot.UID)
	}
	if prior.Live == nil {
		live, err := cluster.Get(ctx, api, prior.Object)
		if err == nil {
			err = prior.CheckUID(live)
		}
		if err != nil {
			return intent, nil, err
		}
		prior.Live = live.Object
	}
	if provider.Registry().Rounds.Round() != registry.FirstRound {
		provider.Sightings().See(record.Observed{UID: prior.Snapshot.UID, Live: prior.Live})
	}
	kept, unsent, err = intent.WithLiveWriteOnly(prior, prior.Live)
	m.sent = &kept
	return kept, unsent, err
}

// secrecy keeps the secret values of an operation's object out of its diagnostics: those of the configuration, those of the state,
// and those on the cluster, as far as the operation reads them. It is safe for concurrent use.
type secrecy struct {
	resource *Resource
	// models are those of the operation; the first one has its connection. One may be nil.
	models []*Model

	mu sync.Mutex
	// id is the object, once it is known.
	id manifest.Identity
	// snapshot says which fields were secret in the last apply.
	snapshot record.Snapshot
	seen     []map[string]any
	// known says that seen has what the cluster stored when the operation began; unreadable says that this could not be read.
	known, unreadable bool
}

// keepSecrets returns the secrecy of an operation, and a context for its requests.
func (r *Resource) keepSecrets(ctx context.Context, models ...*Model) (context.Context, *secrecy) {
	s := &secrecy{resource: r, models: models}
	return cluster.WithSecrecy(ctx, s), s
}

// since tells the secrecy which fields were secret before, and returns prior.
func (s *secrecy) since(prior record.Prior) record.Prior {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot = prior.Snapshot
	return prior
}

// mostSeen is how many versions of an object an operation remembers.
const mostSeen = 8

// See implements cluster.Secrecy.
func (s *secrecy) See(id manifest.Identity, object map[string]any, stored bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.object(); own.Kind != id.Kind || own.Name != id.Name {
		return
	}
	s.known = s.known || stored
	switch {
	case object == nil:
	case len(s.seen) == mostSeen:
		s.seen[mostSeen-1] = object
	default:
		s.seen = append(s.seen, object)
	}
}

// Show implements cluster.Secrecy. If the operation has not read the object, Show sends one GET.
func (s *secrecy) Show(ctx context.Context, remark cluster.Remark) string {
	s.mu.Lock()
	renderers := s.renderers()
	reads := len(renderers) > 0 && !s.known && !s.unreadable
	s.mu.Unlock()
	if len(renderers) == 0 {
		return remark.Text
	}
	if reads && !s.read(ctx) {
		s.mu.Lock()
		s.unreadable = !s.known
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	holds := "a value of the Secret"
	if id := s.object(); !id.IsSecret() {
		holds = "a sensitive value of the " + cmp.Or(id.Kind, "object")
	}
	if !s.known {
		return remark.Withheld(holds)
	}
	text := remark.Text
	for _, secrets := range s.secrets() {
		if text = secrets.Keys().Scrub(text); secrets.Keys().Tells(text) {
			return remark.Withheld(holds)
		}
	}
	return text
}

// readWithin is how long a read takes that only a message needs.
const readWithin = 10 * time.Second

// read reads the object with one GET, and reports whether its values are known then. It holds no lock, because the client tells s
// what it reads.
func (s *secrecy) read(ctx context.Context) bool {
	api, status, _ := s.resource.provider.Connect(ctx, s.models[0].Connection)
	if status != providerdata.Ready {
		return false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readWithin)
	defer cancel()
	s.mu.Lock()
	id := s.object()
	s.mu.Unlock()
	id, err := cluster.Locate(ctx, api, id)
	if err != nil {
		return false
	}
	live, err := api.Get(cluster.WithSecrecy(ctx, nil), id)
	switch {
	case err == nil:
		s.See(id, live.Object, true)
	case cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonNamespaceNotFound:
		s.See(id, nil, true)
	default:
		return false
	}
	return true
}

// object returns the object of the operation. It keeps what it finds: a model may have to parse its manifest for that.
func (s *secrecy) object() manifest.Identity {
	for _, m := range s.models {
		if s.id.Name != "" {
			break
		}
		if m == nil {
			continue
		}
		if id, diags := m.object(); known(m.ID) && !diags.HasError() {
			s.id, s.id.Subresource = id, ""
		} else if intent, is := m.legible(); is {
			s.id = intent.Manifest.Identity
		}
	}
	return s.id
}

// legible returns the intent of a model; false while it is not known.
func (m *Model) legible() (intents.Intent, bool) {
	if m == nil || m.isImported() || m.YAMLBody.IsUnknown() || !m.namesObject() || m.IgnoreFields.IsUnknown() {
		return intents.Intent{}, false
	}
	intent, _ := m.intent()
	return intent, true
}

// renderers returns the renderers that know secret fields of the object.
func (s *secrecy) renderers() []rendering.Renderer {
	all := []rendering.Renderer{s.snapshot.Renderer(), {Secret: s.object().IsSecret()}}
	for _, m := range s.models {
		if intent, is := m.legible(); is {
			all = append(all, intent.Renderer(intent.Manifest.Identity, s.snapshot))
		}
	}
	return slices.DeleteFunc(all, func(r rendering.Renderer) bool { return !r.HasSecrets() })
}

// secrets returns the values that no message may quote.
func (s *secrecy) secrets() []rendering.Secrets {
	var all []rendering.Secrets
	for _, m := range s.models {
		if intent, is := m.legible(); is {
			all = append(all, intent.Secrets())
		}
		if m != nil && m.sent != nil {
			all = append(all, m.sent.Secrets())
		}
	}
	for _, renderer := range s.renderers() {
		all = append(all, renderer.Secrets(s.object().String(), s.seen...))
	}
	return all
}

// scrub replaces the secret values in diagnostics.
func (s *secrecy) scrub(diags *diag.Diagnostics) {
	if len(*diags) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	*diags = diagnostics.Scrub(*diags, s.secrets()...)
}
