package ssa

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"

// RepeatedConflicts counts how often in a row our applies took the same field back from the same manager.
type RepeatedConflicts map[string]int

// opponents returns the key of a field and a manager, in the words of the API server's conflicts.
func opponents(field, manager string) string { return field + " " + manager }

// with returns how often a field was taken back from the worst of these managers.
func (f RepeatedConflicts) with(field string, managers []ownership.Holder) int {
	most := 0
	for _, manager := range managers {
		most = max(most, f[opponents(field, manager.String())])
	}
	return most
}

// next returns the count after an apply: a field that it did not have to take back is at peace.
func (f RepeatedConflicts) next(changes []Change, overwritten []Overwritten) RepeatedConflicts {
	next := RepeatedConflicts{}
	again := func(field, manager string) {
		key := opponents(field, manager)
		next[key] = f[key] + 1
	}
	for _, change := range changes {
		if change.Transition != ownership.Retaking {
			continue
		}
		for _, manager := range change.Others {
			again(change.Field, manager.String())
		}
	}
	for _, field := range overwritten {
		again(field.Field, field.By)
	}
	return next
}
