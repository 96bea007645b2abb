package setresource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// names are what diagnostics say of this resource.
var names = diagnostics.Names{
	Noun:             "resource",
	Type:             "k8sconnect_manifests",
	IsSet:            true,
	IgnoredByRule:    rules.IgnoreFields,
	Body:             manifestsAttribute,
	WriteOnlyBody:    writeOnlyAttribute,
	WriteOnlyVersion: writeOnlyVersionAttribute,
	AdoptExisting:    "adopt_existing",
	Cluster:          attributes.AttributeName,
	DeleteProtection: "delete_protection",
	FieldManager:     "field_manager",
	ForceDestroy:     "force_destroy",
	OnConflict:       "on_conflict",
	OnDestroy:        "on_destroy",
	Successor:        "successor",
	SensitiveFields:  "sensitive_fields",
	TakeOverManagers: "take_over_managers",
	Timeouts:         "timeouts",
}
