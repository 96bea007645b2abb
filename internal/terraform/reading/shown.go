package reading

import (
	"encoding/base64"
	"maps"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/text/unicode/norm"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Secrecy determines whether [Shown] returns the data of a Secret.
type Secrecy string

const (
	// WithData keeps the data in the object.
	WithData Secrecy = "with data"
	// WithoutData leaves out the data, and the annotations and labels that contain values of it, such as the copy that
	// kubectl apply keeps.
	WithoutData Secrecy = "without data"
)

// Shown returns the fields of an object for the user: all but managedFields and, by secrecy, the data of a Secret. live
// is not changed.
func Shown(live *unstructured.Unstructured, secrecy Secrecy) map[string]any {
	shown := maps.Clone(live.Object)
	metadata, _ := shown["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	shown["metadata"] = metadata
	if secrecy == WithData || !isSecret(live) {
		return shown
	}
	shown = maps.Clone(rendering.Renderer{Secret: true}.WithoutCopies(shown, nil))
	for _, name := range manifest.SecretFields() {
		delete(shown, name)
	}
	return shown
}

func isSecret(live *unstructured.Unstructured) bool {
	return manifest.IdentityOf(live).IsSecret()
}

// secretData returns the data of a Secret: decoded values that Terraform can hold as strings, and the rest as base64.
// For other objects, both are null.
func secretData(live *unstructured.Unstructured) (text, encoded types.Map) {
	if !isSecret(live) {
		return types.MapNull(types.StringType), types.MapNull(types.StringType)
	}
	texts, others := map[string]attr.Value{}, map[string]attr.Value{}
	data, _ := live.Object[manifest.SecretData].(map[string]any)
	for key, value := range data {
		stored, _ := value.(string)
		decoded, err := base64.StdEncoding.DecodeString(stored)
		// Terraform brings each string into the normalization form C, which changes other texts.
		if err != nil || !utf8.Valid(decoded) || !norm.NFC.IsNormal(decoded) {
			others[key] = types.StringValue(stored)
			continue
		}
		texts[key] = types.StringValue(string(decoded))
	}
	return types.MapValueMust(types.StringType, texts), types.MapValueMust(types.StringType, others)
}
