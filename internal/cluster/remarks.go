package cluster

import (
	"cmp"
	"context"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Remark is a string about an object that another client than the API server wrote: an admission policy, a webhook, a
// rule of a CustomResourceDefinition, a controller. It can quote any value of the object.
type Remark struct {
	Text string
	// ToSee is what to do to see the remark, in the words that follow "To see it,"; "" if it answers a change.
	ToSee string
}

// RemarkOn returns a remark that an object, its pods or the events about it have.
func RemarkOn(id manifest.Identity, text string) Remark {
	look := "run kubectl describe " + strings.ToLower(id.Kind) + " " + id.Name
	if id.Namespace != "" {
		look += " -n " + id.Namespace
	}
	return Remark{Text: text, ToSee: look}
}

// Withheld returns what is shown instead of a remark. holds describes what the remark may contain.
func (r Remark) Withheld(holds string) string {
	toSee := cmp.Or(r.ToSee, "make the same change with kubectl")
	return "(message withheld: it may contain " + holds + "). To see it, " + toSee
}

// Secrecy knows the secret values of the object of an operation.
type Secrecy interface {
	// Show returns what may be shown of a remark.
	Show(ctx context.Context, remark Remark) string
	// See notes a version of an object; nil if the object does not exist. stored is true if the cluster stored this
	// version when the operation began, or since.
	See(id manifest.Identity, object map[string]any, stored bool)
}

type secrecyKey struct{}

// WithSecrecy returns a context for the requests of an operation. Remarks in their answers are shown as secrecy says.
func WithSecrecy(ctx context.Context, secrecy Secrecy) context.Context {
	return context.WithValue(ctx, secrecyKey{}, secrecy)
}

// Show returns what may be shown of a remark about an object: all of it, unless the operation knows better, or the
// object is a Secret.
func Show(ctx context.Context, id manifest.Identity, remark Remark) string {
	if remark.Text == "" {
		return ""
	}
	if secrecy, is := ctx.Value(secrecyKey{}).(Secrecy); is && secrecy != nil {
		return secrecy.Show(ctx, remark)
	}
	if id.IsSecret() {
		return remark.Withheld("a value of the Secret")
	}
	return manifest.Printable(remark.Text)
}

// Printable returns what others say as it may be printed. An operation with a secrecy does that itself, after it has
// looked for secret values in the text.
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
