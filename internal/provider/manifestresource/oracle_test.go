package manifestresource_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// saying matches an error with all of texts, in this order, however Terraform wraps its lines.
func saying(texts ...string) *regexp.Regexp {
	parts := make([]string, len(texts))
	for i, text := range texts {
		words := strings.Fields(text)
		for j, word := range words {
			words[j] = regexp.QuoteMeta(word)
		}
		parts[i] = strings.Join(words, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, `.*`))
}

// computed are the attributes that the provider sets.
var computed = []string{"id", "object_ref", fieldOwnership, coOwners, managedState}

// expectUnknown asserts which computed attributes of a resource the plan leaves wholly to the apply: these
// and no others.
func expectUnknown(address string, want ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			got := []string{}
			for _, attribute := range computed {
				if unknown[attribute] == true {
					got = append(got, attribute)
				}
			}
			if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
				return fmt.Errorf("unknown attributes of %s (-want +got):\n%s", address, diff)
			}
			return nil
		}
		return fmt.Errorf("the plan has no %s", address)
	})
}

// expectGone asserts that objects are not on the server after the apply.
func (s *story) expectGone(targets ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, target := range targets {
			if !s.gone(target) {
				return fmt.Errorf("%s is still there", target)
			}
		}
		return nil
	}
}

// meter counts the provider's requests from its start on.
type meter struct {
	story *story
	mark  testcluster.Position
}

// start is for PreConfig.
func (m *meter) start() {
	m.mark = controlPlane.AuditLog().Mark()
	m.story.provider.take()
}

// lines returns the requests for objects since the start, without the namespace's name, sorted.
func (m *meter) lines() []string {
	lines := testcluster.Lines(m.story.requests(m.mark))
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, m.story.namespace, "NS")
	}
	slices.Sort(lines)
	return lines
}

func (m *meter) compare(want []string) error {
	slices.Sort(want)
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, m.lines()...)); diff != "" {
		return fmt.Errorf("requests (-want +got):\n%s", diff)
	}
	return nil
}

// plans asserts the requests of a plan since the start.
func (m *meter) plans(want ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return m.compare(want) })
}

// applies asserts the requests of a plan and its apply since the start.
func (m *meter) applies(want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return m.compare(want) }
}

// takeOver names the managers that are taken over, as the configuration says.
func (p planned) takeOver() []string {
	listed, written := p.after["take_over_managers"].([]any)
	if !written {
		return []string{"kubectl-client-side-apply", "kubectl-create", "before-first-apply"}
	}
	managers := make([]string, len(listed))
	for i, name := range listed {
		managers[i] = fmt.Sprint(name)
	}
	return managers
}

// takenOver returns what the take-over leaves of claims: managers that are taken over lose what we own, and the maps,
// lists and items in which nothing is left to them, unless they apply or write through a subresource.
func (p planned) takenOver(claims ownership.Claims) ownership.Claims {
	const updated = metav1.ManagedFieldsOperationUpdate
	own := claims.Own(fmt.Sprint(p.after["field_manager"]))
	left := slices.Clone(claims)
	for i, claim := range left {
		if claim.Operation == updated && claim.Subresource == "" && slices.Contains(p.takeOver(), claim.Name) {
			left[i].Fields = fullOf(claim.Fields, claim.Fields.Difference(own))
		}
	}
	return left
}

// fullOf returns kept without members that had parts in held and have none any more.
func fullOf(held, kept *paths.Set) *paths.Set {
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

// names returns the names of managers as one sorted text.
func names(managers []ownership.Manager) string {
	all := make([]string, len(managers))
	for i, m := range managers {
		all[i] = m.Name
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// ownersOf returns the owners of each field in the attributes of a resource, as one sorted text.
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

// evictions returns the fields that stay owned and that somebody else leaves.
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

// conflicts returns the fields of the API server's 409.
func conflicts(err error) []string {
	fields := []string{}
	for _, cause := range causes(err) {
		fields = append(fields, strings.TrimPrefix(cause.Field, "."))
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

func causes(err error) []metav1.StatusCause {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	return slices.DeleteFunc(status.Status().Details.Causes, func(cause metav1.StatusCause) bool {
		return cause.Type != metav1.CauseTypeFieldManagerConflict
	})
}

// warningAgrees compares the conflicts in the last plan's warning about an object with those of the API
// server's 409. The plans of a provider in a process of its own are not recorded.
func (s *story) warningAgrees(sent string, refused error) error {
	warnings, recorded := s.provider.lastPlan()
	if !recorded {
		return nil
	}
	object := s.parse(sent)
	about := regexp.MustCompile(fmt.Sprintf(`^[^:]+: %s (\S+/)?%s \(%s\)$`,
		object.GetKind(), regexp.QuoteMeta(object.GetName()), regexp.QuoteMeta(object.GetAPIVersion())))
	want, got := []string{}, []string{}
	for _, cause := range causes(refused) {
		want = append(want, strings.TrimPrefix(cause.Field, ".")+": "+cause.Message)
	}
	for _, warning := range warnings {
		summary, detail, _ := strings.Cut(warning, "\n")
		if !about.MatchString(summary) {
			continue
		}
		for _, line := range conflictLine.FindAllStringSubmatch(detail, -1) {
			for _, manager := range strings.Split(aside.ReplaceAllString(line[2], ""), " and ") {
				got = append(got, line[1]+": conflict with "+manager)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("conflicts (-server's 409 +warning):\n%s", diff)
	}
	return nil
}

var (
	// conflictLine is a field of a conflict, with both values, and its owners.
	conflictLine = regexp.MustCompile(`(?m)^  (\S.*): "(?:[^"\\]|\\.)*" -> "(?:[^"\\]|\\.)*", owned by (.*)$`)
	// aside is what a warning knows of a manager.
	aside = regexp.MustCompile(` \([^()]*\)`)
)
