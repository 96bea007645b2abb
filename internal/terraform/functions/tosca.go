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

type toscaFunction struct{}

// NewTOSCA returns the function tosca.
func NewTOSCA() function.Function { return toscaFunction{} }

func (toscaFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "tosca"
}

const aboutTOSCA = "Maps a key for each object of a service template to its YAML, with the keys of " +
	"[documents](documents.md). The template is of TOSCA Simple Profile in YAML 1.x. Each node template has the " +
	"type `tosca.nodes.indigo.KubernetesObject`, as in templates for Krake, or a type of `node_types` that is " +
	"derived from it. Any other type is an error. The property `spec` is the manifest: a map, or a string with one " +
	"or several documents.\n\n" +
	"Values may be `get_input`, `get_property` and `concat`. Other functions, `substitution_mappings` and `imports` " +
	"are errors, except for the import of `custom_types.yaml` of grycap/ec3, which needs no file. Constraints of " +
	"inputs are not checked. Groups, policies, workflows and outputs are left out. If a text ends with a key, such " +
	"as `replicas:`, `concat` writes a blank before an input, as Krake does.\n\n" +
	"The function reads no file and needs no cluster.\n\n"

const aboutTemplate = "The template, for example `file(\"app.yaml\")`, or a CSAR, `filebase64(\"app.csar\")`: a text " +
	"that is a zip in base64 counts as one. Its template is what `Entry-Definitions` of `TOSCA-Metadata/TOSCA.meta` " +
	"names, or without it the only YAML file in the root. Its other files are not read, and a template of more than " +
	"16 MiB is an error."

const aboutInputs = "An object with values of inputs: `{ replicas = 2 }`, or `{}`. They have the types that the " +
	"template declares: `string`, `integer`, `float`, `boolean`, `list` or `map`. `null` means the default."

func (toscaFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Returns the Kubernetes objects of a TOSCA service template, for k8sconnect_manifests",
		MarkdownDescription: aboutTOSCA + needs,
		Parameters: []function.Parameter{
			function.StringParameter{Name: "text", MarkdownDescription: aboutTemplate},
			// Each input has a type of its own.
			function.DynamicParameter{Name: "inputs", MarkdownDescription: aboutInputs},
		},
		VariadicParameter: optionsParameter(),
		Return:            function.MapReturn{ElementType: types.StringType},
	}
}

func (toscaFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
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
