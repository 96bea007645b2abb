package worlds_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// form is how a configuration writes the fields of an object.
type form struct {
	// isObject is true if they are an object, not a string.
	isObject bool
	// hides says that the first plan does not know one value of the object, and which one.
	hides  bool
	hidden int
}

// vary gives each configuration a form. It has random numbers of its own, so that a seed gives the worlds that it gave before.
func vary(seed, world uint64, all []step) {
	r := rand.New(rand.NewPCG(seed, world+1<<32))
	for i := range all {
		all[i].configuration.form = form{isObject: r.IntN(2) == 0, hides: r.IntN(2) == 0, hidden: r.IntN(100)}
	}
}

// write sets the argument that has the fields of an object. unknown says that the value that the form hides is unknown.
func (f form) write(values map[string]tftypes.Value, fields map[string]any, unknown bool) error {
	if !f.isObject {
		written, err := yaml.Marshal(fields)
		values["yaml_body"] = text(string(written))
		return err
	}
	object, err := reading.Value(fields).ToTerraformValue(context.Background())
	if err != nil {
		return err
	}
	if unknown && f.hides {
		object, err = f.hide(object)
	}
	values["manifest"] = object
	return err
}

// hide makes one value of an object unknown, but none that names it.
func (f form) hide(object tftypes.Value) (tftypes.Value, error) {
	var leaves []*tftypes.AttributePath
	err := tftypes.Walk(object, func(path *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		isLeaf := value.Type().Is(tftypes.String) || value.Type().Is(tftypes.Number) || value.Type().Is(tftypes.Bool)
		if isLeaf && !value.IsNull() && !slices.Contains(naming, path.String()) {
			leaves = append(leaves, path)
		}
		return true, nil
	})
	if err != nil || len(leaves) == 0 {
		return object, err
	}
	slices.SortFunc(leaves, func(a, b *tftypes.AttributePath) int {
		return slices.Compare([]byte(a.String()), []byte(b.String()))
	})
	hidden := leaves[f.hidden%len(leaves)]
	return tftypes.Transform(object, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if path.Equal(hidden) {
			return tftypes.NewValue(value.Type(), tftypes.UnknownValue), nil
		}
		return value, nil
	})
}

// naming are the paths of what names an object.
var naming = []string{
	`AttributeName("apiVersion")`, `AttributeName("kind")`, `AttributeName("metadata").AttributeName("name")`, `AttributeName("metadata").AttributeName("namespace")`,
}

// parts returns the values in an object, a map, a tuple or a list; false for anything else, and for what is unknown or null.
func parts(value tftypes.Value) (map[string]tftypes.Value, bool) {
	var named map[string]tftypes.Value
	if value.IsNull() || !value.IsFullyKnown() && !value.IsKnown() {
		return nil, false
	}
	if value.As(&named) == nil {
		return maps.Clone(named), true
	}
	var items []tftypes.Value
	if !value.Type().Is(tftypes.Tuple{}) && !value.Type().Is(tftypes.List{}) || value.As(&items) != nil {
		return nil, false
	}
	named = map[string]tftypes.Value{}
	for i, item := range items {
		named[string(rune('0'+i))] = item
	}
	return named, true
}
