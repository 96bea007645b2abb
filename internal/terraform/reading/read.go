// Package reading holds what the data sources and ephemeral resources that read objects share: the arguments that name
// an object or the objects of a kind, the read of one object, and its conversion to a Terraform value.
//
// # The object as a value
//
// An object is a dynamic value. So data.k8sconnect_object.web.object.status.replicas works. A map becomes an object of
// the configuration language, a list becomes a tuple, and a null stays a null. A number equals the number with the same
// digits in a configuration. metadata.managedFields is left out; k8sconnect_field_ownership shows it.
//
// # Secrets
//
// States and plans hold the data of a Secret only in sensitive attributes. Data that is string is decoded. Terraform
// changes strings that are not in Unicode's normalization form C, and cannot hold data that is not UTF-8, so these
// values stay base64.
package reading

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Connect returns the cluster to read from; nil if there is an error. An unknown connection is one.
func Connect(
	ctx context.Context, provider *providerdata.Provider, words diagnostics.Names, of attributes.Connection,
	about manifest.Identity,
) (cluster.Interface, diag.Diagnostics) {
	api, status, diags := provider.Connect(ctx, of)
	if status == providerdata.Deferred {
		diags.Append(words.ConnectionUnknown(about))
	}
	return api, diags
}

// Request is one object to read.
type Request struct {
	Object manifest.Identity
	// Optional is true if an absent object is not an error.
	Optional bool
	// Names are the names of the block and its arguments in messages.
	Names diagnostics.Names
}

// Found is the result of a read.
type Found struct {
	// Object is the object, with the namespace in which it was searched.
	Object manifest.Identity
	// Live is nil if the object does not exist.
	Live *unstructured.Unstructured
}

// Read reads an object with one GET.
func (r Request) Read(ctx context.Context, api cluster.Interface) (Found, diag.Diagnostics) {
	found := Found{Object: r.Object}
	located, err := r.locate(ctx, api)
	if err == nil {
		if located.Namespace == "" && r.Object.Namespace != "" {
			return found, diag.Diagnostics{invalid.ClusterScoped(diagnostics.Read, r.Object)}
		}
		found.Object = located
		found.Live, err = api.Get(ctx, located)
	}
	if err == nil || r.Optional && isAbsent(err) {
		return found, nil
	}
	return found, diag.Diagnostics{r.Names.Error(diagnostics.Read, found.Object, err)}
}

// locate returns the object with its namespace. It sends no request if discovery has been read. That the kind of an
// optional object is not served, it reports only once that is certain.
func (r Request) locate(ctx context.Context, api cluster.Interface) (manifest.Identity, error) {
	if r.Optional {
		return cluster.LocateExisting(ctx, api, r.Object)
	}
	return cluster.Locate(ctx, api, r.Object)
}

// isAbsent reports whether an error means that the object does not exist yet: its kind may be installed later.
func isAbsent(err error) bool {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	return cluster.IsGone(err) && (!is || !unserved.BuiltinGroup)
}

// Unlisted returns the error about objects that could not be listed. Kinds are those of the argument kinds.
func Unlisted(words diagnostics.Names, objects manifest.Identity, err error) diag.Diagnostic {
	if unreadable, is := errors.AsType[*listing.UnreadableError](err); is {
		return diagnostics.UnreadableOwnership(unreadable.Object, unreadable.Cause)
	}
	if scoped, is := errors.AsType[*listing.ClusterScopedError](err); is {
		return invalid.ClusterScoped(diagnostics.Listed, scoped.Objects)
	}
	if unknown, is := errors.AsType[*listing.UnknownKindsError](err); is {
		return invalid.UnknownKind(unknown.Kind, unknown.Groups, unknown.Unanswered, unknown.Error())
	}
	return words.Error(diagnostics.Listed, objects, err)
}

// Collection holds the arguments that name the objects of a kind. Models embed it.
type Collection struct {
	APIVersion types.String `tfsdk:"api_version"`
	Kind       types.String `tfsdk:"kind"`
	Namespace  types.String `tfsdk:"namespace"`
	attributes.Connection
}

// Objects returns the identity for errors about all objects.
func (c Collection) Objects() manifest.Identity {
	return manifest.Identity{
		APIVersion: c.APIVersion.ValueString(), Kind: c.Kind.ValueString(), Namespace: c.Namespace.ValueString(),
	}
}

// Target holds the arguments that name one object. Models embed it.
type Target struct {
	Collection
	Name types.String `tfsdk:"name"`
}

// Object returns the object as the arguments name it.
func (t Target) Object() manifest.Identity {
	id := t.Objects()
	id.Name = t.Name.ValueString()
	return id
}

// Locate sets the namespace of the object.
func (t *Target) Locate(id manifest.Identity) { t.Namespace = attributes.OrNull(id.Namespace) }
