package functions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const serviceTemplate = `tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    count: {type: integer, default: 1}
    zones: {type: list, default: []}
  node_templates:
    web:
      type: tosca.nodes.indigo.KubernetesObject
      properties:
        spec:
          apiVersion: example.com/v1
          kind: Web
          metadata: {name: web}
          spec: {replicas: {get_input: count}, zones: {get_input: zones}}
`

func TestTOSCA(t *testing.T) {
	t.Parallel()
	web := func(spec string) map[string]string {
		return map[string]string{"example.com/Web//web": "apiVersion: example.com/v1\nkind: Web\nmetadata:\n  name: web\nspec:\n" + spec}
	}
	number := tftypes.NewValue(tftypes.Number, 3)
	none := tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{})
	zones := tftypes.NewValue(tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String, tftypes.Number}}, []tftypes.Value{text("a"), number})
	for name, tt := range map[string]struct {
		arguments []tftypes.Value
		want      map[string]string
	}{
		"no inputs":        {[]tftypes.Value{none}, web("  replicas: 1\n  zones: []\n")},
		"a number":         {[]tftypes.Value{options("count", number)}, web("  replicas: 3\n  zones: []\n")},
		"a map of numbers": {[]tftypes.Value{tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, map[string]tftypes.Value{"count": number})}, web("  replicas: 3\n  zones: []\n")},
		"null":             {[]tftypes.Value{options("count", tftypes.NewValue(tftypes.Number, nil))}, web("  replicas: 1\n  zones: []\n")},
		"a list":           {[]tftypes.Value{options("zones", zones)}, web("  replicas: 1\n  zones:\n  - a\n  - 3\n")},
		"options": {[]tftypes.Value{none, options("namespace", text("shore"))}, map[string]string{
			"example.com/Web/shore/web": "apiVersion: example.com/v1\nkind: Web\nmetadata:\n  namespace: shore\n  name: web\nspec:\n  replicas: 1\n  zones: []\n",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, failure := call(t, "tosca", text(serviceTemplate), tt.arguments...)
			if failure != nil {
				t.Fatal(failure.Text)
			}
			if !got.Equal(texts(tt.want)) {
				t.Errorf("tosca %s, want %v", got, tt.want)
			}
		})
	}
}

func TestMistakesInTOSCA(t *testing.T) {
	t.Parallel()
	none := tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{})
	for name, tt := range map[string]struct {
		text      string
		arguments []tftypes.Value
		// argument is the number of the argument that is wrong.
		argument int64
		want     string
	}{
		"a template of no version": {"a: b", []tftypes.Value{none}, 0, "line 1: the template is not of TOSCA Simple Profile in YAML 1.x. Write tosca_definitions_version: tosca_simple_yaml_1_3, or another 1.x"},
		"another input":            {serviceTemplate, []tftypes.Value{options("size", text("a"))}, 1, `the template declares no input "size". It declares count, zones`},
		"an input of another type": {serviceTemplate, []tftypes.Value{options("count", text("3"))}, 1, `input "count" is a string. Its type is integer: write a whole number`},
		"a string as inputs":       {serviceTemplate, []tftypes.Value{text("a")}, 1, "inputs are not an object. Write { replicas = 2 }, or {}"},
		"another option":           {serviceTemplate, []tftypes.Value{none, options("name", text("a"))}, 2, `options have no attribute "name". There are namespace, format and secrets`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, failure := call(t, "tosca", text(tt.text), tt.arguments...)
			if failure == nil || failure.FunctionArgument == nil || *failure.FunctionArgument != tt.argument {
				t.Fatalf("error %+v, want one about argument %d", failure, tt.argument)
			}
			if diff := cmp.Diff(tt.want, failure.Text); diff != "" {
				t.Error(diff)
			}
		})
	}
}
