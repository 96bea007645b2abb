// Package functions implements the provider's functions. parse_managed_fields and annotate_yaml read field ownership
// from an object in a string. documents splits a stream of YAML documents into objects, tosca reads those of
// a service template, and problems compares them with schemas. None of them needs a cluster.
package functions

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
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
	run        func(context.Context, function.RunRequest, *function.RunResponse)
}

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
	p.run(ctx, req, resp)
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

// wrong returns an error about the first argument of a function, the YAML or JSON. Terraform adds a full stop.
func wrong(err error) *function.FuncError {
	return function.NewArgumentFuncError(0, strings.TrimSuffix(err.Error(), "."))
}
