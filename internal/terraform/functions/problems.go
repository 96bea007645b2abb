package functions

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

type problemsFunction struct{ folder openapi.Folder }

// NewProblems returns a function that makes the function problems, which reads schemas from a folder; "" for none.
func NewProblems(folder string) func() function.Function {
	return func() function.Function { return problemsFunction{openapi.Folder(folder)} }
}

func (problemsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "problems"
}

// problem is an element of the result.
type problem struct {
	Object  string `tfsdk:"object"`
	Path    string `tfsdk:"path"`
	Line    int64  `tfsdk:"line"`
	Message string `tfsdk:"message"`
}

var problemType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"object": types.StringType, "path": types.StringType, "line": types.Int64Type, "message": types.StringType,
}}

func (problemsFunction) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Lists what in a text with manifests does not fit the schemas of a cluster, without the cluster",
		MarkdownDescription: "Returns a list of problems, which is empty if everything fits. Each has the `object`, " +
			"the `path` of a field, the `line` of the text, and a `message`, without values. The schemas are in the " +
			"folder that the environment variable `K8SCONNECT_SCHEMAS` names, as `terraform-provider-k8sconnect " +
			"schemas` writes them. Without the variable, nothing is checked, and the function returns `null`, so " +
			"that `length(...)` of it is an error: write `coalesce(..., [])` where that is fine. A kind without a " +
			"schema, or whose definition is in the text, has no problems. In an item of a `List`, the line is that of the item.\n\n" +
			"A text that is not valid YAML is an error. See [Validation without a cluster](../guides/validation.md)." +
			"\n\n" + needs,
		Parameters: []function.Parameter{textParameter()},
		Return:     function.ListReturn{ElementType: problemType},
	}
}

func (f problemsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	if f.folder == "" {
		resp.Error = resp.Result.Set(ctx, types.ListNull(problemType))
		return
	}
	all, err := manifest.ParseAll(text)
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	if _, err := f.folder.Version(); err != nil {
		resp.Error = function.NewFuncError("K8SCONNECT_SCHEMAS: " + strings.TrimSuffix(err.Error(), "."))
		return
	}
	found, defined := []problem{}, map[schema.GroupKind]bool{}
	for _, located := range all {
		defined[located.Defines()] = true
	}
	for _, located := range all {
		if defined[located.GroupKind()] {
			continue // The files may have an older definition.
		}
		kind, err := f.folder.Kind(schema.FromAPIVersionAndKind(located.APIVersion, located.Kind))
		if err != nil {
			resp.Error = function.NewFuncError(err.Error())
			return
		}
		if kind != nil {
			found = append(found, problemsOf(kind, located)...)
		}
	}
	resp.Error = resp.Result.Set(ctx, found)
}

func problemsOf(kind *openapi.Kind, located manifest.Located) []problem {
	lines := manifest.LinesOf(located.Text)
	var found []problem
	for _, p := range kind.Check(located.Object, openapi.Whole) {
		line := located.Position.Line
		if located.Position.Items == nil { // The text of an item is written again.
			line += lines.Of(p.At) - lines.Of(nil)
		}
		found = append(found, problem{located.String(), p.Field, int64(line), invalid.ProblemText(p)})
	}
	return found
}
