package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
)

type manifestResource struct {
	objectresource.Resource
}

// New returns the resource k8sconnect_manifest.
func New() resource.Resource {
	return &manifestResource{objectresource.Of(names)}
}

func (r *manifestResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_manifest"
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}

// names are what diagnostics say of this resource.
var names = diagnostics.Names{
	Noun:             "resource",
	Type:             "k8sconnect_manifest",
	Body:             "yaml_body",
	WriteOnlyBody:    model.WriteOnlyAttribute,
	WriteOnlyVersion: model.WriteOnlyVersionAttribute,
	AdoptExisting:    "adopt_existing",
	Cluster:          attributes.AttributeName,
	DeleteProtection: "delete_protection",
	FieldManager:     "field_manager",
	ForceDestroy:     "force_destroy",
	IgnoreFields:     "ignore_fields",
	PinFields:        "pin_fields",
	Repin:            "repin",
	ListLengths:      model.ListLengthsAttribute,
	OnAddition:       "on_addition",
	OnConflict:       "on_conflict",
	OnDestroy:        "on_destroy",
	Successor:        "successor",
	RemoveFields:     "remove_fields",
	SensitiveFields:  "sensitive_fields",
	TakeOverManagers: "take_over_managers",
	FieldOwnership:   "field_ownership",
	ManagedState:     "managed_state",
	Timeouts:         "timeouts",
}
