package functions_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const several = "# of the file\n---\n# where\napiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings # shared\n"

func texts(of map[string]string) tftypes.Value {
	values := map[string]tftypes.Value{}
	for key, value := range of {
		values[key] = text(value)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

// options returns an object with one attribute.
func options(name string, value tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: value.Type()}}, map[string]tftypes.Value{name: value})
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {a: b}\n"
	const namespace = "# where\napiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n"
	alone := texts(map[string]string{
		"core/Namespace//tides": namespace, "core/ConfigMap//settings": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings # shared\n",
	})
	placed := texts(map[string]string{
		"core/Namespace//tides": namespace, "core/ConfigMap/shore/settings": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: shore\n  name: settings # shared\n",
	})
	for name, tt := range map[string]struct {
		text    string
		options []tftypes.Value
		want    tftypes.Value
	}{
		"nothing":                {"# nothing\n", nil, texts(nil)},
		"no options":             {several, nil, alone},
		"empty options":          {several, []tftypes.Value{tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{})}, alone},
		"a namespace":            {several, []tftypes.Value{options("namespace", text("shore"))}, placed},
		"a map with a namespace": {several, []tftypes.Value{texts(map[string]string{"namespace": "shore"})}, placed},
		"JSON": {several, []tftypes.Value{texts(map[string]string{"namespace": "shore", "format": "json"})}, texts(map[string]string{
			"core/Namespace//tides":         `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"tides"}}`,
			"core/ConfigMap/shore/settings": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"shore"}}`,
		})},
		"no Secrets":               {several + secret, []tftypes.Value{options("secrets", text("none"))}, alone},
		"only Secrets":             {several + secret, []tftypes.Value{options("secrets", text("only"))}, texts(map[string]string{"core/Secret//login": strings.TrimPrefix(secret, "---\n")})},
		"no Secrets to have":       {several, []tftypes.Value{options("secrets", text("only"))}, texts(nil)},
		"YAML":                     {several, []tftypes.Value{options("format", text("yaml"))}, alone},
		"a namespace that is null": {several, []tftypes.Value{options("namespace", tftypes.NewValue(tftypes.String, nil))}, alone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, failure := call(t, "documents", text(tt.text), tt.options...)
			if failure != nil {
				t.Fatal(failure.Text)
			}
			if !got.Equal(tt.want) {
				t.Errorf("documents %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMalformedDocuments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text    string
		options []tftypes.Value
		// argument is the number of the argument that is wrong, and want is how the error begins.
		argument int64
		want     string
	}{
		"no YAML":             {several + "---\na: [\n", nil, 0, "document 3 (line 13): line 13, column 5 is not valid YAML. "},
		"an object twice":     {several + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n", nil, 0, "document 3 (line 13): core/Namespace//tides is already in document 1 (line 4). "},
		"generateName":        {several + "---\napiVersion: v1\nkind: A\nmetadata: {generateName: a}\n", nil, 0, "document 3 (line 13): metadata.generateName asks "},
		"options twice":       {several, []tftypes.Value{options("namespace", text("a")), options("namespace", text("a"))}, 1, "there are 2 objects of options. "},
		"another format":      {several, []tftypes.Value{options("format", text("toml"))}, 1, `format is neither "yaml", the default, nor "json"`},
		"other secrets":       {several, []tftypes.Value{options("secrets", text("all"))}, 1, `secrets is neither "none" nor "only"`},
		"a number of secrets": {several, []tftypes.Value{options("secrets", tftypes.NewValue(tftypes.Number, 1))}, 1, `secrets is neither "none" nor "only"`},
		"another option":      {several, []tftypes.Value{options("name", text("a"))}, 1, `options have no attribute "name". `},
		"a string as options": {several, []tftypes.Value{text("shore")}, 1, "options are not an object. "},
		"a number":            {several, []tftypes.Value{options("namespace", tftypes.NewValue(tftypes.Number, 1))}, 1, "namespace is not a string. "},
		"an empty namespace":  {several, []tftypes.Value{options("namespace", text(""))}, 1, "namespace is empty. "},
		"no name for one":     {several, []tftypes.Value{options("namespace", text("Shore"))}, 1, `namespace is "Shore", which cannot be the name of a namespace: `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, failure := call(t, "documents", text(tt.text), tt.options...)
			if failure == nil || !strings.HasPrefix(failure.Text, tt.want) || failure.FunctionArgument == nil || *failure.FunctionArgument != tt.argument {
				t.Errorf("error %+v, want %q about argument %d", failure, tt.want, tt.argument)
			}
		})
	}
}
