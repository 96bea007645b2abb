package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// ExpectPrediction asserts three things. The owners in the plan are those of the server's own dry-run at this
// moment, without the claims that are taken over. A manager loses a field only by the take-over, or by a
// conflict of an apply without force. The plan's warning lists exactly these conflicts. sent is the body that
// the apply will send, without ignored fields. Do not use it for plans that rewrite claims before the apply,
// which the server cannot dry-run: plans that release fields, or that drop a field below which a manager that
// is taken over owns one.
func (s *Story) ExpectPrediction(sent string) plancheck.PlanCheck {
	return s.ExpectPredictionAt(Address, sent)
}

// ExpectPredictionAt does what [Story.ExpectPrediction] does, for the resource at an address.
func (s *Story) ExpectPredictionAt(address, sent string) plancheck.PlanCheck {
	return Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedAt(req, address)
		if err != nil {
			return err
		}
		want, takenOver, err := s.ownersAfter(ctx, sent, p)
		if err != nil {
			return err
		}
		if err := p.isOwnedBy(want); err != nil {
			return err
		}
		_, refused := s.DryRun(ctx, sent, false)
		leave := append(Conflicts(refused), takenOver...)
		slices.Sort(leave)
		if diff := cmp.Diff(slices.Compact(leave), evictions(OwnersOf(p.Before), OwnersOf(p.After))); diff != "" {
			return fmt.Errorf("fields that an owner leaves (-server's 409 and the take-over +plan):\n%s", diff)
		}
		return s.WarningAgrees(sent, refused)
	})
}

// ExpectOwnersPrediction does what [Story.ExpectPrediction] does, but does not check who loses a field. It is for
// stories in which other clients write under our name: the names in the attributes do not show that.
func (s *Story) ExpectOwnersPrediction(sent string) plancheck.PlanCheck {
	return Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		if err := s.OwnersAgree(ctx, sent, p); err != nil {
			return err
		}
		_, refused := s.DryRun(ctx, sent, false)
		return s.WarningAgrees(sent, refused)
	})
}

// DryRun returns the oracle: the server's dry-run of our apply.
func (s *Story) DryRun(ctx context.Context, sent string, force bool) (*unstructured.Unstructured, error) {
	object := s.Parse(sent)
	return s.ResourceOf(object).Apply(ctx, object.GetName(), object,
		metav1.ApplyOptions{FieldManager: "k8sconnect", Force: force, DryRun: []string{metav1.DryRunAll}})
}

// OwnersAgree returns an error if the plan's owners differ from those after the server's dry-run and the take-over.
func (s *Story) OwnersAgree(ctx context.Context, sent string, p Planned) error {
	want, _, err := s.ownersAfter(ctx, sent, p)
	if err != nil {
		return err
	}
	return p.isOwnedBy(want)
}

func (p Planned) isOwnedBy(want map[string]string) error {
	if diff := cmp.Diff(want, OwnersOf(p.After)); diff != "" {
		return fmt.Errorf("owners after the apply (-server's dry-run and the take-over +plan):\n%s", diff)
	}
	return nil
}

// ownersAfter returns the owners of each field after the server's dry-run and the take-over, and the fields
// that the take-over takes from a manager.
func (s *Story) ownersAfter(
	ctx context.Context, sent string, p Planned,
) (owners map[string]string, takenOver []string, err error) {
	result, err := s.DryRun(ctx, sent, true)
	if err != nil {
		return nil, nil, fmt.Errorf("the oracle's dry-run: %w", err)
	}
	claims, err := ownership.Parse(result.GetManagedFields())
	if err != nil {
		return nil, nil, err
	}
	owners = map[string]string{}
	formatter := claims.Formatter()
	after := p.takenOver(claims).CoOwners(formatter)
	for field, managers := range claims.CoOwners(formatter) {
		if len(after[field]) > 0 && !slices.ContainsFunc(managers, isStatusController) {
			owners[field] = namesOf(after[field])
		}
		if owners[field] != "" && owners[field] != namesOf(managers) {
			takenOver = append(takenOver, field)
		}
	}
	return owners, takenOver, nil
}

// isStatusController reports whether a manager is the controller of Deployments, which writes their revision together
// with the status: neither is shown.
func isStatusController(m ownership.Manager) bool {
	return m.Name == "kube-controller-manager" && m.Subresource == "status"
}

// evictions returns the fields that still have an owner and that another manager no longer owns.
func evictions(before, after map[string]string) []string {
	evicted := []string{}
	for field, names := range before {
		for _, name := range strings.Fields(names) {
			if now, still := after[field]; still && name != "k8sconnect" &&
				!slices.Contains(strings.Fields(now), name) {
				evicted = append(evicted, field)
				break
			}
		}
	}
	slices.Sort(evicted)
	return evicted
}

// takeOver returns the managers that the configuration takes over.
func (p Planned) takeOver() []string {
	listed, written := p.After["take_over_managers"].([]any)
	if !written {
		return []string{"kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose",
			"kubectl-autoscale", "before-first-apply"}
	}
	managers := make([]string, len(listed))
	for i, name := range listed {
		managers[i] = fmt.Sprint(name)
	}
	return managers
}

// takenOver returns the claims after the take-over: managers that are taken over lose the fields that we own, and the
// maps, lists and items in which they own nothing any more. Claims through a subresource stay.
func (p Planned) takenOver(claims ownership.Claims) ownership.Claims {
	manager := fmt.Sprint(p.After["field_manager"])
	own := claims.Own(manager)
	left := slices.Clone(claims)
	for i, claim := range left {
		if !claim.IsOwn(manager) && claim.Subresource == "" && slices.Contains(p.takeOver(), claim.Name) {
			left[i].Fields = FullOf(claim.Fields, claim.Fields.Difference(own))
		}
	}
	return left
}

// FullOf returns kept without the members that had parts in held and no longer have any.
func FullOf(held, kept *paths.Set) *paths.Set {
	for {
		emptied := paths.NewSet()
		paths.Walk(kept.Leaves(), func(path paths.Path, _ bool) {
			if !kept.Equals(held) && ownership.HasParts(held, path) {
				emptied.Insert(path)
			}
		})
		if emptied.Empty() {
			return kept
		}
		kept = kept.Difference(emptied)
	}
}
