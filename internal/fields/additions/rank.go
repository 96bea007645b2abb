package additions

import "slices"

// ranks are the names of fields, those first that matter most to who reads a list of additions: what runs, what it may
// see of its node, what it may do, what it reads, and how it is started.
var ranks = [][]string{
	{"containers", "initContainers", "ephemeralContainers"},
	{"hostNetwork", "hostPID", "hostIPC", "hostUsers"},
	{
		"securityContext", "serviceAccountName", "automountServiceAccountToken", "rules", "subjects", "roleRef",
		"finalizers", "ownerReferences",
	},
	{"volumes", "volumeMounts", "volumeDevices"},
	{"env", "envFrom", "command", "args", "image", "lifecycle"},
}

// Rank returns the place of the addition in a list: 0 is the most dangerous. An item is ranked by its list, and a field
// of an item by its own name.
func (a Addition) Rank() int {
	path := a.Path
	for length := len(path); length > 0; length-- {
		name := path[length-1].FieldName
		if name == nil {
			continue
		}
		for rank, names := range ranks {
			if slices.Contains(names, *name) {
				return rank
			}
		}
	}
	return len(ranks)
}
