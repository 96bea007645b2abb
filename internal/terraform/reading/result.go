package reading

import "github.com/hashicorp/terraform-plugin-framework/types"

// Result holds the computed attributes of an object that was read. Models embed it.
type Result struct {
	Object           types.Dynamic `tfsdk:"object"`
	Exists           types.Bool    `tfsdk:"exists"`
	ID               types.String  `tfsdk:"id"`
	SecretData       types.Map     `tfsdk:"secret_data"`
	SecretDataBase64 types.Map     `tfsdk:"secret_data_base64"`
}

// NewResult returns the attributes of what was found.
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
