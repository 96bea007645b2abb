package reading

import (
	"context"
	"encoding/base64"
	"maps"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/text/unicode/norm"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
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

func isSecret(live *unstructured.Unstructured) bool { return manifest.IdentityOf(live).IsSecret() }

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
		// Terraform brings each string into the normalization form C, which changes strings in other forms.
		if err != nil || !utf8.Valid(decoded) || !norm.NFC.IsNormal(decoded) {
			others[key] = types.StringValue(stored)
			continue
		}
		texts[key] = types.StringValue(string(decoded))
	}
	return types.MapValueMust(types.StringType, texts), types.MapValueMust(types.StringType, others)
}

// Result holds the computed attributes of an object that was read. Models embed it.
type Result struct {
	Object           types.Dynamic `tfsdk:"object"`
	Exists           types.Bool    `tfsdk:"exists"`
	ID               types.String  `tfsdk:"id"`
	SecretData       types.Map     `tfsdk:"secret_data"`
	SecretDataBase64 types.Map     `tfsdk:"secret_data_base64"`
}

// NewResult returns the attributes of the result of a read.
func NewResult(found Found, secrecy Secrecy) Result {
	r := Result{
		ID: types.StringValue(found.Object.ID()), Exists: types.BoolValue(found.Live != nil),
		Object:     types.DynamicNull(),
		SecretData: types.MapNull(types.StringType), SecretDataBase64: types.MapNull(types.StringType),
	}
	if found.Live != nil {
		r.Object = types.DynamicValue(Value(Shown(found.Live, secrecy)))
		r.SecretData, r.SecretDataBase64 = secretData(found.Live)
	}
	return r
}

// precision is the precision of a number in a configuration, in bits.
const precision = 512

// Value returns a decoded JSON value as a Terraform value: objects, tuples, strings, numbers, bools and nulls.
func Value(of any) attr.Value {
	switch of := of.(type) {
	case map[string]any:
		kinds, values := make(map[string]attr.Type, len(of)), make(map[string]attr.Value, len(of))
		for name, part := range of {
			values[name] = Value(part)
			kinds[name] = values[name].Type(context.Background())
		}
		return types.ObjectValueMust(kinds, values)
	case []any:
		kinds, values := make([]attr.Type, len(of)), make([]attr.Value, len(of))
		for i, item := range of {
			values[i] = Value(item)
			kinds[i] = values[i].Type(context.Background())
		}
		return types.TupleValueMust(kinds, values)
	case string:
		return types.StringValue(of)
	case bool:
		return types.BoolValue(of)
	case int64:
		return types.NumberValue(new(big.Float).SetInt64(of))
	case float64:
		return types.NumberValue(decimal(of))
	default:
		return types.DynamicNull()
	}
}

// decimal returns the number of the shortest decimal form of a float64, as a configuration parses it: 0.1, and not the
// nearest binary fraction.
func decimal(of float64) *big.Float {
	// JSON has neither infinities nor NaN.
	number, _, _ := big.ParseFloat(strconv.FormatFloat(of, 'g', -1, 64), 10, precision, big.ToNearestEven)
	return number
}

// Owner is an owner of a field, in the form in which Terraform shows it.
type Owner struct {
	Manager     string  `tfsdk:"manager"`
	Operation   string  `tfsdk:"operation"`
	Subresource *string `tfsdk:"subresource"`
	APIVersion  string  `tfsdk:"api_version"`
	Time        *string `tfsdk:"time"`
}

// OwnerType returns the type of an Owner.
func OwnerType() types.ObjectType {
	return types.ObjectType{AttrTypes: map[string]attr.Type{
		"manager": types.StringType, "operation": types.StringType, "subresource": types.StringType,
		"api_version": types.StringType, "time": types.StringType,
	}}
}

// Owners returns owners in the form of Owner, in the same order.
func Owners(of []ownership.Holder) []Owner {
	owners := make([]Owner, 0, len(of))
	for _, owner := range of {
		owners = append(owners, NewOwner(owner))
	}
	return owners
}

// NewOwner returns an owner in the form of Owner.
func NewOwner(of ownership.Holder) Owner {
	owner := Owner{Manager: of.Name, Operation: string(of.Operation), APIVersion: of.APIVersion}
	if of.Subresource != "" {
		owner.Subresource = &of.Subresource
	}
	if !of.Time.IsZero() {
		written := of.Time.UTC().Format(time.RFC3339)
		owner.Time = &written
	}
	return owner
}
