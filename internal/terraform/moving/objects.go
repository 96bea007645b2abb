package moving

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// objectUpdaters are the managers that the API server derives from providers' user agents for writes by update: the
// current one and that of older versions.
var objectUpdaters = []string{"HashiCorp", "Terraform"}

// KubernetesManifest reads kubernetes_manifest. Its manifest is a value with its own type.
var KubernetesManifest = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_manifest", SchemaVersion: 1,
	Read: reading(func(state struct {
		Manifest       json.RawMessage `json:"manifest"`
		ComputedFields []string        `json:"computed_fields"`
		FieldManager   []struct {
			Name string `json:"name"`
		} `json:"field_manager"`
		Timeouts []map[string]string `json:"timeouts"`
	}) (Moved, error) {
		body, err := dynamic(state.Manifest)
		if err != nil {
			return Moved{}, err
		}
		moved := Moved{FieldManager: "Terraform", Updaters: objectUpdaters, Typed: state.Manifest}
		if len(state.FieldManager) > 0 && state.FieldManager[0].Name != "" {
			moved.FieldManager = state.FieldManager[0].Name
		}
		if len(state.Timeouts) > 0 {
			moved.Settings.Timeouts = state.Timeouts[0]
		}
		if err := moved.setBody(body); err != nil {
			return Moved{}, err
		}
		computed, untranslated := translate(state.ComputedFields, asWritten)
		moved.Settings.IgnoreFields, moved.Untranslated = present(computed, body), untranslated
		return moved, nil
	})}

func kubectlManifest(provider string, schemaVersion int64) Source {
	return Source{
		Provider: provider, TypeName: "kubectl_manifest", SchemaVersion: schemaVersion, Read: readKubectlManifest,
	}
}

// KubectlManifests read kubectl_manifest of the providers that have this resource type.
var KubectlManifests = Sources{kubectlManifest("alekc/kubectl", 2), kubectlManifest("gavinbunney/kubectl", 1)}

var readKubectlManifest = reading(func(state struct {
	YAMLBody          string            `json:"yaml_body"`
	APIVersion        string            `json:"api_version"`
	Kind              string            `json:"kind"`
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	OverrideNamespace string            `json:"override_namespace"`
	IgnoreFields      []string          `json:"ignore_fields"`
	SensitiveFields   []string          `json:"sensitive_fields"`
	ServerSideApply   bool              `json:"server_side_apply"`
	FieldManager      string            `json:"field_manager"`
	ApplyOnly         bool              `json:"apply_only"`
	DeleteCascade     string            `json:"delete_cascade"`
	Timeouts          map[string]string `json:"timeouts"`
}) (Moved, error) {
	applies := cmp.Or(state.FieldManager, "kubectl")
	moved := Moved{FieldManager: objectUpdaters[0], Updaters: slices.Concat(objectUpdaters, []string{applies})}
	if state.ServerSideApply {
		moved.FieldManager = applies
	}
	ignored, untranslated := translate(state.IgnoreFields, asPositions)
	sensitive, unhidden := translate(state.SensitiveFields, asPositions)
	moved.Untranslated = slices.Concat(untranslated, unhidden)
	moved.Settings = Settings{
		IgnoreFields: ignored, SensitiveFields: sensitive, KeepsObject: state.ApplyOnly,
		Propagation: state.DeleteCascade, Timeouts: state.Timeouts,
	}
	parsed, err := manifest.Parse(state.YAMLBody)
	if err != nil { // It may set fields that only the API server writes.
		moved.Object = manifest.Identity{
			APIVersion: state.APIVersion, Kind: state.Kind, Namespace: state.Namespace, Name: state.Name,
		}
		return moved, nil
	}
	moved.Object, moved.Body = parsed.Identity, state.YAMLBody
	if state.OverrideNamespace == "" || state.OverrideNamespace == parsed.Namespace {
		return moved, nil
	}
	id := parsed.Identity
	id.Namespace = state.OverrideNamespace
	return moved, moved.setBody(manifest.Identified(parsed.Object, id))
})

// K8sconnectObject reads k8sconnect_object of the earlier provider of the same name.
var K8sconnectObject = Source{Provider: "jmorris0x0/k8sconnect", TypeName: "k8sconnect_object", SchemaVersion: 2,
	Read: reading(func(state struct {
		YAMLBody         string      `json:"yaml_body"`
		Cluster          *Connection `json:"cluster"`
		IgnoreFields     []string    `json:"ignore_fields"`
		DeleteProtection *bool       `json:"delete_protection"`
		DeleteTimeout    string      `json:"delete_timeout"`
		ForceDestroy     *bool       `json:"force_destroy"`
	}) (Moved, error) {
		parsed, err := manifest.Parse(state.YAMLBody)
		if err != nil {
			return Moved{}, fmt.Errorf("its manifest cannot be used: %w", err)
		}
		ignored, untranslated := translate(state.IgnoreFields, asWritten)
		return Moved{
			Object: parsed.Identity, Body: state.YAMLBody, FieldManager: "k8sconnect", Untranslated: untranslated,
			Settings: Settings{
				IgnoreFields: ignored, Protected: state.DeleteProtection, ForceDestroy: state.ForceDestroy,
				Cluster: state.Cluster, Timeouts: map[string]string{"delete": state.DeleteTimeout},
			},
		}, nil
	})}

// setBody sets the object and the body from a manifest.
func (m *Moved) setBody(body map[string]any) error {
	text, err := manifest.Canonical(body)
	if err != nil {
		return err
	}
	parsed, err := manifest.Parse(text)
	if err != nil {
		return fmt.Errorf("its manifest cannot be used: %w", err)
	}
	m.Object, m.Body = parsed.Identity, text
	return nil
}

// dynamic returns the object in an attribute of a dynamic type, without its nulls.
func dynamic(document json.RawMessage) (map[string]any, error) {
	var attribute struct {
		Value map[string]any `json:"value"`
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	// A float64 rounds whole numbers above 2^53.
	decoder.UseNumber()
	if err := decoder.Decode(&attribute); err != nil || attribute.Value == nil {
		return nil, fmt.Errorf("it has no manifest")
	}
	body, _ := withoutNull(attribute.Value).(map[string]any)
	return body, nil
}

func withoutNull(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(value))
		for name, field := range value {
			if field != nil {
				kept[name] = withoutNull(field)
			}
		}
		return kept
	case []any:
		kept := make([]any, 0, len(value))
		for _, item := range value {
			if item != nil {
				kept = append(kept, withoutNull(item))
			}
		}
		return kept
	default:
		return value
	}
}

// dialect is the syntax in which a source writes paths.
type dialect int

const (
	// asWritten is JSONPath, or the syntax of this provider.
	asWritten dialect = iota
	// asPositions writes a dot before a position in a list, too.
	asPositions
)

// translate returns paths in the syntax of this provider, and the paths that have no equivalent.
func translate(texts []string, from dialect) (translated, untranslated []string) {
	for _, text := range texts {
		results := paths.Translate(text)
		_, err := paths.Parse(text)
		switch {
		case strings.Contains(text, ".."): // Any depth, which a pattern here cannot express.
			untranslated = append(untranslated, text)
		case len(results) > 0 && (from == asPositions || err != nil || strings.ContainsAny(text, `*\`)):
			translated = append(translated, results[0])
		case err == nil:
			translated = append(translated, text)
		default:
			untranslated = append(untranslated, text)
		}
	}
	slices.Sort(translated)
	return slices.Compact(translated), untranslated
}

// present returns the paths of fields that are in body.
func present(texts []string, body map[string]any) []string {
	keys := projection.DefaultKeys{}.Assuming(body)
	return slices.DeleteFunc(texts, func(text string) bool {
		pattern, err := paths.Parse(text)
		return err != nil || len(projection.SplitBody(body, paths.Patterns{pattern}, nil, keys).Matched) == 0
	})
}

// Connection is the attribute cluster of a moved resource, in the form of this provider. Its JSON lacks some of the
// attributes, and the others have the same names.
type Connection struct {
	Host                 *string `json:"host" tfsdk:"host"`
	ClusterCACertificate *string `json:"cluster_ca_certificate" tfsdk:"cluster_ca_certificate"`
	Kubeconfig           *string `json:"kubeconfig" tfsdk:"kubeconfig"`
	Context              *string `json:"context" tfsdk:"context"`
	Token                *string `json:"token" tfsdk:"token"`
	ClientCertificate    *string `json:"client_certificate" tfsdk:"client_certificate"`
	ClientKey            *string `json:"client_key" tfsdk:"client_key"`
	Insecure             *bool   `json:"insecure" tfsdk:"insecure"`
	ProxyURL             *string `json:"proxy_url" tfsdk:"proxy_url"`
	Exec                 *Plugin `json:"exec" tfsdk:"exec"`

	ConfigPath       *string `json:"-" tfsdk:"config_path"`
	Namespace        *string `json:"-" tfsdk:"namespace"`
	TokenFile        *string `json:"-" tfsdk:"token_file"`
	InCluster        *bool   `json:"-" tfsdk:"in_cluster"`
	TLSServerName    *string `json:"-" tfsdk:"tls_server_name"`
	AcceptNewCluster *bool   `json:"-" tfsdk:"accept_new_cluster"`
}

// Plugin is the credential plugin of a Connection.
type Plugin struct {
	APIVersion *string            `json:"api_version" tfsdk:"api_version"`
	Command    *string            `json:"command" tfsdk:"command"`
	Args       []string           `json:"args" tfsdk:"args"`
	Env        map[string]*string `json:"env" tfsdk:"env"`
}
