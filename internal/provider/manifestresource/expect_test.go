package manifestresource_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
)

const address = "k8sconnect_manifest.test"

// absent stands for a key that a map does not have.
const absent = "(absent)"

// planned is one resource of a plan, as JSON.
type planned struct {
	before, after, unknown map[string]any
}

func plannedOf(req plancheck.CheckPlanRequest) (planned, error) { return plannedAt(req, address) }

func plannedAt(req plancheck.CheckPlanRequest, address string) (planned, error) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address == address {
			before, _ := change.Change.Before.(map[string]any)
			after, _ := change.Change.After.(map[string]any)
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			return planned{before, after, unknown}, nil
		}
	}
	return planned{}, fmt.Errorf("the plan has no %s", address)
}

func entry(attributes map[string]any, attribute, key string) string {
	values, _ := attributes[attribute].(map[string]any)
	value, has := values[key]
	if !has {
		return absent
	}
	return fmt.Sprint(value)
}

// expectChange asserts that the plan changes one entry of field_ownership, co_owners or managed_state;
// absent stands for no entry on either side.
func expectChange(attribute, key, from, to string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		if got := entry(p.before, attribute, key) + " -> " + entry(p.after, attribute, key); got != from+" -> "+to {
			return fmt.Errorf("%s[%s]: got %s, want %s -> %s", attribute, key, got, from, to)
		}
		return nil
	})
}

func expectOwner(field, from, to string) plancheck.PlanCheck {
	return expectChange("field_ownership", field, from, to)
}

func expectValue(field, from, to string) plancheck.PlanCheck {
	return expectChange("managed_state", field, from, to)
}

// expectOnly asserts that the plan changes exactly these entries of an attribute, each written as
// "path: from -> to".
func expectOnly(attribute string, want ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		got := []string{}
		keys := map[string]bool{}
		for _, side := range []map[string]any{p.before, p.after} {
			values, _ := side[attribute].(map[string]any)
			for key := range values {
				keys[key] = true
			}
		}
		for key := range keys {
			if from, to := entry(p.before, attribute, key), entry(p.after, attribute, key); from != to {
				got = append(got, key+": "+from+" -> "+to)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			return fmt.Errorf("%s (-want +got):\n%s", attribute, diff)
		}
		return nil
	})
}

// expectWarning asserts that the plan, or the apply before, warned with all of the texts in one warning.
func (s *story) expectWarning(texts ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return s.warned(texts...) })
}

func (s *story) warned(texts ...string) error {
	warnings, _ := s.provider.take()
	for _, warning := range warnings {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
			return nil
		}
	}
	return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
}

// expectNoWarning asserts that there was none since the last look.
func (s *story) expectNoWarning() plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error {
		if warnings, _ := s.provider.take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	})
}

// meanwhile runs others' writes between the plan and the apply of the saved plan.
func meanwhile(write func()) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error {
		write()
		return nil
	})
}

// expectLive asserts values of the live object after the apply, by dotted path of plain fields.
func (s *story) expectLive(target string, want map[string]any) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live := s.live(target)
		for path, value := range want {
			got, has, err := unstructured.NestedFieldNoCopy(live.Object, strings.Split(path, ".")...)
			if err != nil || !has {
				got = absent
			}
			if fmt.Sprint(got) != fmt.Sprint(value) {
				return fmt.Errorf("live %s: %s is %v, want %v", target, path, got, value)
			}
		}
		return nil
	}
}

// expectPrediction asserts that the plan's ownership is what the server's own dry-run says at this
// moment, less the claims that are taken over; that nobody leaves a field but by take-over and by the
// conflicts of an apply without force; and that the plan's warning lists just those conflicts. sent is the
// body that the apply will send, without ignored fields. It holds for plans that rewrite no claims before
// the apply, which the server cannot dry-run: those that release nothing, and drop no field below which
// a manager that is taken over holds one.
func (s *story) expectPrediction(sent string) plancheck.PlanCheck {
	return s.expectPredictionAt(address, sent)
}

// expectPredictionAt returns expectPrediction for the resource at an address.
func (s *story) expectPredictionAt(address, sent string) plancheck.PlanCheck {
	return check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedAt(req, address)
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
		_, refused := s.dryRun(ctx, sent, false)
		leave := append(conflicts(refused), takenOver...)
		slices.Sort(leave)
		if diff := cmp.Diff(slices.Compact(leave), evictions(ownersOf(p.before), ownersOf(p.after))); diff != "" {
			return fmt.Errorf("fields that an owner leaves (-server's 409 and the take-over +plan):\n%s", diff)
		}
		return s.warningAgrees(sent, refused)
	})
}

// expectOwnersPrediction returns expectPrediction for stories in which others write under our name: attributes
// that show names cannot tell who is evicted there.
func (s *story) expectOwnersPrediction(sent string) plancheck.PlanCheck {
	return check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		if err := s.ownersAgree(ctx, sent, p); err != nil {
			return err
		}
		_, refused := s.dryRun(ctx, sent, false)
		return s.warningAgrees(sent, refused)
	})
}

// dryRun returns the oracle: the server's dry-run of our apply.
func (s *story) dryRun(ctx context.Context, sent string, force bool) (*unstructured.Unstructured, error) {
	object := s.parse(sent)
	return s.resourceOf(object).Apply(ctx, object.GetName(), object,
		metav1.ApplyOptions{FieldManager: "k8sconnect", Force: force, DryRun: []string{metav1.DryRunAll}})
}

// ownersAgree compares the plan's owners with those that the server's dry-run and the take-over leave.
func (s *story) ownersAgree(ctx context.Context, sent string, p planned) error {
	want, _, err := s.ownersAfter(ctx, sent, p)
	if err != nil {
		return err
	}
	return p.isOwnedBy(want)
}

func (p planned) isOwnedBy(want map[string]string) error {
	if diff := cmp.Diff(want, ownersOf(p.after)); diff != "" {
		return fmt.Errorf("owners after the apply (-server's dry-run and the take-over +plan):\n%s", diff)
	}
	return nil
}

// ownersAfter returns the owners of each field after the server's dry-run and the take-over, and the fields
// that the latter takes from somebody.
func (s *story) ownersAfter(ctx context.Context, sent string, p planned) (owners map[string]string, takenOver []string, err error) {
	result, err := s.dryRun(ctx, sent, true)
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
		if len(after[field]) > 0 {
			owners[field] = names(after[field])
		}
		if owners[field] != "" && owners[field] != names(managers) {
			takenOver = append(takenOver, field)
		}
	}
	return owners, takenOver, nil
}
