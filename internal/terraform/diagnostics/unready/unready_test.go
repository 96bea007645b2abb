package unready

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
)

func TestHookFailedSaysWhatBecomesOfIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		removed, interrupted bool
		want                 string
	}{
		{false, false, "It goes on."},
		{true, false, "Its policy hook-failed deletes it."},
		{true, true, "It goes on."},
	} {
		text := HookFailed("pre-install", &waiting.NotReadyError{Interrupted: test.interrupted}, test.removed).Detail()
		if !strings.Contains(text, test.want) {
			t.Errorf("%q is not in:\n%s", test.want, text)
		}
	}
}
