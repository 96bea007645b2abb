package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
)

type documentsFunction struct{}

// NewDocuments returns the function documents.
func NewDocuments() function.Function { return documentsFunction{} }

func (documentsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "documents"
}

func (documentsFunction) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Splits a text with many manifests into a map of objects, for for_each",
		MarkdownDescription: "Maps a key for each object of a text to its YAML. Every value is the YAML of one " +
			"object, as the text has it, with its comments. Keys are `group/kind/namespace/name`, for example " +
			"`apps/Deployment/default/web`. The group of `v1` is `core`. The namespace is empty for a cluster-scoped " +
			"object, `core/Namespace//argocd`, and for an object whose text has none." +
			"\n\nA `List` is its items. Documents " +
			"without content are left out. Two documents of one object, an object without a name, and " +
			"`generateName` are errors with the document and " +
			"the line.\n\nThe function needs no cluster, so the keys are known in the plan if the text is known.\n\n" +
			needs,
		Parameters:        []function.Parameter{textParameter()},
		VariadicParameter: optionsParameter(),
		Return:            function.MapReturn{ElementType: types.StringType},
	}
}

func (documentsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	var given []types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &text, &given); resp.Error != nil {
		return
	}
	options, problem := readOptions(given)
	if problem != "" {
		resp.Error = function.NewArgumentFuncError(1, problem)
		return
	}
	objects, err := documents.Parse(text, options)
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	resp.Error = resp.Result.Set(ctx, documents.Texts(objects))
}
