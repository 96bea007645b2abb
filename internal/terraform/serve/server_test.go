package serve

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// The memory that the context of a call holds is free when the call is over, though the provider goes on.
func TestServerLetsGoOfCalls(t *testing.T) {
	t.Parallel()
	const nothing = "k8sconnect_nothing"
	server := NewServer("test")()
	calls := map[string]func(context.Context) error{
		"ValidateResourceConfig": func(ctx context.Context) error {
			_, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: nothing})
			return err
		},
		"UpgradeResourceState": func(ctx context.Context) error {
			_, err := server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{TypeName: nothing})
			return err
		},
		"UpgradeResourceIdentity": func(ctx context.Context) error {
			_, err := server.UpgradeResourceIdentity(ctx, &tfprotov6.UpgradeResourceIdentityRequest{TypeName: nothing})
			return err
		},
		"ReadResource": func(ctx context.Context) error {
			_, err := server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: nothing})
			return err
		},
		"PlanResourceChange": func(ctx context.Context) error {
			_, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: nothing})
			return err
		},
		"ApplyResourceChange": func(ctx context.Context) error {
			_, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: nothing})
			return err
		},
		"ImportResourceState": func(ctx context.Context) error {
			_, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: nothing})
			return err
		},
		"ValidateDataResourceConfig": func(ctx context.Context) error {
			_, err := server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: nothing})
			return err
		},
		"ReadDataSource": func(ctx context.Context) error {
			_, err := server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: nothing})
			return err
		},
		"ValidateListResourceConfig": func(ctx context.Context) error {
			_, err := server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: nothing})
			return err
		},
		"ValidateActionConfig": func(ctx context.Context) error {
			_, err := server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: nothing})
			return err
		},
		"PlanAction": func(ctx context.Context) error {
			_, err := server.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: nothing})
			return err
		},
		"CallFunction": func(ctx context.Context) error {
			_, err := server.CallFunction(ctx, &tfprotov6.CallFunctionRequest{Name: nothing})
			return err
		},
	}
	const times = 20
	for name, call := range calls {
		var freed atomic.Int32
		for range times {
			load := new([1 << 10]byte)
			runtime.AddCleanup(load, func(struct{}) { freed.Add(1) }, struct{}{})
			ctx, cancel := context.WithCancel(context.WithValue(t.Context(), loadKey{}, load))
			if err := call(ctx); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cancel()
		}
		for deadline := time.Now().Add(10 * time.Second); freed.Load() < times-1 && time.Now().Before(deadline); {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if got := freed.Load(); got < times-1 {
			t.Errorf("%s: what %d of %d contexts hold is free", name, got, times)
		}
	}
}

type loadKey struct{}

// While a call lasts, its context is the caller's; afterwards it is an ended one.
func TestCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), loadKey{}, "here"), time.Hour)
	defer cancel()
	var kept context.Context
	_, err := withReleasedContext(ctx, "request", func(inner context.Context, request string) (string, error) {
		kept = inner
		want, _ := ctx.Deadline()
		if got, has := inner.Deadline(); !has || got != want || inner.Value(loadKey{}) != "here" || request != "request" || inner.Err() != nil {
			t.Errorf("the call is of %v until %v: %v", inner.Value(loadKey{}), got, inner.Err())
		}
		cancel()
		<-inner.Done()
		return "", inner.Err()
	})
	if err != context.Canceled { //nolint:errorlint // exactly what a context says
		t.Errorf("the call ends with %v", err)
	}
	if kept.Value(loadKey{}) != nil || kept.Err() == nil {
		t.Errorf("after the call its context holds %v: %v", kept.Value(loadKey{}), kept.Err())
	}
}
