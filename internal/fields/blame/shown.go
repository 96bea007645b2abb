package blame

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func (s StatusFields) claims(entries []metav1.ManagedFieldsEntry) (ownership.Claims, error) {
	claims, err := ownership.ParseWithStatus(entries)
	if s != WithStatus {
		claims = claims.WithoutStatus()
	}
	return claims, err
}

// shown returns the object without managedFields, without its status unless that is included, and with secret values
// masked. object is not mutated.
func (s StatusFields) shown(object map[string]any) map[string]any {
	shown := masked(object)
	if s != WithStatus {
		delete(shown, "status")
	}
	if metadata, isMap := shown["metadata"].(map[string]any); isMap {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		shown["metadata"] = metadata
	}
	return shown
}

// masked returns a copy of an object, with the values of a Secret redacted: its data, and the annotations and labels
// that contain values of it, such as the copy that kubectl apply keeps.
func masked(object map[string]any) map[string]any {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	isSecret := manifest.Identity{APIVersion: apiVersion, Kind: kind}.IsSecret()
	shown := maps.Clone(rendering.Renderer{Secret: isSecret}.WithoutCopies(object, rendering.Redacted))
	if shown == nil {
		shown = map[string]any{}
	}
	if !isSecret {
		return shown
	}
	for _, name := range manifest.SecretFields() {
		if value, has := shown[name]; has {
			shown[name] = redacted(value)
		}
	}
	return shown
}

// redacted returns a value without its content; a map keeps its keys.
func redacted(value any) any {
	secrets, isMap := value.(map[string]any)
	if !isMap {
		return rendering.Redacted
	}
	hidden := make(map[string]any, len(secrets))
	for key := range secrets {
		hidden[key] = rendering.Redacted
	}
	return hidden
}
