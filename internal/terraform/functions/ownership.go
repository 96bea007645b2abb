package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

func parseManagedFields() provided {
	return provided{
		name: "parse_managed_fields", summary: "Reads the owners of each field from managedFields",
		parameters: []function.Parameter{yamlParameter},
		returns:    function.MapReturn{ElementType: types.ListType{ElemType: reading.OwnerType()}}, run: readOwners,
	}
}

func readOwners(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
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

func annotateYAML() provided {
	return provided{
		name: "annotate_yaml", summary: "Adds the owners of each line to the YAML of an object",
		parameters: []function.Parameter{yamlParameter}, returns: function.StringReturn{}, run: annotate,
	}
}

func annotate(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
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
