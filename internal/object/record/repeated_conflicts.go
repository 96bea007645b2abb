package record

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"

// RepeatedConflicts counts how often in a row our applies took the same field back from the same manager.
type RepeatedConflicts map[string]int

func (o Opponent) key() string { return o.Field + " " + o.Manager }

// With returns the highest count that a field has with one of these managers.
func (f RepeatedConflicts) With(field string, managers []ownership.Holder) int {
	most := 0
	for _, manager := range managers {
		most = max(most, f[Opponent{field, manager.String()}.key()])
	}
	return most
}

// Opponent is a manager from which an apply took a field back.
type Opponent struct {
	Field string
	// Manager is written as the API server's conflicts write it.
	Manager string
}

// Next returns the count after an apply that took fields back from opponents. All other counts end.
func (f RepeatedConflicts) Next(opponents []Opponent) RepeatedConflicts {
	next := RepeatedConflicts{}
	for _, o := range opponents {
		next[o.key()] = f[o.key()] + 1
	}
	return next
}
