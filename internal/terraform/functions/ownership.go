package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

type parseManagedFields struct{}

// NewParseManagedFields returns the function parse_managed_fields.
func NewParseManagedFields() function.Function { return parseManagedFields{} }

func (parseManagedFields) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_managed_fields"
}

func (parseManagedFields) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Reads the owners of each field from managedFields",
		MarkdownDescription: "Maps the path of each field that a manager owns to its owners, in the API server's " +
			"order: objects with `manager`, `operation`, `subresource`, `api_version` and `time`. `subresource` and " +
			"`time` are null if the entry has none. Fields under `status` are included.\n\n" + needs,
		Parameters: []function.Parameter{function.StringParameter{
			Name: "yaml",
			MarkdownDescription: "`metadata.managedFields` of an object as YAML or JSON, or the whole object, as " +
				"`kubectl get -o yaml --show-managed-fields` prints it.",
		}},
		Return: function.MapReturn{ElementType: types.ListType{ElemType: reading.OwnerType()}},
	}
}

func (parseManagedFields) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	entries, err := blame.ParseEntries(text)
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	owners, err := blame.Owners(entries)
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	shown := make(map[string][]reading.Owner, len(owners))
	for path, of := range owners {
		shown[path] = reading.Owners(of)
	}
	resp.Error = resp.Result.Set(ctx, shown)
}

type annotateYAML struct{}

// NewAnnotateYAML returns the function annotate_yaml.
func NewAnnotateYAML() function.Function { return annotateYAML{} }

func (annotateYAML) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "annotate_yaml"
}

func (annotateYAML) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Adds the owners of each line to the YAML of an object",
		MarkdownDescription: "The object as YAML without `metadata.managedFields`, with the owners of each line in a " +
			"comment: the text of `annotated_yaml` of the data source `k8sconnect_field_ownership`. The status is " +
			"included if the object has one; the data of Secrets are shown as `(sensitive)`, strings over 4 KiB as " +
			"digests.\n\n" + needs,
		Parameters: []function.Parameter{function.StringParameter{
			Name: "yaml",
			MarkdownDescription: "One object with `metadata.managedFields` as YAML or JSON, as `kubectl get -o yaml " +
				"--show-managed-fields` prints it.",
		}},
		Return: function.StringReturn{},
	}
}

func (annotateYAML) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	object, entries, err := blame.ParseObject(text)
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	report, err := blame.Read(object, entries, blame.Query{Status: blame.WithStatus})
	if err != nil {
		resp.Error = wrong(err)
		return
	}
	resp.Error = resp.Result.Set(ctx, report.AnnotatedYAML)
}
