package record

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Adopted is what speaks against the adoption of an object.
type Adopted struct {
	// BySameManager is true if our field manager owns fields of it: another configuration may manage it.
	BySameManager bool
	// ByControllers is true if only controllers wrote it.
	ByControllers bool
	// HandedOver is true if an interrupted replacement has left the object to us; then nothing speaks against it.
	HandedOver bool
	// Giver is the field manager of the resource of the same run that gives the object up; "" without one.
	Giver string
	// Resumed is the object if an apply of ours has created it and ended before a state had it; nil otherwise.
	Resumed *Prior
}

// Adopted returns what speaks against the adoption of the object by fieldManager.
func (p Prior) Adopted(fieldManager string) Adopted {
	claims := p.Snapshot.Claims
	if IsHandedOver(claims, fieldManager) {
		return Adopted{HandedOver: true}
	}
	references, _, _ := unstructured.NestedSlice(p.Live, "metadata", "ownerReferences")
	return Adopted{
		BySameManager: !claims.Own(fieldManager).Empty(),
		ByControllers: len(references) > 0 || len(claims) > 0 && claims.Authored().Empty(),
	}
}
