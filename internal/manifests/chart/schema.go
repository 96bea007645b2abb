package chart

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
)

// unfit returns what in the values of a chart does not fit its values.schema.json, and those of its subcharts. Helm's
// own function would load what a schema refers to, from files and the network.
func unfit(of *v2.Chart, values map[string]any) []string {
	var problems []string
	if len(of.Schema) > 0 {
		for _, problem := range slices.Sorted(slices.Values(misfits(of.Schema, values))) {
			problems = append(problems, of.ChartFullPath()+": "+problem)
		}
	}
	for _, sub := range of.Dependencies() {
		switch below := values[sub.Name()].(type) {
		case nil:
		case map[string]any:
			problems = append(problems, unfit(sub, below)...)
		default:
			problems = append(problems,
				fmt.Sprintf("%s: values have %T, and it has to be a map", sub.ChartFullPath(), below))
		}
	}
	return problems
}

const schemaURL = "file:///values.schema.json"

func misfits(schema []byte, values map[string]any) []string {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return []string{"values.schema.json is not JSON: " + err.Error()}
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nothingElse{})
	if err := compiler.AddResource(schemaURL, parsed); err != nil {
		return []string{"values.schema.json: " + err.Error()}
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		return []string{"values.schema.json: " + strings.ReplaceAll(err.Error(), schemaURL, "")}
	}
	refused, is := errors.AsType[*jsonschema.ValidationError](compiled.Validate(values))
	if !is {
		return nil
	}
	return leavesOf(refused, message.NewPrinter(language.English))
}

// leavesOf returns a line for each value that is refused.
func leavesOf(refused *jsonschema.ValidationError, printer *message.Printer) []string {
	if len(refused.Causes) == 0 {
		at := strings.Join(append([]string{"values"}, refused.InstanceLocation...), ".")
		problem := refused.ErrorKind.LocalizedString(printer)
		if format, is := refused.ErrorKind.(*kind.Format); is {
			problem = "it is no valid " + format.Want // The library quotes parts of the value, which may be secret.
		}
		return []string{at + ": " + problem}
	}
	var lines []string
	for _, cause := range refused.Causes {
		lines = append(lines, leavesOf(cause, printer)...)
	}
	return lines
}

type nothingElse struct{}

// Load refuses what a schema refers to.
func (nothingElse) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, which is not loaded: a schema has to be whole", url)
}
