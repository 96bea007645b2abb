package functions

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

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

func problemsFunction(folder openapi.Folder) provided {
	return provided{
		name:       "problems",
		summary:    "Lists what in a text with manifests does not fit the schemas of a cluster, without the cluster",
		parameters: []function.Parameter{textParameter}, returns: function.ListReturn{ElementType: problemType},
		run: func(get getter) (any, error) { return listProblems(folder, get) },
	}
}

func listProblems(folder openapi.Folder, get getter) (any, error) {
	var text string
	if err := get(&text); err != nil {
		return nil, err
	}
	if folder == "" {
		return types.ListNull(problemType), nil
	}
	all, err := manifest.ParseAll(text)
	if err != nil {
		return nil, err
	}
	if _, err := folder.Version(); err != nil {
		return nil, function.NewFuncError("K8SCONNECT_SCHEMAS: " + strings.TrimSuffix(err.Error(), ".") +
			". Name a folder that terraform-provider-k8sconnect schemas --out FOLDER has written")
	}
	found, defined := []problem{}, map[schema.GroupKind]bool{}
	for _, located := range all {
		defined[located.Defines()] = true
	}
	for _, located := range all {
		if defined[located.GroupKind()] {
			continue // The files may have an older definition.
		}
		kind, err := folder.Kind(schema.FromAPIVersionAndKind(located.APIVersion, located.Kind))
		if err != nil {
			return nil, function.NewFuncError(err.Error())
		}
		if kind != nil {
			found = append(found, problemsOf(kind, located)...)
		}
	}
	return found, nil
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
