package manifestresource_test

import "github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

// address is the resource of config.
const address = "k8sconnect_manifest.test"

// absent stands for a key that a map does not have.
const absent = "(absent)"

// us is the field manager of the provider.
const us = "k8sconnect"

// The computed maps, as expectState and expectChange name them.
const (
	// fieldOwnership has one owner for each field.
	fieldOwnership = "field_ownership"
	// coOwners has all owners of the fields that have several.
	coOwners = "co_owners"
	// managedState has the values of the fields that we own.
	managedState = "managed_state"
)

// computed are the attributes that the provider sets.
var computed = []string{"id", "object_ref", fieldOwnership, coOwners, managedState}

// pathOfUID is where the state has the uid of the object.
var pathOfUID = tfjsonpath.New("object_ref").AtMapKey("uid")

// Parts of the Deployment web.
const (
	// app is the field path of its container.
	appContainer = `spec.template.spec.containers[name="app"]`
	// imageField is the field path of the container's image.
	imageField = `spec.template.spec.containers[name="app"].image`
	// imagePath is the JSONPath of the container's image.
	imagePath = "{.spec.template.spec.containers[0].image}"
)

// Import IDs.
const (
	// webID is the import ID of the Deployment web.
	webID = "apiVersion=apps/v1,kind=Deployment,namespace=NS,name=web"
	// configMapID is the import ID of the ConfigMap web.
	configMapID = "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web"
)
