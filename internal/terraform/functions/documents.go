package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
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

const aboutTexts = "Every value is the YAML of one object, as the text has it, with its comments. Keys are " +
	"`group/kind/namespace/name`, for example `apps/Deployment/default/web`. The group of `v1` is `core`. The " +
	"namespace is empty for a cluster-scoped object, `core/Namespace//argocd`, and for an object whose text has none."

func (documentsFunction) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Splits a text with many manifests into a map of objects, for for_each",
		MarkdownDescription: "Maps a key for each object of a text to its YAML. " + aboutTexts +
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
	objects, failure := objectsOf(ctx, req)
	if resp.Error = failure; resp.Error != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, documents.Texts(objects))
}

type stagesFunction struct{}

// NewStages returns the function stages.
func NewStages() function.Function { return stagesFunction{} }

func (stagesFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "stages"
}

func (stagesFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	texts := types.MapType{ElemType: types.StringType}
	resp.Definition = function.Definition{
		Summary: "Splits a text with many manifests into four maps, in the order in which their objects can be created",
		MarkdownDescription: "Returns an object with four maps, which together have what `documents` returns: `crds` " +
			"are the CustomResourceDefinitions, `namespaces` the Namespaces, `cluster` the other cluster-scoped " +
			"objects, and `namespaced` everything else. Give each map a resource of its own, which names the one " +
			"before it in `depends_on`.\n\n" + aboutTexts +
			"\n\nCustom resources whose definition is not in the text are in `namespaced`.\n\n" + needs,
		Parameters:        []function.Parameter{textParameter()},
		VariadicParameter: optionsParameter(),
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"crds": texts, "namespaces": texts, "cluster": texts, "namespaced": texts,
		}},
	}
}

// stages is the result of the function.
type stages struct {
	CRDs       map[string]string `tfsdk:"crds"`
	Namespaces map[string]string `tfsdk:"namespaces"`
	Cluster    map[string]string `tfsdk:"cluster"`
	Namespaced map[string]string `tfsdk:"namespaced"`
}

func (stagesFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	objects, failure := objectsOf(ctx, req)
	if resp.Error = failure; resp.Error != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, stages{
		CRDs:       documents.Texts(documents.In(documents.CRDs, objects)),
		Namespaces: documents.Texts(documents.In(documents.Namespaces, objects)),
		Cluster:    documents.Texts(documents.In(documents.Cluster, objects)),
		Namespaced: documents.Texts(documents.In(documents.Namespaced, objects)),
	})
}
