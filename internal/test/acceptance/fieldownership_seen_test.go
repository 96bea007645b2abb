package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// seen is what a data source has in the state.
type seen struct {
	Namespace *string
	Fields    []struct {
		Path   string
		Value  *string
		Owners []seenOwner
	}
	Managers []struct {
		seenOwner
		Fields int
	}
	Stale []struct {
		Path   string
		Owners []seenOwner
	}
	Unowned       []struct{ Path, Value string }
	AnnotatedYAML string `json:"annotated_yaml"`
}

type seenOwner struct {
	Manager, Operation string
	Subresource, Time  *string
	APIVersion         string `json:"api_version"`
}

// String returns "name/subresource operation".
func (o seenOwner) String() string {
	text := o.Manager
	if o.Subresource != nil {
		text += "/" + *o.Subresource
	}
	return text + " " + o.Operation
}

func names(owners []seenOwner) string {
	texts := make([]string, len(owners))
	for i, owner := range owners {
		texts[i] = owner.String()
	}
	return strings.Join(texts, ", ")
}

// field returns "value: owners" of a field, "" where it is not listed.
func (s seen) field(path string) string {
	for _, field := range s.Fields {
		if field.Path != path {
			continue
		}
		value := "null"
		if field.Value != nil {
			value = *field.Value
		}
		return value + ": " + names(field.Owners)
	}
	return ""
}

func (s seen) managers() []string {
	var texts []string
	for _, manager := range s.Managers {
		texts = append(texts, fmt.Sprint(manager.String(), " ", manager.Fields))
	}
	return texts
}

// expect checks the state of data sources, by their names.
func expect(check func(seen map[string]seen, outputs map[string]*tfjson.StateOutput) error) []statecheck.StateCheck {
	return []statecheck.StateCheck{stateCheck(check)}
}

type stateCheck func(map[string]seen, map[string]*tfjson.StateOutput) error

func (c stateCheck) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	all := map[string]seen{}
	for _, r := range req.State.Values.RootModule.Resources {
		text, err := json.Marshal(r.AttributeValues)
		if err != nil {
			resp.Error = err
			return
		}
		var one seen
		if err := json.Unmarshal(text, &one); err != nil {
			resp.Error = err
			return
		}
		all[r.Name] = one
	}
	resp.Error = c(all, req.State.Values.Outputs)
}

func diff(what string, want, got any) error {
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("%s (-want +got):\n%s", what, diff)
	}
	return nil
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
