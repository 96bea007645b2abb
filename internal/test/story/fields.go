package story

import "github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

// Address is the resource of Config.
const Address = "k8sconnect_manifest.test"

// PatchAddress is the resource of PatchConfig.
const PatchAddress = "k8sconnect_patch.test"

// Absent represents a key that a map does not contain.
const Absent = "(absent)"

// Us is the field manager of the provider.
const Us = "k8sconnect"

// The computed maps, as ExpectState and ExpectChange name them.
const (
	// FieldOwnership holds one owner for each field.
	FieldOwnership = "field_ownership"
	// CoOwners holds all owners of the fields that have several.
	CoOwners = "co_owners"
	// ManagedState holds the values of the fields that we own.
	ManagedState = "managed_state"
	// AddedFields holds the fields that a patch added.
	AddedFields = "added_fields"
	// Pinned holds the values of the pinned fields; null without pin_fields.
	Pinned = "pinned"
)

// Computed are the attributes that the provider sets for each object.
var Computed = []string{"id", "object_ref", FieldOwnership, CoOwners, ManagedState}

// PathOfUID is the path of the object's uid in the state.
var PathOfUID = tfjsonpath.New("object_ref").AtMapKey("uid")

// Parts of the Deployment web.
const (
	// AppContainer is the field path of its container.
	AppContainer = `spec.template.spec.containers[name="app"]`
	// ImageField is the field path of the container's image.
	ImageField = `spec.template.spec.containers[name="app"].image`
	// ImagePath is the JSONPath of the container's image.
	ImagePath = "{.spec.template.spec.containers[0].image}"
)

// Import IDs.
const (
	// WebID is the import ID of the Deployment web.
	WebID = "apiVersion=apps/v1,kind=Deployment,namespace=NS,name=web"
	// ConfigMapID is the import ID of the ConfigMap web.
	ConfigMapID = "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web"
)
