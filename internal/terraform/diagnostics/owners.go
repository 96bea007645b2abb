package diagnostics

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// Owners lists managers, each with its tool if that is well known, and with the age of its last write unless now is the
// zero time.
func Owners(all []ownership.Holder, now time.Time) string {
	texts := make([]string, len(all))
	for i, manager := range all {
		texts[i] = manager.String()
		if who := knownOf(manager, now); who != "" {
			texts[i] += " (" + who + ")"
		}
	}
	return strings.Join(texts, " and ")
}

// knownOf returns what is known about a manager, and the age of its last write.
func knownOf(manager ownership.Holder, now time.Time) string {
	var facts []string
	if known := manager.KnownAs(); known != "" {
		facts = append(facts, known)
	}
	if !now.IsZero() && !manager.Time.IsZero() {
		facts = append(facts, "last write "+duration.HumanDuration(max(0, now.Sub(manager.Time)))+" ago")
	}
	return strings.Join(facts, ", ")
}
