package privatestate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// SaveStays notes in the private state of a planned create that it updates the object with this uid in place. The CLI
// passes the private state to the destroy half of the replacement. For that of a plain destroy, nothing is noted.
func SaveStays(ctx context.Context, private PrivateWriter, uid string) diag.Diagnostics {
	return private.SetKey(ctx, staysKey, []byte(`"`+uid+`"`))
}

// ForgetStays removes the note.
func ForgetStays(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return private.SetKey(ctx, staysKey, nil)
}

// TakeStays reports whether the private state of a planned destroy belongs to a create that updates the object with
// this uid in place. It removes the note: a destroy that fails keeps the private state.
func TakeStays(ctx context.Context, from PrivateState, to PrivateWriter, uid string) (bool, diag.Diagnostics) {
	data, diags := from.GetKey(ctx, staysKey)
	diags.Append(ForgetStays(ctx, to)...)
	return uid != "" && string(data) == `"`+uid+`"`, diags
}
