package additions

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// Shown is an addition as attributes show it.
type Shown struct {
	// Value is the value of the field, as managed_state shows values; nil while it is not known.
	Value *string
	// Owners are the kind of each manager, how and when it wrote, by its name.
	Owners map[string]string
}

// ByField are additions by the strings of their fields. It is nil without any.
type ByField map[string]Shown

// Named is an addition with its field and value as strings that tell no secret.
type Named struct {
	Addition
	Field string
	// Value is the value of the field, as managed_state shows values; nil while it is not known.
	Value *string
}

// Values returns the value of a field; nil if it is not known.
type Values func(path paths.Path, field string) *string

// Name returns additions with their fields and values.
func Name(found []Addition, names rendering.Formatter, values Values) []Named {
	var all []Named
	for _, addition := range found {
		field := names.Format(addition.Path)
		all = append(all, Named{Addition: addition, Field: field, Value: values(addition.Path, field)})
	}
	return all
}

// Show returns additions as attributes show them. before is what they showed until now: the times of writes stay as
// long as value and owners do, because each write of a manager moves the time of all its fields.
func Show(found []Named, before ByField) ByField {
	if len(found) == 0 {
		return nil
	}
	all := ByField{}
	for _, addition := range found {
		now, has := all[addition.Field] // Another item of a list whose items are secret.
		if !has {
			now = Shown{Value: addition.Value, Owners: map[string]string{}}
		}
		for _, owner := range addition.Owners {
			now.Owners[owner.Name] = joined(now.Owners[owner.Name], wrote(owner))
		}
		all[addition.Field] = now
	}
	for field, now := range all {
		if was, has := before[field]; has && was.same(now) {
			now.Owners = was.Owners
			all[field] = now
		}
	}
	return all
}

// ValuesOf returns the values of the fields of an object as strings that tell no secret.
func ValuesOf(live map[string]any, renderer rendering.Renderer) Values {
	reader := projection.NewReader(live)
	return func(path paths.Path, _ string) *string {
		value, _ := reader.Lookup(path)
		text := renderer.Text(path, value)
		if len(renderer.RedactedPath(path)) < len(path) {
			text = rendering.Redacted
		}
		return &text
	}
}

func (s Shown) same(now Shown) bool {
	sameValue := s.Value != nil && (now.Value == nil || *s.Value == *now.Value)
	return sameValue && slices.Equal(slices.Sorted(maps.Keys(s.Owners)), slices.Sorted(maps.Keys(now.Owners)))
}

func joined(before, text string) string {
	switch {
	case before == "":
		return text
	case strings.Contains(before, text):
		return before
	}
	return before + ", " + text
}

// wrote returns the kind of a manager, and how and when it wrote: "person: Update at 2026-11-28T09:30:00Z".
func wrote(owner ownership.Holder) string {
	text := strings.TrimSpace(owner.Writer().String() + ": " + string(owner.Operation) + " " + owner.Subresource)
	if owner.Time.IsZero() {
		return text
	}
	return text + " at " + owner.Time.UTC().Format(time.RFC3339)
}

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
