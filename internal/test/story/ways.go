package story

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// RuledStep is a step whose arguments may be those of the resource, or of a rule of the provider block.
type RuledStep struct {
	// Writes are those of other managers before the step.
	Writes func(s *Story)
	// Block returns the resource block with further lines; "" for a configuration without the resource.
	Block func(s *Story, lines ...string) string
	// Arguments are the lines of the resource, or the keys of a rule.
	Arguments []string
	// IsRefused is true if the plan ends with an error.
	IsRefused bool
}

// Ruled returns a provider block with one rule, which covers all objects of the story.
func (s *Story) Ruled(arguments ...string) string {
	if len(arguments) == 0 {
		return s.ProviderBlock()
	}
	return s.WithRules("namespaces = [\"" + s.Namespace + "\"], " + strings.Join(arguments, ", "))
}

// WithRules returns a provider block with these rules.
func (s *Story) WithRules(rules ...string) string {
	return strings.Replace(s.ProviderBlock(), "\n}\n", "\n  rules = [\n    { "+
		s.Expand(strings.Join(rules, " },\n    { "))+" },\n  ]\n}\n", 1)
}

// PlansAlike plays steps twice, with the arguments in the resource and with the arguments in a rule, and asserts that
// all plans show the same and say the same.
func PlansAlike(t *testing.T, steps ...RuledStep) {
	t.Helper()
	SkipUnlessAcceptance(t)
	var played [2][]string
	t.Run("played", func(t *testing.T) {
		for i, way := range []string{"by arguments", "by rules"} {
			t.Run(way, func(t *testing.T) {
				s := New(t)
				s.Run(s.ruledSteps(way == "by rules", steps, &played[i])...)
				played[i] = append(played[i], unruled(s, strings.Join(s.Provider.Everything(), "\n---\n")))
			})
		}
	})
	if diff := cmp.Diff(played[0], played[1]); diff != "" {
		t.Errorf("-by arguments +by rules:\n%s", diff)
	}
	if len(played[0]) < 2 {
		t.Error("nothing was planned")
	}
}

func (s *Story) ruledSteps(byRules bool, steps []RuledStep, plans *[]string) []resource.TestStep {
	var all []resource.TestStep
	for _, step := range steps {
		next := resource.TestStep{Config: s.ProviderBlock()}
		if step.Writes != nil {
			next.PreConfig = func() { step.Writes(s) }
		}
		switch {
		case byRules && step.Block == nil:
			next.Config = s.Ruled(step.Arguments...)
		case byRules:
			next.Config = s.Ruled(step.Arguments...) + step.Block(s)
		case step.Block != nil:
			next.Config += step.Block(s, step.Arguments...)
		}
		if step.IsRefused {
			next.ExpectError = regexp.MustCompile(".") // The messages are compared.
		} else {
			next.ConfigPlanChecks = PlanChecks(Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
				for _, change := range req.Plan.ResourceChanges {
					*plans = append(*plans, unruled(s, fmt.Sprint(change.Address, change.Change.Actions)),
						unruled(s, sides(change.Change.Before, change.Change.After, change.Change.AfterUnknown)))
				}
				return nil
			}))
		}
		all = append(all, next)
	}
	return all
}

// ruledArguments are the attributes that differ between the two ways.
var ruledArguments = []string{
	"delete_protection", "ignore_fields", "ignore_managers", "on_conflict", "rules_applied", "sensitive_fields",
	"take_over_managers", "wait",
}

// sides returns the attributes of a change, without those that differ between the two ways.
func sides(all ...any) string {
	var texts []string
	for _, side := range all {
		attributes, _ := side.(map[string]any)
		attributes = maps.Clone(attributes)
		maps.DeleteFunc(attributes, func(name string, _ any) bool { return slices.Contains(ruledArguments, name) })
		text, err := json.MarshalIndent(attributes, "", " ")
		texts = append(texts, string(text), fmt.Sprint(err))
	}
	return strings.Join(texts, "\n")
}

// ofRules matches the parts of messages about rules.
var ofRules = regexp.MustCompile(
	`\n\n(It is|They are) left to others by rules\[\d\] of the provider block\.| by rules\[\d\] of the provider block`)

// accidental are what differs between two stories.
var accidental = []struct {
	pattern *regexp.Regexp
	becomes string
}{
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`last write [^),]+`), "last write AGO"},
	{regexp.MustCompile(`(hmac|sha256)[-:(a-z0-9]*[0-9a-f]{8,}\)?`), "DIGEST"},
	{regexp.MustCompile(`k8sconnect-patch-[0-9a-f]{8}`), "PATCH"},
	{regexp.MustCompile(`\bk8sconnect-[0-9a-z]{8,13}\b`), "SET"},
}

// unruled returns a message as it would be in any story, without its parts about rules.
func unruled(s *Story, text string) string { return s.Anonymous(ofRules.ReplaceAllString(text, "")) }

// Anonymous returns a message as it would be in any story.
func (s *Story) Anonymous(text string) string {
	text = strings.ReplaceAll(text, s.Namespace, "NS")
	for _, part := range accidental {
		text = part.pattern.ReplaceAllString(text, part.becomes)
	}
	return text
}
