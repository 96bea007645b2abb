// Package validators contains the validators of single attributes: [OneOf], [NotEmpty], [Between] for values, [Each]
// for the elements of a list or set, and [Needs], [Excludes], [ExactlyOneOf] and [AtLeastOneOf] for attributes that
// depend on each other. Their errors are one sentence each, followed by advice.
package validators

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Described implements the methods of a validator, or of a plan modifier, that describe it.
type Described string

// Description implements validator.Describer.
func (d Described) Description(context.Context) string { return string(d) }

// MarkdownDescription implements validator.Describer.
func (d Described) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

// Text returns a validator of strings. problem returns a sentence about an invalid one and advice, and "" for a valid
// one. accepts describes the valid ones.
func Text(accepts string, problem func(text string) string) validator.String {
	return textValidator{Described(accepts), func(at path.Path, text string) string {
		if found := problem(text); found != "" {
			return nameOf(at) + ": " + found
		}
		return ""
	}}
}

type textValidator struct {
	Described
	// sentence returns the error about a string, and "" for a valid one.
	sentence func(at path.Path, text string) string
}

func (v textValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if sentence := v.sentence(req.Path, req.ConfigValue.ValueString()); sentence != "" {
		resp.Diagnostics.Append(invalid.Value(req.Path, sentence))
	}
}

// nameOf returns a path as messages show it. A set's element has no name of its own.
func nameOf(at path.Path) string {
	steps := at.Steps()
	if len(steps) > 0 {
		if _, isElement := steps[len(steps)-1].(path.PathStepElementKeyValue); isElement {
			return at.ParentPath().String()
		}
	}
	return at.String()
}

// NotEmpty accepts strings that are not empty.
func NotEmpty() validator.String {
	return Text("a string that is not empty", func(text string) string {
		if text == "" {
			return "the value is empty.\n\nWrite one."
		}
		return ""
	})
}

// OneOf accepts the given strings.
func OneOf(values ...string) validator.String {
	allowed := diagnostics.Alternatives(diagnostics.HCLStrings(values))
	return Text(allowed, func(text string) string {
		if slices.Contains(values, text) {
			return ""
		}
		return fmt.Sprintf("%s is not one of its values.\n\nWrite %s.", diagnostics.HCLString(text), allowed)
	})
}

// Checked returns a validator that accepts the strings in which check finds no problem. The problem follows a colon.
func Checked(what string, check func(text string) string) validator.String {
	return textValidator{Described(what), func(at path.Path, text string) string {
		if problem := check(text); problem != "" {
			return at.String() + " is not " + what + ": " + problem + "."
		}
		return ""
	}}
}

const durations = `a number with a unit, for example "30s", "10m" or "1h30m"`

// Duration accepts durations of more than zero.
func Duration() validator.String {
	return Text(durations, func(text string) string {
		duration, err := time.ParseDuration(text)
		var problem string
		switch {
		case err != nil:
			problem = " is not a duration in hours, minutes and seconds"
		case duration <= 0:
			problem = " is not more than zero"
		default:
			return ""
		}
		return diagnostics.HCLString(text) + problem + ".\n\nWrite " + durations + "."
	})
}

// Between accepts whole numbers from least to most.
func Between(least, most int64) validator.Int64 {
	accepts := fmt.Sprintf("a number from %d to %d", least, most)
	if most == math.MaxInt64 {
		accepts = fmt.Sprintf("%d or more", least)
	}
	return between{Described(accepts), least, most}
}

// AtLeast accepts whole numbers that are not less than least.
func AtLeast(least int64) validator.Int64 { return Between(least, math.MaxInt64) }

type between struct {
	Described
	least, most int64
}

func (b between) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	switch value := req.ConfigValue.ValueInt64(); {
	case value < b.least:
		resp.Diagnostics.Append(invalid.Value(req.Path, b.sentence(req.Path, value, "small")))
	case value > b.most:
		resp.Diagnostics.Append(invalid.Value(req.Path, b.sentence(req.Path, value, "large")))
	}
}

func (b between) sentence(at path.Path, value int64, what string) string {
	return fmt.Sprintf("%s: %d is too %s.\n\nWrite %s.", nameOf(at), value, what, b.Described)
}

// AtLeastFloat accepts numbers that are not less than least.
func AtLeastFloat(least float64) validator.Float64 {
	return atLeast{Described(fmt.Sprintf("%v or more", least)), least}
}

type atLeast struct {
	Described
	least float64
}

func (a atLeast) ValidateFloat64(_ context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueFloat64() >= a.least {
		return
	}
	resp.Diagnostics.Append(invalid.Value(req.Path, fmt.Sprintf(
		"%s: %v is too small.\n\nWrite %s.", nameOf(req.Path), req.ConfigValue.ValueFloat64(), a.Described)))
}
