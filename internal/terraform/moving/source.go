// Package moving reads the states of other providers' resources that `moved` blocks name. Terraform calls a state mover
// before it configures the provider, so this package sends no requests.
//
// A [Source] names the provider, the resource type and the newest schema version that it reads, and holds a function
// that decodes the state. Each resource has a table of its Sources. To support another type, add a Source.
//
// # What a state does not contain
//
// If a source writes its fields in another form than the API server, [Moved] has no Body. The read that follows the
// move writes the body from the live object, as an import does. If a source wrote by update, Updaters names the
// managers that the API server recorded for it; the first apply takes them over.
//
// # The address of a provider
//
// Terraform passes `registry.terraform.io/hashicorp/kubernetes`. OpenTofu before 1.12.4 passes `kubernetes`
// (opentofu/opentofu#4352). So the parts of an address are compared from its end, and only those that it has. The host
// is ignored: mirrors have their own hosts.
package moving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Moved is the decoded state of another provider's resource.
type Moved struct {
	// Object is the object that the resource applied to. An object without a namespace is cluster-scoped, or in the
	// namespace default.
	Object manifest.Identity
	// Body is the last applied body of the resource, as YAML: a manifest, or fields without identity if it applied part
	// of an object. It is "" if the state does not contain it. Then the read that follows writes it, as an import does.
	Body string
	// Typed is Body as in the state: the JSON of a value and its type. It is nil if the resource stores a string.
	Typed json.RawMessage
	// FieldManager is the field manager that applied the body.
	FieldManager string
	// Updaters are the managers under which the resource wrote to the object by update.
	Updaters []string
	// Settings are the arguments that have an equivalent here.
	Settings Settings
	// Untranslated are paths in the resource's arguments that have no equivalent here.
	Untranslated []string
}

// Settings are the arguments of a moved resource. The zero value of a field means that the resource does not set it.
type Settings struct {
	IgnoreFields, SensitiveFields []string
	// Protected and ForceDestroy are nil if the resource does not set them.
	Protected, ForceDestroy *bool
	// KeepsObject is true if a destroy of the resource would leave the object.
	KeepsObject bool
	// Propagation is the API server's name for the effect of a deletion on dependents.
	Propagation string
	// Timeouts are durations of operations, by name.
	Timeouts map[string]string
	// Cluster is the resource's own connection.
	Cluster *Connection
}

// Source is a resource type whose states can be read, or several types that are read in the same way.
type Source struct {
	// Provider is the namespace and the type of the provider, TypeName is the resource type.
	Provider, TypeName string
	// IsType reports whether a resource type belongs to a source with several types. TypeName then describes them.
	IsType func(typeName string) bool
	// SchemaVersion is the newest schema version that Read can decode.
	SchemaVersion int64
	// Read decodes the state of a request.
	Read func(resource.MoveStateRequest) (Moved, error)
}

func (s Source) reads(state resource.MoveStateRequest) bool {
	isType := state.SourceTypeName == s.TypeName
	if s.IsType != nil {
		isType = s.IsType(state.SourceTypeName)
	}
	return isType && isProvider(state.SourceProviderAddress, s.Provider)
}

// Sources are all sources that one resource accepts.
type Sources []Source

// read decodes a state. It returns a problem if no source reads the state, or if the state does not have the form that
// its source writes.
func (s Sources) read(state resource.MoveStateRequest) (moved Moved, problem string) {
	at := slices.IndexFunc(s, func(source Source) bool { return source.reads(state) })
	if at < 0 {
		return Moved{}, unaccepted(state)
	}
	source := s[at]
	if state.SourceSchemaVersion > source.SchemaVersion {
		return Moved{}, fmt.Sprintf("its state has version %d of its schema, and this version of the provider reads "+
			"none after %d", state.SourceSchemaVersion, source.SchemaVersion)
	}
	moved, err := source.Read(state)
	if problem = moved.Object.Problem(); err != nil {
		problem = err.Error()
	}
	return moved, diagnostics.Given(problem, "its state is not of the form that is expected: "+problem)
}

// unaccepted returns why no source reads a state.
func unaccepted(state resource.MoveStateRequest) string {
	typeName, provider := state.SourceTypeName, state.SourceProviderAddress
	if reason, has := notObjects[typeName]; has && isProvider(provider, hashicorpKubernetes) {
		return reason
	}
	return fmt.Sprintf("%s of the provider %s is not among the resources that can be moved here", typeName, provider)
}

// String lists the sources, grouped by provider.
func (s Sources) String() string {
	accepted := make([]string, len(s))
	for i, source := range s {
		accepted[i] = source.TypeName
		if i == 0 || s[i-1].Provider != source.Provider {
			accepted[i] = source.Provider + ": " + source.TypeName
		}
	}
	return strings.Join(accepted, ", ")
}

// isProvider reports whether an address names the provider with this namespace and type. An address may lack its host,
// or its host and its namespace.
func isProvider(address, namespaceAndType string) bool {
	parts, wanted := strings.Split(address, "/"), strings.Split(namespaceAndType, "/")
	if len(parts) > len(wanted)+1 {
		return false
	}
	if len(parts) > len(wanted) {
		parts = parts[1:]
	}
	return slices.Equal(parts, wanted[len(wanted)-len(parts):])
}

// Mover returns the state mover for all sources. It stores the object, the body and the field manager of the moved
// resource. set sets the object and the body in the attributes that a resource has for them. The read that follows does
// the rest, and also sets the identity: only then is it known whether the kind is namespaced.
func (s Sources) Mover(
	words diagnostics.Names, set func(context.Context, *tfsdk.State, Moved) diag.Diagnostics,
) resource.StateMover {
	return resource.StateMover{StateMover: func(
		ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		moved, problem := s.read(req)
		if problem != "" {
			resp.Diagnostics.Append(words.Unmovable(req.SourceTypeName, problem, s.String()))
			return
		}
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), moved.Object.ID())...)
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("field_manager"), moved.FieldManager)...)
		resp.Diagnostics.Append(set(ctx, &resp.TargetState, moved)...)
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.TargetPrivate, record.Snapshot{
			Object: moved.Object, Move: record.Move{Moved: true, MovedFrom: moved.Updaters},
		})...)
	}}
}

// hashicorpKubernetes is the provider of the resources kubernetes_*.
const hashicorpKubernetes = "hashicorp/kubernetes"

// metadata is the block metadata.
type metadata []struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// of returns the object that the block names, of the given kind.
func (m metadata) of(apiVersion, kind string) (manifest.Identity, error) {
	if len(m) != 1 {
		return manifest.Identity{}, errors.New("it has no block metadata")
	}
	return manifest.Identity{APIVersion: apiVersion, Kind: kind, Namespace: m[0].Namespace, Name: m[0].Name}, nil
}

// target holds the attributes of a resource that can apply to objects of any kind.
type target struct {
	APIVersion   string   `json:"api_version"`
	Kind         string   `json:"kind"`
	Metadata     metadata `json:"metadata"`
	FieldManager string   `json:"field_manager"`
}

// moved returns the Moved of a resource that applied body.
func (t target) moved(body map[string]any) (Moved, error) {
	object, err := t.Metadata.of(t.APIVersion, t.Kind)
	if err == nil && t.FieldManager == "" {
		err = errors.New("it has no field_manager")
	}
	if err != nil {
		return Moved{}, err
	}
	text, err := yaml.Marshal(body)
	return Moved{Object: object, Body: string(text), FieldManager: t.FieldManager}, err
}

// reading returns a function that reads the states of a source from their JSON.
func reading[T any](moved func(T) (Moved, error)) func(resource.MoveStateRequest) (Moved, error) {
	return func(source resource.MoveStateRequest) (Moved, error) {
		state, err := decode[T](source.SourceRawState.JSON)
		if err != nil {
			return Moved{}, err
		}
		return moved(state)
	}
}

func decode[T any](document []byte) (T, error) {
	var state T
	err := json.Unmarshal(document, &state)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		err = fmt.Errorf("%s is a JSON %s", wrong.Field, wrong.Value)
	}
	return state, err
}

// at returns maps nested by fields, the outermost first, with value in the innermost.
func at(value any, fields ...string) map[string]any {
	for _, field := range slices.Backward(fields) {
		value = map[string]any{field: value}
	}
	object, _ := value.(map[string]any)
	return object
}

// inPodTemplate returns what at returns, with fields inside the pod template of a kind.
func inPodTemplate(kind string, value any, fields ...string) map[string]any {
	body := at(value, append([]string{"spec", "template"}, fields...)...)
	if kind == "CronJob" {
		return at(body, "spec", "jobTemplate")
	}
	return body
}
