// Package functions implements the provider's functions. parse_managed_fields and annotate_yaml read field ownership
// from an object in a string. documents splits a stream of YAML documents into objects, tosca reads those of
// a service template, and problems compares them with schemas. None of them needs a cluster.
package functions

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// All returns a constructor of each function. Schemas are read from a folder; "" for none.
func All(folder string) []func() function.Function {
	var all []func() function.Function
	for _, one := range []provided{
		annotateYAML(), documentsFunction(), guardFunction(), parseManagedFields(),
		problemsFunction(openapi.Folder(folder)), toscaFunction(),
	} {
		all = append(all, func() function.Function { return one })
	}
	return all
}

type provided struct {
	name, summary string
	// parameters and variadic, which may be nil, have no descriptions.
	parameters []function.Parameter
	variadic   function.Parameter
	returns    function.Return
	// run returns the result. Any error but a *function.FuncError is about the first argument. Terraform adds a full
	// stop.
	run func(getter) (any, error)
}

// getter reads the arguments of a call.
type getter func(into ...any) error

func (p provided) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = p.name
}

func (p provided) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: p.summary, MarkdownDescription: p.descriptionOf(attributes.TheBlock),
		VariadicParameter: p.described(p.variadic), Return: p.returns,
	}
	for _, parameter := range p.parameters {
		resp.Definition.Parameters = append(resp.Definition.Parameters, p.described(parameter))
	}
}

func (p provided) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	result, err := p.run(func(into ...any) error {
		if err := req.Arguments.Get(ctx, into...); err != nil {
			return err
		}
		return nil
	})
	switch {
	case err == nil:
		resp.Error = resp.Result.Set(ctx, result)
	case !errors.As(err, &resp.Error):
		resp.Error = function.NewArgumentFuncError(0, strings.TrimSuffix(err.Error(), "."))
	}
}

func (p provided) descriptionOf(name string) string {
	return attributes.DescriptionOf("function "+p.name, name)
}

func (p provided) described(parameter function.Parameter) function.Parameter {
	switch parameter := parameter.(type) {
	case function.StringParameter:
		parameter.MarkdownDescription = p.descriptionOf(parameter.Name)
		return parameter
	case function.DynamicParameter:
		parameter.MarkdownDescription = p.descriptionOf(parameter.Name)
		return parameter
	default:
		return parameter
	}
}

func parseManagedFields() provided {
	return provided{
		name: "parse_managed_fields", summary: "Reads the owners of each field from managedFields",
		parameters: []function.Parameter{yamlParameter},
		returns:    function.MapReturn{ElementType: types.ListType{ElemType: reading.OwnerType()}}, run: readOwners,
	}
}

func readOwners(get getter) (any, error) {
	var text string
	if err := get(&text); err != nil {
		return nil, err
	}
	entries, err := blame.ParseEntries(text)
	if err != nil {
		return nil, err
	}
	owners, err := blame.Owners(entries)
	if err != nil {
		return nil, err
	}
	shown := make(map[string][]reading.Owner, len(owners))
	for path, of := range owners {
		shown[path] = reading.Owners(of)
	}
	return shown, nil
}

func annotateYAML() provided {
	return provided{
		name: "annotate_yaml", summary: "Adds the owners of each line to the YAML of an object",
		parameters: []function.Parameter{yamlParameter}, returns: function.StringReturn{}, run: annotate,
	}
}

func annotate(get getter) (any, error) {
	var text string
	if err := get(&text); err != nil {
		return nil, err
	}
	object, entries, err := blame.ParseObject(text)
	if err != nil {
		return nil, err
	}
	report, err := blame.Read(object, entries, blame.Query{Status: blame.WithStatus})
	if err != nil {
		return nil, err
	}
	return report.AnnotatedYAML, nil
}
