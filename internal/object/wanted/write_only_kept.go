package wanted

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// KeepsWriteOnly reports whether there are write-only fields whose version is that of the last apply: an apply does not
// change those of them that we still own.
func KeepsWriteOnly(a arguments.Arguments, prior record.Prior) bool {
	return len(keptWriteOnly(a, prior)) > 0
}

// keptWriteOnly returns the write-only fields of the last apply that the arguments contain in the same version.
func keptWriteOnly(a arguments.Arguments, prior record.Prior) []projection.NamedValue {
	if a.WriteOnly.Version != prior.Arguments.WriteOnly.Version || prior.Snapshot.AppliedState == "" {
		return nil
	}
	var kept []projection.NamedValue
	for _, field := range a.WriteOnly.Fields {
		if !slices.Contains(prior.Snapshot.WriteOnly, field) {
			continue
		}
		for _, pattern := range paths.PatternsOf([]string{field}) {
			kept = append(kept, projection.Named(a.Manifest.Object, pattern)...)
		}
	}
	return kept
}

// SentWriteOnly returns the patterns of the write-only fields whose value in the configuration an apply sends: their
// version is new, or we lost them. It looks only at the snapshot, which both of Terraform's plans know.
func SentWriteOnly(a arguments.Arguments, prior record.Prior) paths.Patterns {
	own := record.AsData(prior.Object, prior.Snapshot.Claims.Own(prior.PreviousManager(a.FieldManager)))
	declared := paths.OrEmpty(prior.Snapshot.Fields.Declared)
	var kept []string
	for _, field := range keptWriteOnly(a, prior) {
		if owned := partsAt(field.Path, own); !owned.Empty() && owned.Equals(partsAt(field.Path, declared)) {
			kept = append(kept, paths.Format(field.Path))
		}
	}
	return paths.PatternsOf(slices.DeleteFunc(slices.Clone(a.WriteOnly.Fields), func(field string) bool {
		return slices.Contains(kept, field)
	}))
}

// WithLiveWriteOnly returns the arguments with the live values of the write-only fields whose version is that of the
// last apply and that we still own. An apply then changes none of them. A field without a value, and a field that
// another manager took from us, keep the value of the configuration. unsent are the fields whose value in the
// configuration differs from the live value, sorted. live is the object of prior, with its managedFields.
func WithLiveWriteOnly(
	a arguments.Arguments, prior record.Prior, live map[string]any,
) (kept arguments.Arguments, unsent []string, err error) {
	claims, err := record.ClaimsOf(prior.Object, &unstructured.Unstructured{Object: live})
	if err != nil {
		return a, nil, err
	}
	own := record.AsData(prior.Object, claims.Own(prior.PreviousManager(a.FieldManager)))
	declared := paths.OrEmpty(prior.Unmasked(live).Snapshot.Fields.Declared)
	for _, field := range keptWriteOnly(a, prior) {
		value, is := heldValue(live, field.Path, own, declared)
		if !is {
			continue
		}
		if !IsLike(field.Value, value) {
			unsent = append(unsent, paths.Format(field.Path))
		}
		a.Manifest.Object = projection.Replace(a.Manifest.Object, field.Path, value)
	}
	slices.Sort(unsent)
	return a, unsent, nil
}

// heldValue returns the live value of a field, without what other managers own of it; false if we own less of it than
// declared, or if a part of it has no value.
func heldValue(live map[string]any, field paths.Path, own, declared *paths.Set) (any, bool) {
	owned, wanted := partsAt(field, own), partsAt(field, declared)
	if owned.Empty() || !owned.Equals(wanted) || !projection.WithoutValues(live, owned).Empty() {
		return nil, false
	}
	value, presence := projection.Lookup(projection.Extract(live, projection.WithItemKeys(live, owned)), field)
	return value, presence == projection.Present
}

// partsAt returns the members of fields at and below a field. Without any, it returns the atomic field around it.
func partsAt(field paths.Path, fields *paths.Set) *paths.Set {
	parts := paths.Filter(fields, func(path paths.Path) bool {
		return len(path) >= len(field) && path[:len(field)].Equals(field)
	})
	if !parts.Empty() {
		return parts
	}
	return paths.Filter(fields.Leaves(), func(path paths.Path) bool {
		return len(path) < len(field) && field[:len(path)].Equals(path)
	})
}

// IsLike reports whether a live value equals that of a configuration, apart from fields that the server filled in and
// the spelling of quantities.
func IsLike(given, live any) bool {
	switch given := given.(type) {
	case map[string]any:
		values, isMap := live.(map[string]any)
		for name, value := range given {
			if isMap = isMap && IsLike(value, values[name]); !isMap {
				return false
			}
		}
		return isMap
	case []any:
		items, isList := live.([]any)
		return isList && len(items) == len(given) && !slices.ContainsFunc(given, func(value any) bool {
			return !slices.ContainsFunc(items, func(item any) bool { return IsLike(value, item) })
		})
	case nil:
		return live == nil
	}
	if projection.Fingerprint(given) == projection.Fingerprint(live) {
		return true
	}
	one, isText := given.(string)
	other, isOther := live.(string)
	a, err := resource.ParseQuantity(one)
	b, failed := resource.ParseQuantity(other)
	return isText && isOther && err == nil && failed == nil && a.Cmp(b) == 0
}
