package serve

import (
	"bytes"
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// private is the private state of one request.
type private struct{ stored, opened []byte }

// open returns the private state that a state or a plan holds. The diagnostics have an error if it cannot be read.
func open(stored []byte) (private, []*tfprotov6.Diagnostic) {
	opened, err := privatestate.Open(stored)
	if err != nil {
		return private{}, []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError,
			Summary:  "Unreadable Private State",
			Detail: "The provider's record of the object cannot be read: " + err.Error() + ".\n\n" +
				"If a newer version of the provider wrote the state, use that version. Otherwise run terraform " +
				"state rm, and import the object.",
		}}
	}
	return private{stored: stored, opened: opened}, nil
}

// seal returns the private state of the answer. Unchanged private state keeps its stored bytes: an unchanged object
// must not change the state.
func (p private) seal(answered []byte) []byte {
	if bytes.Equal(answered, p.opened) {
		return p.stored
	}
	return privatestate.Seal(answered)
}

func (s server) ReadResource(
	ctx context.Context, request *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	bounded, release := s.stoppable(ctx)
	defer release()
	if answer, done := s.ahead.Read(bounded, request); done {
		locate(answer)
		return answer, nil
	}
	was, faults := open(request.Private)
	if faults != nil {
		return &tfprotov6.ReadResourceResponse{NewState: request.CurrentState, Private: request.Private,
			Diagnostics: faults}, nil
	}
	opened := *request
	opened.Private = was.opened
	resp, err := withReleasedContext(ctx, &opened, s.Server.ReadResource)
	if resp != nil {
		resp.Private = was.seal(resp.Private)
	}
	return resp, err
}

func (s server) PlanResourceChange(
	ctx context.Context, request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	bounded, release := s.stoppable(ctx)
	defer release()
	if answer, done := s.ahead.Plan(bounded, request); done {
		locate(answer)
		return answer, nil
	}
	was, faults := open(request.PriorPrivate)
	if faults != nil {
		return &tfprotov6.PlanResourceChangeResponse{Diagnostics: faults}, nil
	}
	opened := *request
	opened.PriorPrivate = was.opened
	resp, err := withReleasedContext(ctx, &opened, s.Server.PlanResourceChange)
	if resp != nil {
		resp.PlannedPrivate = was.seal(resp.PlannedPrivate)
	}
	return resp, err
}

func (s server) ApplyResourceChange(
	ctx context.Context, request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	was, faults := open(request.PlannedPrivate)
	if faults != nil {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: request.PriorState, Private: request.PlannedPrivate,
			Diagnostics: faults}, nil
	}
	opened := *request
	opened.PlannedPrivate = was.opened
	resp, err := withReleasedContext(ctx, &opened, s.Server.ApplyResourceChange)
	if resp != nil {
		resp.Private = was.seal(resp.Private)
	}
	return resp, err
}

func (s server) ImportResourceState(
	ctx context.Context, request *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := withReleasedContext(ctx, request, s.Server.ImportResourceState)
	if resp != nil {
		for _, imported := range resp.ImportedResources {
			imported.Private = privatestate.Seal(imported.Private)
		}
	}
	return resp, err
}

func (s server) MoveResourceState(
	ctx context.Context, request *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	resp, err := withReleasedContext(ctx, request, s.Server.MoveResourceState)
	if resp != nil {
		resp.TargetPrivate = privatestate.Seal(resp.TargetPrivate)
	}
	return resp, err
}

// blocks are the nested blocks of the schemas.
var blocks = map[tftypes.AttributePathStep]bool{tftypes.AttributeName("timeouts"): true}

// locate changes the paths in the diagnostics of an answer to a form for which the CLI prints the line of the argument.
// The CLI finds an attribute, the value at a key of an attribute, and the content of a block. For a path that goes on
// from an attribute by a name, as the framework writes them, or that is deeper, it prints the first line of the
// resource.
func locate(answer any) {
	of := reflect.ValueOf(answer)
	if of.Kind() != reflect.Pointer || of.IsNil() {
		return
	}
	field := of.Elem().FieldByName("Diagnostics")
	if !field.IsValid() {
		return
	}
	diagnostics, _ := field.Interface().([]*tfprotov6.Diagnostic)
	for _, d := range diagnostics {
		steps := d.Attribute.Steps()
		if len(steps) < 2 || blocks[steps[0]] {
			continue
		}
		inside := steps[1]
		if name, is := inside.(tftypes.AttributeName); is {
			inside = tftypes.ElementKeyString(name)
		}
		d.Attribute = tftypes.NewAttributePathWithSteps([]tftypes.AttributePathStep{steps[0], inside})
	}
}
