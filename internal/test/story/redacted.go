package story

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// ExpectRedacted asserts that none of the secrets, in clear or in base64, is in the plan outside yaml_body, nor in the
// provider's messages in the whole story.
func (s *Story) ExpectRedacted(secrets ...string) plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		return s.CheckRedacted(secrets, p.Before, p.After)
	})
}

// ExpectStateRedacted does what [Story.ExpectRedacted] does, for the state.
func (s *Story) ExpectStateRedacted(secrets ...string) statecheck.StateCheck {
	return StateCheck(func(attributes map[string]any) error { return s.CheckRedacted(secrets, attributes) })
}

// CheckRedacted returns an error if one of the secrets is in attributes other than yaml_body, or in a message of the
// provider.
func (s *Story) CheckRedacted(secrets []string, attributes ...map[string]any) error {
	texts := s.Provider.Everything()
	for _, side := range attributes {
		for name, value := range side {
			if name == "yaml_body" {
				continue
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			texts = append(texts, name+" = "+string(encoded))
		}
	}
	for _, text := range texts {
		for _, secret := range secrets {
			if strings.Contains(text, secret) ||
				strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secret))) {
				return fmt.Errorf("%q is disclosed by: %s", secret, text)
			}
		}
	}
	return nil
}
