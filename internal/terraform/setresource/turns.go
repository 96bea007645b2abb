package setresource

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/stages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// inOrder calls work for all members, stage by stage, and in each stage for many at a time. A stage begins when each
// member of the one before it is done or waits.
func inOrder(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stages.Stage { return m.stage }, true, work)
}

// inReverse calls work for all members from the last stage to the first. A stage begins when all members of the one
// before it are done.
func inReverse(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stages.Stage { return -m.stage }, false, work)
}

// unordered calls work for all members: for those first that other objects are in or of.
func unordered(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stages.Stage { return min(m.stage, stages.Definitions+1) }, false, work)
}
