package functions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// call calls a function of the provider as the CLI does. The result is null beside an error.
func call(t *testing.T, name string, argument tftypes.Value, options ...tftypes.Value) (tftypes.Value, *tfprotov6.FunctionError) {
	t.Helper()
	server := serve.NewServer("test")()
	functions, err := server.GetFunctions(t.Context(), &tfprotov6.GetFunctionsRequest{})
	if err != nil || functions.Functions[name] == nil {
		t.Fatalf("functions: %v, %v", functions, err)
	}
	value, err := tfprotov6.NewDynamicValue(tftypes.String, argument)
	if err != nil {
		t.Fatal(err)
	}
	arguments := []*tfprotov6.DynamicValue{&value}
	for _, option := range options {
		dynamic, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, option)
		if err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, &dynamic)
	}
	resp, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Error != nil {
		return tftypes.Value{}, resp.Error
	}
	result, err := resp.Result.Unmarshal(functions.Functions[name].Return.Type)
	if err != nil {
		t.Fatal(err)
	}
	return result, nil
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// fixture returns a file that the tests of package blame use.
func fixture(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "fields", "blame", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

const (
	annotate = "annotate_yaml"
	parse    = "parse_managed_fields"
)

func TestAnnotateYAML(t *testing.T) {
	t.Parallel()
	result, failure := call(t, annotate, text(fixture(t, "deployment.yaml")))
	if failure != nil {
		t.Fatal(failure.Text)
	}
	var got string
	if err := result.As(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fixture(t, "status.golden.yaml"), got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestParseManagedFields(t *testing.T) {
	t.Parallel()
	const entries = `[{"manager":"flux","operation":"Apply","apiVersion":"apps/v1","time":"2024-05-01T14:00:00+02:00","fieldsV1":{"f:spec":{"f:replicas":{}}}},
		{"manager":"kubectl","operation":"Update","apiVersion":"apps/v1","subresource":"scale","fieldsV1":{"f:spec":{"f:replicas":{}},"f:status":{"f:replicas":{}}}}]`
	owner := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"manager": tftypes.String, "operation": tftypes.String, "subresource": tftypes.String, "api_version": tftypes.String, "time": tftypes.String,
	}}
	value := func(manager, operation string, subresource, time any) tftypes.Value {
		return tftypes.NewValue(owner, map[string]tftypes.Value{
			"manager": text(manager), "operation": text(operation), "api_version": text("apps/v1"),
			"subresource": tftypes.NewValue(tftypes.String, subresource), "time": tftypes.NewValue(tftypes.String, time),
		})
	}
	flux, kubectl := value("flux", "Apply", nil, "2024-05-01T12:00:00Z"), value("kubectl", "Update", "scale", nil)
	list := tftypes.List{ElementType: owner}
	want := tftypes.NewValue(tftypes.Map{ElementType: list}, map[string]tftypes.Value{
		"spec.replicas":   tftypes.NewValue(list, []tftypes.Value{flux, kubectl}),
		"status.replicas": tftypes.NewValue(list, []tftypes.Value{kubectl}),
	})
	for name, argument := range map[string]string{
		"managedFields": entries,
		"managedFields as YAML": "- manager: flux\n  operation: Apply\n  apiVersion: apps/v1\n  time: \"2024-05-01T14:00:00+02:00\"\n" +
			"  fieldsV1:\n    f:spec:\n      f:replicas: {}\n- manager: kubectl\n  operation: Update\n  apiVersion: apps/v1\n" +
			"  subresource: scale\n  fieldsV1: {f:spec: {f:replicas: {}}, f:status: {f:replicas: {}}}\n",
		"the object that has it": `{"kind":"Deployment","metadata":{"name":"web","managedFields":` + entries + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, failure := call(t, parse, text(argument))
			if failure != nil {
				t.Fatal(failure.Text)
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" || !want.Equal(got) {
				t.Errorf("owners (-want +got):\n%s", diff)
			}
		})
	}
	none, failure := call(t, parse, text("[]"))
	if failure != nil || !none.Equal(tftypes.NewValue(tftypes.Map{ElementType: list}, map[string]tftypes.Value{})) {
		t.Errorf("no entries: %v, %v", none, failure)
	}
}

func TestMalformedArguments(t *testing.T) {
	t.Parallel()
	const bad = `{"metadata":{"name":"a","managedFields":[{"manager":"flux","operation":"Apply","fieldsV1":{"v:":{}}}]},"apiVersion":"v1","kind":"A"}`
	for name, test := range map[string]struct {
		argument string
		// annotate and parse are how the errors of the functions begin.
		annotate, parse string
	}{
		"nothing":                         {"", "the text is not an object.", "the text is neither an object nor a list."},
		"no YAML":                         {"a: [", "line 1, column 5 is not valid YAML. ", "line 1, column 5 is not valid YAML. "},
		"a list":                          {"[1]", "the text is not an object.", "managedFields cannot be read: "},
		"several documents":               {"a: 1\n---\na: 2\n", "the text contains 2 documents. ", "the text contains 2 documents. "},
		"a List":                          {`{"kind":"List","items":[]}`, "the object is a List, ", "the object is a List, "},
		"an object without managedFields": {`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`, "the object has no metadata.managedFields. ", "the object has no metadata.managedFields. "},
		"fields that cannot be read":      {bad, `managedFields entry of "flux": fieldsV1 `, `managedFields entry of "flux": fieldsV1 `},
	} {
		for function, want := range map[string]string{annotate: test.annotate, parse: test.parse} {
			t.Run(name+", "+function, func(t *testing.T) {
				t.Parallel()
				_, failure := call(t, function, text(test.argument))
				if failure == nil || !strings.HasPrefix(failure.Text, want) || failure.FunctionArgument == nil || *failure.FunctionArgument != 0 {
					t.Errorf("error %+v, want %q about the first argument", failure, want)
				}
			})
		}
	}
}
