package functions

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/tosca"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

func toscaFunction() provided {
	return provided{
		name: "tosca", summary: "Returns the Kubernetes objects of a TOSCA service template, for k8sconnect_manifests",
		// Each input has a type of its own.
		parameters: []function.Parameter{textParameter, function.DynamicParameter{Name: "inputs"}},
		variadic:   optionsParameter, returns: function.MapReturn{ElementType: types.StringType}, run: readTOSCA,
	}
}

func readTOSCA(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	var inputs types.Dynamic
	var given []types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &text, &inputs, &given); resp.Error != nil {
		return
	}
	options, problem := readOptions(given)
	if problem != "" {
		resp.Error = function.NewArgumentFuncError(2, problem)
		return
	}
	values, err := attributes.DecodeObject(inputs)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(1, "inputs are not an object. Write { replicas = 2 }, or {}")
		return
	}
	objects, err := tosca.Read(text, values.Object, options)
	var aboutInputs *tosca.InputError
	switch {
	case errors.As(err, &aboutInputs):
		resp.Error = function.NewArgumentFuncError(1, strings.TrimSuffix(err.Error(), "."))
	case err != nil:
		resp.Error = wrong(err)
	default:
		resp.Error = resp.Result.Set(ctx, documents.Texts(objects))
	}
}
