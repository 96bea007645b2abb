// Package waits defines the attributes with which a resource or a data source waits until an object is ready, below
// wait or at the top level, and reports how a wait has ended.
package waits

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Wait is a wait as described by the arguments.
type Wait struct {
	// Goal has no judge for until = "exists".
	waiting.Goal
	OnFailure OnFailure
	// SeesCompletion is true if the wait for a Job does not end with success before the Job has.
	SeesCompletion bool
	// Fields are the paths of fields that the wait waits for.
	Fields []string
}

// OnFailure is the reaction to an object that does not become ready, as the configuration writes it.
type OnFailure string

// The ways to go on. Each but Reports is an error.
const (
	// Fails: the state stays as it was before an update, and a created object is tainted.
	Fails OnFailure = "fail"
	// Reports: a warning.
	Reports OnFailure = "report"
	// Replaces: as Fails, and the next apply replaces an object that a failed create leaves behind.
	Replaces OnFailure = "replace"
	// Undoes: what an update has changed is set back. After a create as Fails.
	Undoes OnFailure = "undo"
)

// Arguments are the arguments of a block that only waits. Models embed them.
type Arguments struct {
	Until      types.String `tfsdk:"until"`
	Conditions types.Map    `tfsdk:"conditions"`
	Fields     types.Map    `tfsdk:"fields"`
	OnFailure  types.String `tfsdk:"on_failure"`
	Logs       types.Int64  `tfsdk:"logs"`
}

// Wait returns the Wait that the arguments describe. An error is a *readiness.InputError.
func (a Arguments) Wait() (Wait, error) {
	return Of(map[string]attr.Value{
		"until": a.Until, "conditions": a.Conditions, "fields": a.Fields, "on_failure": a.OnFailure, "logs": a.Logs,
	})
}

// Of returns the Wait that arguments describe, given by their names: those of the attribute wait, or those of the
// resource itself. An error is a *readiness.InputError.
func Of(given map[string]attr.Value) (Wait, error) {
	text := func(name string) string {
		got, _ := given[name].(types.String)
		return got.ValueString()
	}
	var null error
	texts := func(name string) map[string]string {
		got, _ := given[name].(types.Map)
		elements, all := got.Elements(), map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(elements)) {
			value, _ := elements[key].(types.String)
			if all[key] = value.ValueString(); value.IsNull() {
				null = &readiness.InputError{
					Attribute: name, Key: key, Problem: "the value is null", Suggestion: "Remove it, or write a value.",
				}
			}
		}
		return all
	}
	conditions, fields := texts("conditions"), texts("fields")
	logs, _ := given["logs"].(types.Int64)
	wait := Wait{Fields: slices.Sorted(maps.Keys(fields))}
	wait.LogLines = int(logs.ValueInt64())
	wait.OnFailure = OnFailure(cmp.Or(text("on_failure"), string(Fails)))
	expected, err := readiness.Expect(conditions, fields)
	if err = cmp.Or(null, err); err != nil {
		return wait, err
	}
	switch {
	case len(conditions)+len(fields) > 0 && text("until") != "":
		return wait, &readiness.InputError{
			Attribute: "until", Problem: "conditions or fields say already what to wait for",
			Suggestion: "Remove one of them.",
		}
	case len(conditions)+len(fields) > 0:
		wait.Judge, wait.SeesCompletion = expected.Of, conditions["Complete"] == "True"
	case text("until") != "exists":
		wait.Judge, wait.SeesCompletion = readiness.Of, true
	}
	return wait, nil
}

// Report returns the diagnostics of a wait that has ended with err: a warning if the user may not watch the object, and
// the reasons why the object is not ready. outcome is the consequence for the resource. explain returns the diagnostic
// for any other error.
func Report(
	words diagnostics.Names, end waiting.Awaited, err error, outcome unready.Outcome,
	explain func(diagnostics.Operation, manifest.Identity, error) diag.Diagnostic,
) diag.Diagnostics {
	var diags diag.Diagnostics
	if end.Refusal != nil {
		diags.Append(unready.WatchRefused(end.Object, end.Refusal))
	}
	if err == nil {
		return diags
	}
	if notReady, is := errors.AsType[*waiting.NotReadyError](err); is {
		diags.Append(unready.NotReady(words, notReady, outcome))
	} else {
		diags.Append(explain(diagnostics.Followed, end.Object, err))
	}
	return diagnostics.Scrub(diags)
}

// Validate returns the errors about the arguments of a wait, which are attributes of at.
func Validate(at path.Path, given map[string]attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	if hasUnknown(given) {
		return diags
	}
	_, err := Of(given)
	if fault, is := errors.AsType[*readiness.InputError](err); is {
		name := fault.Error()
		if whole := at.String(); whole != "" {
			name = whole + "." + name
		}
		diags.Append(invalid.Wait(at.AtName(fault.Attribute), name))
	}
	return diags
}

type nestedValidator struct{ validators.Described }

func (nestedValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	resp.Diagnostics.Append(Validate(req.Path, req.ConfigValue.Attributes())...)
}

// hasUnknown reports whether an argument, or a part of one, is unknown.
func hasUnknown(given map[string]attr.Value) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(given)), func(part attr.Value) bool {
		all, _ := part.(types.Map)
		return part.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(all.Elements())),
			attr.Value.IsUnknown)
	})
}
