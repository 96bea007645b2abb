package play

import (
	"encoding/json"
	"fmt"
	"strconv"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// flattened returns a state in the form of [resource.TestCheckFunc]: values by flat names such as "field_ownership.%"
// and "list.0". Resources of modules are left out.
func flattened(state *tfjson.State) *terraform.State {
	flat := terraform.NewState() //nolint:staticcheck // The checks of terraform-plugin-testing take it.
	if state.Values == nil {
		return flat
	}
	root := flat.RootModule()
	for name, output := range state.Values.Outputs {
		root.Outputs[name] = flatOutput(output)
	}
	for _, stored := range state.Values.RootModule.Resources {
		attributes := map[string]string{}
		for name, value := range stored.AttributeValues {
			flatten(attributes, name, value)
		}
		address := stored.Address
		if index, isNumber := stored.Index.(json.Number); isNumber {
			address = fmt.Sprintf("%s.%s.%s", stored.Type, stored.Name, index)
			if stored.Mode == tfjson.DataResourceMode {
				address = "data." + address
			}
		}
		root.Resources[address] = &terraform.ResourceState{
			Provider: stored.ProviderName, Type: stored.Type,
			Primary: &terraform.InstanceState{
				ID: attributes["id"], Attributes: attributes, Tainted: stored.Tainted,
				Meta: map[string]any{"schema_version": int(stored.SchemaVersion)}, //nolint:gosec // It is 0 or 1.
			},
		}
	}
	return flat
}

func flatOutput(output *tfjson.StateOutput) *terraform.OutputState {
	flat := &terraform.OutputState{Sensitive: output.Sensitive, Type: "string", Value: output.Value}
	switch value := output.Value.(type) {
	case []any:
		flat.Type = "list"
	case map[string]any:
		flat.Type = "map"
	case bool:
		flat.Value = strconv.FormatBool(value)
	case json.Number:
		flat.Value = value.String()
	}
	return flat
}

// flatten adds a value and its parts.
func flatten(to map[string]string, name string, value any) {
	switch value := value.(type) {
	case nil:
	case map[string]any:
		to[name+".%"] = strconv.Itoa(len(value))
		for key, part := range value {
			flatten(to, name+"."+key, part)
		}
	case []any:
		to[name+".#"] = strconv.Itoa(len(value))
		for i, part := range value {
			flatten(to, name+"."+strconv.Itoa(i), part)
		}
	default:
		to[name] = fmt.Sprint(value)
	}
}

// instances returns the instances of all resources.
func instances(state *terraform.State) []*terraform.InstanceState {
	var all []*terraform.InstanceState
	for _, stored := range state.RootModule().Resources {
		all = append(all, stored.Primary)
	}
	return all
}
