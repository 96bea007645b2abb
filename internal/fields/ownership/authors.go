package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// OfPeople returns the claims of people and their tools, controllers left out, in order.
func (c Claims) OfPeople() Claims {
	var people Claims
	for _, claim := range c {
		if !claim.isController() {
			people = append(people, claim)
		}
	}
	return people
}

// Authored returns the fields that people or their tools own, controllers left out.
func (c Claims) Authored() *paths.Set {
	authored := paths.NewSet()
	for _, claim := range c.OfPeople() {
		authored = authored.Union(claim.Fields)
	}
	return authored
}

// Applied returns the fields that people or their tools own by server-side apply, which records exactly what they
// wrote.
func (c Claims) Applied() *paths.Set {
	applied := paths.NewSet()
	for _, claim := range c {
		if claim.Operation == metav1.ManagedFieldsOperationApply && !claim.isController() {
			applied = applied.Union(claim.Fields)
		}
	}
	return applied
}
