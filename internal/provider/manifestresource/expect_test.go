package manifestresource_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
// moment, and that the fields it evicts others from are the conflicts of an apply without force. sent is
// the body that the apply will send, without ignored fields. It holds for plans that release nothing,
// which the server cannot rehearse.
func (s *story) expectPrediction(sent string) plancheck.PlanCheck {
	return s.expectPredictionAt(address, sent)
}

// expectPredictionAt is expectPrediction for the resource at an address.
func (s *story) expectPredictionAt(address, sent string) plancheck.PlanCheck {
	return check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedAt(req, address)
		if err != nil {
			return err
		}
		if err := s.ownersAgree(ctx, sent, p); err != nil {
			return err
		}
		_, err = s.rehearse(ctx, sent, false)
		if diff := cmp.Diff(conflicts(err), evictions(ownersOf(p.before), ownersOf(p.after))); diff != "" {
			return fmt.Errorf("conflicts (-server's 409 +plan):\n%s", diff)
		}
		return nil
	})
}

// expectOwnersPrediction is the first half of expectPrediction, for stories in which others write under
// our name: attributes that show names cannot tell who is evicted there.
func (s *story) expectOwnersPrediction(sent string) plancheck.PlanCheck {
	return check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		return s.ownersAgree(ctx, sent, p)
	})
}

// rehearse is the oracle: the server's dry-run of our apply.
func (s *story) rehearse(ctx context.Context, sent string, force bool) (*unstructured.Unstructured, error) {
	object := s.parse(sent)
	return s.resourceOf(object).Apply(ctx, object.GetName(), object,
		metav1.ApplyOptions{FieldManager: "k8sconnect", Force: force, DryRun: []string{metav1.DryRunAll}})
}

func (s *story) ownersAgree(ctx context.Context, sent string, p planned) error {
	result, err := s.rehearse(ctx, sent, true)
	if err != nil {
		return fmt.Errorf("the oracle's dry-run: %w", err)
	}
	claims, err := ownership.Parse(result.GetManagedFields())
	if err != nil {
		return err
	}
	want := map[string]string{}
	for field, managers := range claims.CoOwners(claims.Formatter()) {
		names := make([]string, len(managers))
		for i, m := range managers {
			names[i] = m.Name
		}
		slices.Sort(names)
		want[field] = strings.Join(slices.Compact(names), " ")
	}
	if diff := cmp.Diff(want, ownersOf(p.after)); diff != "" {
		return fmt.Errorf("owners after the apply (-server's dry-run +plan):\n%s", diff)
	}
	return nil
}

// ownersOf are the owners of each field in the attributes of a resource, as one sorted text.
func ownersOf(attributes map[string]any) map[string]string {
	owners := map[string]string{}
	single, _ := attributes["field_ownership"].(map[string]any)
	for field, name := range single {
		owners[field] = fmt.Sprint(name)
	}
	several, _ := attributes["co_owners"].(map[string]any)
	for field, names := range several {
		list, _ := names.([]any)
		texts := make([]string, len(list))
		for i, name := range list {
			texts[i] = fmt.Sprint(name)
		}
		owners[field] = strings.Join(texts, " ")
	}
	return owners
}

func evictions(before, after map[string]string) []string {
	evicted := []string{}
	for field, names := range before {
		for _, name := range strings.Fields(names) {
			if now, still := after[field]; still && name != "k8sconnect" && !slices.Contains(strings.Fields(now), name) {
				evicted = append(evicted, field)
				break
			}
		}
	}
	slices.Sort(evicted)
	return evicted
}

func conflicts(err error) []string {
	fields := []string{}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return fields
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, strings.TrimPrefix(cause.Field, "."))
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}
