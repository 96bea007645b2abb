package record

import (
	"context"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// suffix is what the name of a claim that was handed over ends in.
const suffix = "+unfinished"

// longestManager is the number of bytes that the API server allows for the name of a field manager.
const longestManager = 128

// HandedOver returns the manager that holds the claim of fieldManager while no state has the object: between the two
// halves of a replacement that keeps it. Only a create of fieldManager takes the claim over. It returns "" if the
// name would be too long.
func HandedOver(fieldManager string) string {
	name := strings.TrimSuffix(fieldManager, suffix) + suffix
	if len(name) > longestManager {
		return ""
	}
	return name
}

// IsHandedOver reports whether claims has one that a create of fieldManager takes over.
func IsHandedOver(claims ownership.Claims, fieldManager string) bool {
	name := HandedOver(fieldManager)
	return name != "" && !claims.Own(name).Empty()
}

// HandOver returns the rewrite that hands the claim of fieldManager over.
func HandOver(fieldManager string) ownership.Rewrite {
	return ownership.Rewrite{Manager: HandedOver(fieldManager), PreviousManager: fieldManager}
}

// HandedOver returns the prior after its claim was handed over.
func (p Prior) HandedOver() Prior {
	manager := p.Arguments.FieldManager
	p.Snapshot.Claims = HandOver(manager).Claims(p.Snapshot.Claims)
	p.Arguments.FieldManager = HandedOver(manager)
	return p
}

// ObserveAs reads an object of which fieldManager owns fields, and returns it as one whose snapshot is lost.
func ObserveAs(
	ctx context.Context, api cluster.Interface, id manifest.Identity, fieldManager string,
) (Prior, error) {
	prior := Prior{Object: id, Arguments: arguments.Arguments{FieldManager: fieldManager}}
	observed, err := Observe(ctx, api, fieldManager, prior)
	prior.UID, prior.Shown, prior.Snapshot, prior.Live = observed.UID, observed.Shown, observed.Snapshot, observed.Live
	return prior, err
}
