package listing

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// label returns the label of an object for people: "Deployment default/web (kubectl-client-side-apply, 2 days ago)".
// The manager is the one that the query asks for, else the person or tool that wrote last, else the manager that wrote
// last.
func (q Query) label(object *unstructured.Unstructured, claims ownership.Claims) string {
	name := object.GetName()
	if object.GetNamespace() != "" {
		name = object.GetNamespace() + "/" + name
	}
	text := object.GetKind() + " " + name
	claim, has := q.shown(claims)
	switch {
	case !has:
		return text + " (no owner)"
	case claim.Time.IsZero():
		return fmt.Sprintf("%s (%s)", text, claim.Name)
	}
	return fmt.Sprintf("%s (%s, %s)", text, claim.Name, ago(q.Now.Sub(claim.Time)))
}

// shown returns the claim that a label is about.
func (q Query) shown(claims ownership.Claims) (ownership.Claim, bool) {
	candidates := claims
	if people := claims.OfPeople(); len(people) > 0 {
		candidates = people
	}
	if q.Filter.Manager != "" {
		candidates = slices.DeleteFunc(slices.Clone(claims), func(claim ownership.Claim) bool {
			return !q.Filter.fits(claim)
		})
	}
	if len(candidates) == 0 {
		return ownership.Claim{}, false
	}
	return slices.MaxFunc(candidates, func(a, b ownership.Claim) int { return a.Time.Compare(b.Time) }), true
}

// units are the units of an age, the largest first.
var units = []struct {
	name   string
	length time.Duration
}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}

// ago returns an age in its largest unit: "2 days ago".
func ago(age time.Duration) string {
	for _, unit := range units {
		switch count := int(age / unit.length); {
		case count == 1:
			return "1 " + unit.name + " ago"
		case count > 1:
			return fmt.Sprintf("%d %ss ago", count, unit.name)
		}
	}
	return "just now"
}
