package cluster

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Remark is a string about an object that a controller or a container wrote. It can quote any value of the object.
type Remark struct {
	Text string
	// ToSee tells the user how to see the remark, in words that follow "To see it,".
	ToSee string
}

// RemarkOn returns a remark that an object, its pods or the events about it have.
func RemarkOn(id manifest.Identity, text string) Remark {
	return Remark{Text: text, ToSee: "run " + id.Kubectl("describe")}
}

// Withheld returns what is shown instead of a remark. holds describes what the remark may contain.
func (r Remark) Withheld(holds string) string {
	return "(message withheld: it may contain " + holds + "). To see it, " + r.ToSee
}

// Secrecy knows the secret values of the object of an operation.
type Secrecy interface {
	// HasSecrets reports whether the object may have secret values: no words of an answer about it are shown.
	HasSecrets() bool
	// Field returns what may be shown of a field that an answer names; unknown is true if the kind does not have it.
	Field(field string, unknown bool) string
	// OwnedField returns what may be shown of a field that another manager owns.
	OwnedField(field string) string
	// Show returns what may be shown of a remark.
	Show(remark Remark) string
	// See notes a version of an object; nil if the object does not exist. stored is true if the cluster stored this
	// version when the operation began, or since.
	See(id manifest.Identity, object map[string]any, stored bool)
}

type secrecyKey struct{}

// WithSecrecy returns a context for the requests of an operation. The strings in their answers are shown through
// secrecy.
func WithSecrecy(ctx context.Context, secrecy Secrecy) context.Context {
	return context.WithValue(ctx, secrecyKey{}, secrecy)
}

// HasSecrets reports whether an object may have secret values, as far as the operation knows: a Secret has them in any
// case. Without a name, id is a kind.
func HasSecrets(ctx context.Context, id manifest.Identity) bool {
	secrecy, is := ctx.Value(secrecyKey{}).(Secrecy)
	return id.IsSecret() && id.Name != "" || is && secrecy != nil && secrecy.HasSecrets()
}

// ShownField returns what may be shown of a field that an answer names; see [Secrecy.Field].
func ShownField(ctx context.Context, field string, unknown bool) string {
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		return secrecy.Field(field, unknown)
	}
	return field
}

// ShownOwnedField returns what may be shown of a field that another manager owns.
func ShownOwnedField(ctx context.Context, field string) string {
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		return secrecy.OwnedField(field)
	}
	return field
}

// Show returns what may be shown of a remark about an object: all of it, unless the operation knows better, or the
// object is a Secret.
func Show(ctx context.Context, id manifest.Identity, remark Remark) string {
	if remark.Text == "" {
		return ""
	}
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		return secrecy.Show(remark)
	}
	if id.IsSecret() {
		return remark.Withheld("a value of the Secret")
	}
	return manifest.Printable(remark.Text)
}

// Printable returns a string from outside the provider in a form that is safe to print. If ctx contains a secrecy, it
// returns the string unchanged: the secrecy makes it safe, after it has looked for secret values.
func Printable(ctx context.Context, text string) string {
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		return text
	}
	return manifest.Printable(text)
}

// See tells the secrecy of an operation of a version of an object; see [Secrecy.See].
func See(ctx context.Context, id manifest.Identity, object map[string]any, stored bool) {
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		secrecy.See(id, object, stored)
	}
}
