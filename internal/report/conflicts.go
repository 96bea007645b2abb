package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// ofConflict are the effects by those of the attribute conflicts.
var ofConflict = map[string]changes.Effect{
	"take": changes.Take, "take-back": changes.Take, "set-back": changes.SetBack, "remove": changes.Remove,
}

// addConflicts adds the fields of the attribute conflicts that no warning is about.
func (o *Object) addConflicts() {
	for _, path := range slices.Sorted(maps.Keys(o.conflicts)) {
		conflict := mapIn(o.conflicts, path)
		effect, _ := conflict["effect"].(string)
		field := Field{Path: path, Effect: ofConflict[effect], From: "attributes"}
		if slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Path == path }) || field.Effect == "" {
			continue
		}
		if value, is := conflict["before"].(string); is {
			field.Was = &value
		}
		if value, is := conflict["after"].(string); is {
			field.Becomes = &value
		}
		for _, name := range slices.Sorted(maps.Keys(mapIn(conflict, "owners"))) {
			about, _ := mapIn(conflict, "owners")[name].(string)
			_, writes, _ := strings.Cut(about, ": ")
			_, subresource, _ := strings.Cut(writes, " ")
			field.Owners = append(field.Owners, reader.Owner{Name: name, Subresource: subresource})
		}
		o.list(field)
	}
}
