package owners

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// added returns the findings about fields that people have added by commands to an object that tools apply, one for
// each command, the most dangerous fields first. Fields in contested, which an update may have changed and not added,
// are left out.
func (o Object) added(formatter *paths.Formatter, contested []Finding) []Finding {
	applied := paths.NewSet()
	for _, claim := range o.Claims {
		if claim.Operation == metav1.ManagedFieldsOperationApply && claim.Writer() == ownership.Tool {
			applied = applied.Union(claim.Fields)
		}
	}
	isPerson := func(claim ownership.Claim) bool {
		// kubectl scale changes a field that had a value before.
		return claim.Writer() == ownership.Person && claim.Subresource == ""
	}
	if applied.Empty() || !slices.ContainsFunc(o.Claims, isPerson) {
		return nil
	}
	search := additions.Search{Declared: applied, IsEmpty: isEmptyDefault}
	all := slices.DeleteFunc(search.In(o.Claims), func(a additions.Addition) bool {
		field := formatter.Format(a.Path)
		return isBelow(a.Path, "status") || slices.ContainsFunc(contested, func(f Finding) bool {
			return f.Problem == Alternating && slices.Contains(f.Fields, field)
		})
	})
	slices.SortStableFunc(all, func(a, b additions.Addition) int { return cmp.Compare(a.Rank(), b.Rank()) })
	var found []Finding
	for _, claim := range o.Claims {
		if !isPerson(claim) {
			continue
		}
		var fields []string
		for _, addition := range all {
			if ownership.Holds(claim.Fields, addition.Path) && o.isWritten(claim, addition.Path) {
				fields = append(fields, formatter.Format(addition.Path))
			}
		}
		if len(fields) > 0 {
			mend := fmt.Sprintf("# declare them, or remove them:\nkubectl edit %s", o.target())
			found = append(found, o.finding(Added, []ownership.Claim{claim}, fields, mend))
		}
	}
	return found
}
