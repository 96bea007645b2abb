package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// beforeApply returns the rewrite of managedFields before an apply. A renamed manager's claim moves to the new name.
// Ignored fields are released, because an apply that only omits them would remove them. Managers to take over lose the
// fields that leave the body, because these would stay otherwise. Data that we claimed as stringData is claimed by its own
// name, so that the apply can remove it.
func (i Intent) beforeApply(claims ownership.Claims, previousManager string) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	if previousManager != i.FieldManager {
		own = own.Union(claims.Own(previousManager))
	}
	released, _ := projection.Covered(own, i.ignored(), i.Manifest.Object)
	rewrite := ownership.Rewrite{
		Manager:         i.FieldManager,
		PreviousManager: previousManager,
		Release:         released,
		TakeOver:        i.TakeOver,
		Declared:        missing(i.Manifest.Object, own.Difference(released)),
	}
	if outlived := i.orphanedStringData(own); !outlived.Empty() {
		rewrite.Add, rewrite.Declared = outlived, rewrite.Declared.Union(outlived)
	}
	return rewrite
}

// afterApply returns what has to be rewritten once we own what we declare: ignored fields that were sent as
// initial values are released, and managers to be taken over lose their share.
func (i Intent) afterApply(claims ownership.Claims) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	released, _ := projection.Covered(own, i.ignored(), i.Manifest.Object)
	return ownership.Rewrite{
		Manager:  i.FieldManager,
		Release:  released,
		TakeOver: i.TakeOver,
		Declared: own.Difference(released),
	}
}

// missing returns the part of fields that has no value in object.
func missing(object map[string]any, fields *paths.Set) *paths.Set {
	return fields.Difference(projection.WithValues(object, fields))
}
