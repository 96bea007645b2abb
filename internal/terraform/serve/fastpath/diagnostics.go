package fastpath

import (
	"context"
	"sort"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var severities = map[diag.Severity]tfprotov6.DiagnosticSeverity{
	diag.SeverityError: tfprotov6.DiagnosticSeverityError, diag.SeverityWarning: tfprotov6.DiagnosticSeverityWarning,
}

// diagnostics returns diagnostics as the protocol has them.
func diagnostics(ctx context.Context, from diag.Diagnostics) []*tfprotov6.Diagnostic {
	var out []*tfprotov6.Diagnostic
	for _, d := range from {
		converted := &tfprotov6.Diagnostic{Severity: severities[d.Severity()], Summary: d.Summary(), Detail: d.Detail()}
		if at, has := d.(diag.DiagnosticWithPath); has {
			converted.Attribute = attributePath(ctx, at.Path())
		}
		out = append(out, converted)
	}
	return out
}

func unencodable(err error) *tfprotov6.Diagnostic {
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: "Unable to Encode the Answer",
		Detail: "The answer cannot be encoded: " + err.Error() + ".\n\nThis is a defect of the provider.",
	}
}

// attributePaths returns paths as the protocol has them, each once, in the framework's order.
func attributePaths(ctx context.Context, paths path.Paths) []*tftypes.AttributePath {
	var out []*tftypes.AttributePath
	sort.Slice(paths, func(i, j int) bool { return paths[i].String() < paths[j].String() })
	for i, p := range paths {
		if i == 0 || !p.Equal(paths[i-1]) {
			out = append(out, attributePath(ctx, p))
		}
	}
	return out
}

func attributePath(ctx context.Context, p path.Path) *tftypes.AttributePath {
	var steps []tftypes.AttributePathStep
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			steps = append(steps, tftypes.AttributeName(step))
		case path.PathStepElementKeyInt:
			steps = append(steps, tftypes.ElementKeyInt(step))
		case path.PathStepElementKeyString:
			steps = append(steps, tftypes.ElementKeyString(step))
		case path.PathStepElementKeyValue:
			value, err := step.ToTerraformValue(ctx)
			if err != nil {
				return nil
			}
			steps = append(steps, tftypes.ElementKeyValue(value))
		}
	}
	return tftypes.NewAttributePathWithSteps(steps)
}
