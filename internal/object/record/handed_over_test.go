package record

import (
	"strings"
	"testing"
)

// A claim is handed over once, under a name that the server allows.
func TestHandedOver(t *testing.T) {
	t.Parallel()
	for manager, want := range map[string]string{
		"k8sconnect":             "k8sconnect+unfinished",
		"k8sconnect+unfinished":  "k8sconnect+unfinished",
		strings.Repeat("m", 117): strings.Repeat("m", 117) + "+unfinished",
		strings.Repeat("m", 118): "",
	} {
		if got := HandedOver(manager); got != want {
			t.Errorf("%s: %q, want %q", manager, got, want)
		}
	}
}
