package tosca

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const version = "tosca_definitions_version: tosca_simple_yaml_1_3\n"

// withData returns a template with inputs, whose node template a is an object with the data.
func withData(inputs, data string) string {
	return version + "topology_template:\n  inputs: {" + inputs + "}\n  node_templates:\n    a:\n      type: " + objectType + `
      properties:
        name: tide
        list: [x, {y: z}]
        spec:
          apiVersion: v1
          kind: A
          metadata: {name: a}
          data: ` + data + "\n"
}

// nodes returns a template with node templates of the type of objects, each with this as its spec.
func nodes(specs ...string) string {
	text := version + "topology_template:\n  node_templates:\n"
	for i, spec := range specs {
		text += "    " + string(rune('a'+i)) + ":\n      type: " + objectType + "\n      properties:\n        spec: " + spec + "\n"
	}
	return text
}

const config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"

// The data of an object after its functions were evaluated, as YAML.
func TestValues(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		inputs string
		given  map[string]any
		data   string
		want   string
	}{
		"an integer stays one":             {"num: {type: integer}", map[string]any{"num": int64(3)}, "{get_input: num}", "3"},
		"a default":                        {"num: {type: integer, default: 2}", nil, "{get_input: num}", "2"},
		"a value before a default":         {"num: {type: integer, default: 2}", map[string]any{"num": int64(3)}, "{get_input: num}", "3"},
		"a string that looks like more":    {"s: {type: string}", map[string]any{"s": "yes"}, "{get_input: s}", `"yes"`},
		"a number in a string":             {"s: {type: string}", map[string]any{"s": "012"}, "{get_input: s}", `"012"`},
		"a string with lines":              {"s: {type: string}", map[string]any{"s": "a: b\n\tc\r\n d\n\n"}, "{get_input: s}", `"a: b\n\tc\r\n d\n\n"`},
		"a float":                          {"f: {type: float}", map[string]any{"f": 0.5}, "{get_input: f}", "0.5"},
		"a whole float":                    {"f: {type: float}", map[string]any{"f": int64(1)}, "{get_input: f}", "1"},
		"a boolean":                        {"b: {type: boolean, default: yes}", nil, "{get_input: b}", "true"},
		"a list":                           {"l: {type: list}", map[string]any{"l": []any{int64(1), "a"}}, "{get_input: l}", "[1, a]"},
		"a map":                            {"m: {type: map}", map[string]any{"m": map[string]any{"on": true}}, "{get_input: m}", `{"on": true}`},
		"an entry of an input":             {"m: {type: map, default: {a: [x, y]}}", nil, "{get_input: [m, a, 1]}", "y"},
		"a function in a value":            {"m: {type: map, default: {get_input: m}}", nil, "{get_input: m}", "{get_input: m}"},
		"an optional input, not used":      {"num: {type: integer, required: false}", nil, "{}", "{}"},
		"a property":                       {"", nil, "{get_property: [SELF, name]}", "tide"},
		"a property by its template":       {"", nil, "{get_property: [a, list, 1, y]}", "z"},
		"a part of the object itself":      {"", nil, "{get_property: [SELF, spec, metadata, name]}", "a"},
		"concat":                           {"num: {type: integer, default: 2}", nil, `{concat: [a, 1, true, "-", {get_input: num}, {concat: [{get_property: [SELF, name]}]}]}`, "a1true-2tide"},
		"a path through a function":        {"", nil, "{a: {get_property: [SELF, list]}, b: {get_property: [SELF, spec, data, a, 1, y]}}", "{a: [x, {y: z}], b: z}"},
		"a function in a value, by a path": {"m: {type: map, default: {x: {get_input: m}}}", nil, "{a: {get_input: m}, b: {get_property: [SELF, spec, data, a, x]}}", "{a: {x: {get_input: m}}, b: {get_input: m}}"},
		"keys that are booleans":           {"n: {type: integer, default: 2}", nil, "{get_input: n}", "2"},
		"concat of nothing":                {"", nil, "{concat: []}", `""`},
		"concat of a key in one line":      {"num: {type: integer, default: 2}", nil, `{concat: ["host:", {get_input: num}]}`, `"host:2"`},
		"concat of a value in lines":       {"num: {type: integer, default: 2}", nil, `{concat: ["a\nimage: x:", {get_input: num}]}`, `"a\nimage: x:2"`},
		"concat of a key in lines":         {"num: {type: integer, default: 2}", nil, `{concat: ["a\n  - b.c/d:", {get_input: num}]}`, `"a\n  - b.c/d: 2"`},
		"concat of a key and no input":     {"", nil, `{concat: ["a\nb:", c]}`, `"a\nb:c"`},
		"keys with the name of functions":  {"", nil, "{x: {token: t}, y: {concat: c}, z: {join: {}}}", "{x: {token: t}, y: {concat: c}, z: {join: {}}}"},
		"anchors and merge keys":           {"", nil, "{a: &x {b: {get_property: [SELF, name]}}, c: {<<: *x, d: *x}}", "{a: {b: tide}, c: {b: tide, d: {b: tide}}}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := Read(withData(tt.inputs, tt.data), tt.given, documents.Options{})
			if err != nil || len(objects) != 1 || objects[0].Key != "core/A//a" {
				t.Fatal(objects, err)
			}
			if want := "apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata: " + tt.want; !manifest.EqualText(objects[0].Text, want) {
				t.Errorf("%s, want %s", objects[0].Text, want)
			}
		})
	}
}

func TestObjects(t *testing.T) {
	t.Parallel()
	const header = "topology_template:\n  node_templates:\n    a: {type: "
	for name, tt := range map[string]struct {
		text    string
		options documents.Options
		want    map[string]string
	}{
		"a map":         {nodes(config), documents.Options{}, map[string]string{"core/ConfigMap//a": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"}},
		"with options":  {nodes(config), documents.Options{Namespace: "b"}, map[string]string{"core/ConfigMap/b/a": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: b\n  name: a\n"}},
		"JSON":          {`{"tosca_definitions_version": "tosca_simple_yaml_1_0", "topology_template": {"node_templates": {"a": {"type": "` + objectType + `", "properties": {"spec": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "\ud83d\ude80"}}}}}}}`, documents.Options{JSON: true}, map[string]string{"core/A//🚀": `{"apiVersion":"v1","kind":"A","metadata":{"name":"🚀"}}`}},
		"several texts": {nodes("|\n          # of a\n          " + config + "\n          ---\n          {apiVersion: v1, kind: Secret, metadata: {name: b}}"), documents.Options{Secrets: documents.WithoutSecrets}, map[string]string{"core/ConfigMap//a": "# of a\n" + config + "\n"}},
		"a List":        {nodes("{apiVersion: v1, kind: List, items: [" + config + "]}"), documents.Options{JSON: true}, map[string]string{"core/ConfigMap//a": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`}},
		"a derived type": {
			version + "node_types:\n  mine: {derived_from: theirs}\n  theirs: {derived_from: " + objectType + "}\n" + header + "mine, properties: {spec: " + config + "}}\n",
			documents.Options{JSON: true}, map[string]string{"core/ConfigMap//a": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`},
		},
		"anchors of the template": {
			version + "dsl_definitions:\n  base: &base {type: " + objectType + "}\ntopology_template:\n  node_templates:\n    a:\n      <<: *base\n      properties: {spec: " + config + "}\n",
			documents.Options{JSON: true}, map[string]string{"core/ConfigMap//a": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`},
		},
		// As the template echo-demo of Krake.
		"a template for Krake": {`tosca_definitions_version: tosca_simple_yaml_1_0
imports:
  - ec3_custom_types: https://raw.githubusercontent.com/grycap/ec3/tosca/tosca/custom_types.yaml
description: An echo server
topology_template:
  inputs:
    replicas: {type: integer, default: 1}
    port: {type: integer, default: 8080}
  node_templates:
    echo:
      type: tosca.nodes.indigo.KubernetesObject
      properties:
        spec:
          concat:
            - |-
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                name: echo
              spec:
                replicas:
            - get_input: replicas
            - |2-

                template:
                  ports:
                  - containerPort:
            - get_input: port
`, documents.Options{}, map[string]string{"apps/Deployment//echo": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: echo\nspec:\n  replicas: 1\n  template:\n    ports:\n    - containerPort: 8080"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := Read(tt.text, nil, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, documents.Texts(objects)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	const supportedTypes = "Write type: string, integer, float, boolean, list or map."
	for name, tt := range map[string]struct {
		text  string
		given map[string]any
		want  string
	}{
		"no YAML":       {"a: [", nil, "line 1, column 5 is not valid YAML. Correct the text. Values with special characters need quotes; yamlencode({...}) always writes valid YAML."},
		"nothing":       {"", nil, `the text is null, not a service template. Write file("app.yaml"), or filebase64("app.csar").`},
		"a file's name": {"app.yaml", nil, `the text is a string, not a service template. Write file("app.yaml"), or filebase64("app.csar").`},
		"several":       {nodes(config) + "---\n" + nodes(config), nil, "the text contains 2 documents. Write one service template."},
		"no version":    {"topology_template: {}\n", nil, "line 1: the template is not of TOSCA Simple Profile in YAML 1.x. Write tosca_definitions_version: tosca_simple_yaml_1_3, or another 1.x."},
		"version 2":     {"description: a\ntosca_definitions_version: tosca_2_0\n", nil, "line 2: the template is not of TOSCA Simple Profile in YAML 1.x. Write tosca_definitions_version: tosca_simple_yaml_1_3, or another 1.x."},
		"an import": {
			version + "imports:\n- https://raw.githubusercontent.com/grycap/ec3/tosca/tosca/custom_types.yaml\n- types.yaml\n", nil,
			"line 4: imports are not supported. Write the types that the template needs under node_types. tosca.nodes.indigo.KubernetesObject needs no import.",
		},
		"an import that is no list": {version + "imports: {a: types.yaml}\n", nil, "line 2: imports are not supported. Write the types that the template needs under node_types. tosca.nodes.indigo.KubernetesObject needs no import."},
		"substitution mappings": {
			version + "topology_template:\n  substitution_mappings: {node_type: a}\n", nil,
			"line 3: substitution_mappings are not supported. Remove them, and write each object as a node template.",
		},
		"no node templates": {version + "topology_template: {inputs: {}}\n", nil, "line 2: topology_template has no map node_templates. Write a node template of the type tosca.nodes.indigo.KubernetesObject for each object."},
		"another type": {
			version + "topology_template:\n  node_templates:\n    db: {type: tosca.nodes.Database}\n", nil,
			`line 4: node template "db" has the type "tosca.nodes.Database", which is no Kubernetes object. Write type: tosca.nodes.indigo.KubernetesObject, or a type of node_types that is derived from it, or remove the node template.`,
		},
		"types in a circle": {
			version + "node_types: {a: {derived_from: b}, b: {derived_from: a}}\ntopology_template:\n  node_templates:\n    db:\n      type: a\n", nil,
			`line 6: node template "db" has the type "a", which is no Kubernetes object. Write type: tosca.nodes.indigo.KubernetesObject, or a type of node_types that is derived from it, or remove the node template.`,
		},

		"an input without a type":      {withData("num: {default: 1}", "{}"), nil, `line 3: input "num" has no type that is supported. ` + supportedTypes},
		"an input of another type":     {withData("num: {type: range}", "{}"), nil, `line 3: input "num" has no type that is supported. ` + supportedTypes},
		"required is no boolean":       {withData("num: {type: integer, required: 1}", "{}"), nil, `line 3: required of input "num" is a number. Write true or false.`},
		"a default of another type":    {withData("num: {type: integer, default: a}", "{}"), nil, `line 3: the default of input "num" is a string. Its type is integer: write a whole number.`},
		"an input that nobody expects": {withData("num: {type: integer, default: 1}, m: {type: map, default: {}}", "{}"), map[string]any{"o": "x"}, `the template declares no input "o". It declares m, num.`},
		"an input, and none declared":  {withData("", "{}"), map[string]any{"o": "x"}, `the template declares no input "o". It declares none.`},
		"an input without a value":     {withData("num: {type: integer}", "{}"), nil, `input "num" is required, and has no value. Write a whole number for it, or a default in line 3 of the template.`},
		"a string for an integer":      {withData("num: {type: integer}", "{}"), map[string]any{"num": "1"}, `input "num" is a string. Its type is integer: write a whole number.`},
		"a fraction for an integer":    {withData("num: {type: integer}", "{}"), map[string]any{"num": 1.5}, `input "num" is a number. Its type is integer: write a whole number.`},
		"a number for a string":        {withData("num: {type: string}", "{}"), map[string]any{"num": int64(1)}, `input "num" is a number. Its type is string: write a string.`},
		"a string for a float":         {withData("num: {type: float}", "{}"), map[string]any{"num": "1"}, `input "num" is a string. Its type is float: write a number.`},
		"a string for a boolean":       {withData("num: {type: boolean}", "{}"), map[string]any{"num": "true"}, `input "num" is a string. Its type is boolean: write true or false.`},
		"a map for a list":             {withData("num: {type: list}", "{}"), map[string]any{"num": map[string]any{}}, `input "num" is an object. Its type is list: write a list.`},
		"a list for a map":             {withData("num: {type: map}", "{}"), map[string]any{"num": []any{}}, `input "num" is a list. Its type is map: write a map.`},

		"another input":           {withData("num: {type: integer, default: 1}", "{get_input: m}"), nil, `line 14: the template declares no input "m". It declares num.`},
		"an input without a name": {withData("", "{get_input: {}}"), nil, "line 14: get_input names no input. Write get_input: NAME, or get_input: [NAME, KEY]."},
		"an optional input, used": {withData("num: {type: integer, required: false}", "{get_input: num}"), nil, `line 14: input "num" has no value. Give it one, or write a default.`},
		"no entry of an input":    {withData("l: {type: list, default: [a]}", "{get_input: [l, 1]}"), nil, `line 14: input "l.1" has no value. Give it one, or write a default.`},
		"a property of nothing":   {withData("", "{get_property: SELF}"), nil, "line 14: get_property names no property. Write get_property: [SELF, NAME], or a node template instead of SELF."},
		"another node template":   {withData("", "{get_property: [b, name]}"), nil, `line 14: there is no "name" in the properties of node template "b". Write SELF or a node template, and what it has in properties.`},
		"another property":        {withData("", "{get_property: [SELF, list, 2]}"), nil, `line 14: there is no "list.2" in the properties of node template "a". Write SELF or a node template, and what it has in properties.`},
		"an attribute":            {withData("", "{x: {get_attribute: [SELF, ip]}}"), nil, "line 14: get_attribute is not supported. Write a value, or get_input, get_property or concat."},
		"an artifact":             {withData("", "\n            x:\n            - get_artifact: [SELF, image]"), nil, "line 16: get_artifact is not supported. Write a value, or get_input, get_property or concat."},
		"token":                   {withData("", "{token: [a, b, 0]}"), nil, "line 14: token is not supported. Write a value, or get_input, get_property or concat."},
		"beside other keys":       {withData("num: {type: integer, default: 1}", "{get_input: num, x: y}"), nil, "line 14: get_input is beside other keys. Write it as the only key of a map."},
		"concat of a map":         {withData("", "\n            concat:\n            - a\n            - {b: c}"), nil, "line 17: an item of concat is a map, a list or null. Write strings, numbers and booleans."},
		"an artifact in a list":   {withData("", "[{get_artifact: [SELF, image]}]"), nil, "line 14: get_artifact is not supported. Write a value, or get_input, get_property or concat."},
		"an artifact in concat":   {withData("", "{concat: [{get_artifact: [SELF, image]}]}"), nil, "line 14: get_artifact is not supported. Write a value, or get_input, get_property or concat."},
		"concat of null":          {withData("", "{concat: [~]}"), nil, "line 14: an item of concat is a map, a list or null. Write strings, numbers and booleans."},
		"a circle":                {withData("", "{get_property: [SELF, spec, data]}"), nil, "line 14: get_property leads back to itself. Write a value for one of the properties."},
		"a circle of two": {
			nodes("{get_property: [b, spec]}", "{concat: [a, {get_property: [a, spec]}]}"), nil,
			"line 7: get_property leads back to itself. Write a value for one of the properties.",
		},
		"a circle inside of a path": {nodes("{get_property: [SELF, spec, x]}"), nil, "line 7: get_property leads back to itself. Write a value for one of the properties."},

		"no spec":        {nodes(config, ""), nil, `node template "b" (line 11): spec has no object. Write its manifest as the property spec.`},
		"a list as spec": {nodes("[a]"), nil, `node template "a" (line 7): spec has no object. Write its manifest as the property spec.`},
		"an empty text":  {nodes(`""`), nil, `the text of node template "a" (line 7): spec has no object. Write its manifest as the property spec.`},
		"no kind":        {nodes("{apiVersion: v1}"), nil, `node template "a" (line 7): kind is missing. Write a kind such as "Deployment".`},
		"a text that is no YAML": {
			nodes("|-\n          a: b\n          c: ["), nil,
			`the text of node template "a" (line 7): document 1 (line 1): line 2, column 5 is not valid YAML. Correct the text. Values with special characters need quotes; yamlencode({...}) always writes valid YAML.`,
		},
		"an item without a name": {nodes("{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A}]}"), nil, `node template "a" (line 7): document 1, item 1 (line 3): metadata is missing. Write metadata with at least a name.`},
		"an object twice":        {nodes(config, config), nil, `node template "b" (line 11): core/ConfigMap//a is already in node template "a" (line 7). Remove one of them.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(tt.text, tt.given, documents.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			var fault *manifest.Error
			if !errors.As(err, &fault) {
				t.Errorf("%#v is no *manifest.Error", err)
			}
			var aboutInputs *InputError
			if isAbout := strings.HasPrefix(tt.want, "input ") || len(tt.given) > 0; errors.As(err, &aboutInputs) != isAbout {
				t.Errorf("%#v, want one about the inputs: %t", err, isAbout)
			}
		})
	}
}

// Values that double with each line end in an error, before they fill the memory.
func TestDoubling(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{"strings": "{concat: [%, %]}", "lists": "[%, %]", "nothing": "{concat: [{concat: []}, %, %]}"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := nodes("{get_property: [SELF, p0]}")
			for i := range 60 {
				text += fmt.Sprintf("        p%d: %s\n", i, strings.ReplaceAll(form, "%", fmt.Sprintf("{get_property: [SELF, p%d]}", i+1)))
			}
			text += "        p60: x\n"
			_, err := Read(text, nil, documents.Options{})
			if err == nil || !strings.HasSuffix(err.Error(), ": the values of functions are larger than 16 MiB. Use fewer functions of functions: API servers accept objects of at most 3 MiB.") {
				t.Error(err)
			}
		})
	}
}
