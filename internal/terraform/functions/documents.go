package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
)

func documentsFunction() provided {
	return provided{
		name: "documents", summary: "Splits a text with many manifests into a map of objects, for for_each",
		parameters: []function.Parameter{textParameter}, variadic: optionsParameter,
		returns: function.MapReturn{ElementType: types.StringType}, run: readDocuments,
	}
}

func readDocuments(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
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
