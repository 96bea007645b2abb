package reading

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

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
