package cluster

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/wait"
)

var pauses = wait.Backoff{Duration: time.Second, Factor: 2, Steps: 10, Cap: 5 * time.Second}

func TestPausesGrowUpToTheirCap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		began := time.Now()
		err := Retry(t.Context(), pauses, func(pause time.Duration) bool {
			told = append(told, pause)
			return len(told) < 6
		})
		want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second}
		if diff := cmp.Diff(want, told); err != nil || diff != "" {
			t.Errorf("%v, pauses (-want +got):\n%s", err, diff)
		}
		if spent := time.Since(began); spent != 17*time.Second {
			t.Errorf("spent %s", spent)
		}
	})
}

func TestContextEndsThePause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		attempts := 0
		err := Retry(ctx, pauses, func(time.Duration) bool { attempts++; return true })
		if !errors.Is(err, context.DeadlineExceeded) || attempts != 2 {
			t.Errorf("%d attempts ended with %v", attempts, err)
		}
	})
}
