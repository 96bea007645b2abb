package actions

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/action"
)

func TestProgressEndsWithTheAction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var sent []string
	progress := progressReport{send: func(event action.InvokeProgressEvent) { sent = append(sent, event.Message) }, cancelled: ctx.Err}
	for _, text := range []string{"Started", "Started", "", "0 of 1\npods\x1b]0;x\a"} {
		progress.sendOnce(text)
	}
	cancel()
	progress.sendOnce("1 of 1 pods")
	if diff := cmp.Diff([]string{"Started", `0 of 1 pods\x1b]0;x\x07`}, sent); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}
