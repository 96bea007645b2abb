package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
)

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
