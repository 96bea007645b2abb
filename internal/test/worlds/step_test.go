package worlds_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// step is one round: others write, then the user plans and applies a configuration, and other managers may write in
// between.
type step struct {
	number          int
	before, between []write
	configuration   configuration
	// imports says that an object that exists is imported, not adopted.
	imports bool
	// edition is what the definition of the kind says at this step.
	edition edition
}

// configuration is the resource block of the user.
type configuration struct {
	fields         []choice
	ignore         []string
	sensitive      []string
	ignoreManagers []string
	takeOver       []string
	fieldManager   string
	onConflict     string
	// pin are the paths of pin_fields, those included that another argument decides about by now; see pinned.
	pin   []string
	repin string
	// limits are those of list_lengths; see lengths.
	limits map[string]int
	// form is how the fields are written.
	form form
	// version is the base of the manifest in another version of the kind; "" without one.
	version string
	// undoes is true if the resource waits for what does not happen, and then undoes the apply.
	undoes bool
	// byRules are the arguments that a rule of the provider block has instead of the resource.
	byRules []string
}

// write is one request of another client.
type write struct {
	manager string
	how     method
	// version is the base of the manifest that is applied.
	version string
	fields  []choice
	cut     []string
	scale   int64
}

type method string

const (
	apply  method = "apply"
	forced method = "apply --force-conflicts"
	update method = "update"
	merge  method = "merge patch"
	scale  method = "scale"
	forget method = "remove managedFields of"
	create method = "create"
	rekey  method = "change the key"
	remove method = "delete"
	// deadVersion and deadField have an entry of managedFields name a version and a field that are not served.
	deadVersion method = "rename the version of"
	deadField   method = "add a field that no schema has to"
)

// steps returns the same for the same numbers.
func steps(k kind, seed, world uint64, count int) []step {
	r := random{Rand: rand.New(rand.NewPCG(seed, world)), kind: k}
	all := make([]step, count)
	next := configuration{fields: r.choose(k.fields, 4)}
	for range r.IntN(3) {
		next.pin = toggled(next.pin, pick(r, k.pinnable...))
	}
	for i := range all {
		all[i] = step{number: i + 1, configuration: next.clone()}
		if i > 0 {
			all[i].before = r.writes(3)
		}
		if i > 0 && r.IntN(3) == 0 {
			all[i].between = r.writes(2)
		}
		for range 1 + r.IntN(2) {
			r.change(&next)
		}
	}
	limit(k, seed, world, all)
	vary(seed, world, all)
	return all
}

func (c configuration) clone() configuration {
	c.fields, c.ignore, c.sensitive, c.pin = slices.Clone(c.fields), slices.Clone(c.ignore), slices.Clone(c.sensitive), slices.Clone(c.pin)
	return c
}

type random struct {
	*rand.Rand
	kind kind
}

func pick[T any](r random, all ...T) T { return all[r.IntN(len(all))] }

// choose gives some of the fields a value.
func (r random) choose(fields []field, most int) []choice {
	var chosen []choice
	for range 1 + r.IntN(most) {
		f := pick(r, fields...)
		chosen = with(chosen, choice{f.path, pick(r, f.values...)})
	}
	return chosen
}

// with replaces the value of a field, or adds the field.
func with(fields []choice, next choice) []choice {
	kept := slices.DeleteFunc(slices.Clone(fields), func(c choice) bool { return c.path == next.path })
	return append(kept, next)
}

// change is one edit of the configuration.
func (r random) change(c *configuration) {
	switch dice := r.IntN(20); {
	case dice < 5:
		f := pick(r, r.kind.fields...)
		c.fields = with(c.fields, choice{f.path, pick(r, f.values...)})
	case dice < 8 && len(c.fields) > 0:
		at := r.IntN(len(c.fields))
		c.fields = slices.Delete(slices.Clone(c.fields), at, at+1)
	case dice < 11:
		r.pin(c)
	case dice < 13:
		c.ignore = toggled(c.ignore, pick(r, r.kind.ignorable...))
	case dice < 15 && len(c.ignore) > 0:
		c.ignore = nil
	case dice == 15:
		c.fieldManager = pick(r, "", "platform", "team-a")
	case dice == 16:
		c.onConflict = pick(r, "", "fail", "force", "")
	case dice == 17:
		c.ignoreManagers = pick(r, nil, nil, []string{"flux"}, []string{"kubectl*"})
	case dice == 18:
		c.takeOver = pick(r, nil, nil, []string{}, []string{"kubectl-edit"}, []string{"kubectl-client-side-apply", "kubectl-edit"})
	default:
		c.sensitive = pick(r, nil, nil, []string{pick(r, r.kind.ignorable...)})
	}
}

func toggled(all []string, one string) []string {
	if i := slices.Index(all, one); i >= 0 {
		return slices.Delete(slices.Clone(all), i, i+1)
	}
	return append(slices.Clone(all), one)
}

func (r random) writes(most int) []write {
	var all []write
	for range r.IntN(most + 1) {
		all = append(all, r.write())
	}
	return all
}

func (r random) write() write {
	switch dice := r.IntN(20); {
	case dice < 8:
		w := write{manager: pick(r, "flux", "argocd", "helm"), how: pick(r, apply, forced), version: r.kind.base, fields: r.choose(r.kind.fields, 3)}
		if len(r.kind.others) > 0 && r.IntN(2) == 0 {
			other := pick(r, r.kind.others...)
			w.version, w.fields = other.base, r.choose(other.fields, 2)
		}
		return w
	case dice < 13:
		w := write{manager: pick(r, "kubectl-edit", "kubectl-client-side-apply", "operator"), how: update, fields: r.choose(r.kind.fields, 2)}
		if r.IntN(2) == 0 {
			w.fields, w.cut = nil, []string{pick(r, r.kind.fields...).path}
			if r.IntN(2) == 1 {
				w.cut[0] = itemOf(w.cut[0])
			}
		}
		return w
	case dice < 17:
		w := write{manager: pick(r, "kubectl-annotate", "kubectl-patch", "operator"), how: merge, fields: r.choose(r.kind.fields, 2)}
		w.fields = slices.DeleteFunc(w.fields, func(c choice) bool { return strings.Contains(c.path, "[") })
		if r.IntN(3) == 0 {
			w.fields = append(w.fields, choice{pick(r, "metadata|labels|team", "metadata|annotations|note"), nil})
		}
		return w
	case dice == 17 && r.kind.scales:
		return write{manager: "kubectl", how: scale, scale: int64(r.IntN(3))}
	case dice == 18:
		return write{manager: pick(r, "", "k8sconnect", "flux", "kubectl-edit"), how: forget}
	default:
		return write{manager: "operator", how: update, fields: r.choose(r.kind.fields, 1)}
	}
}

func (s step) String() string {
	var text strings.Builder
	for _, w := range s.before {
		fmt.Fprintf(&text, "  %s\n", w)
	}
	if s.imports {
		text.WriteString("  terraform import\n")
	}
	if s.edition != (edition{}) {
		fmt.Fprintf(&text, "  the definition: %s\n", s.edition)
	}
	fmt.Fprintf(&text, "  terraform plan %s\n", s.configuration)
	for _, w := range s.between {
		fmt.Fprintf(&text, "  %s\n", w)
	}
	text.WriteString("  terraform apply\n")
	return text.String()
}

func (c choice) String() string {
	value, _ := json.Marshal(c.value)
	return c.path + "=" + string(value)
}

func (c configuration) String() string {
	text := fmt.Sprint(c.fields)
	for _, list := range []struct {
		name   string
		values []string
	}{{"ignore_fields", c.ignore}, {"sensitive_fields", c.sensitive}, {"ignore_managers", c.ignoreManagers}, {"pin_fields", c.pinned()}} {
		if list.values != nil {
			text += fmt.Sprintf(" %s=%q", list.name, list.values)
		}
	}
	if c.takeOver != nil {
		text += fmt.Sprintf(" take_over_managers=%q", c.takeOver)
	}
	if c.fieldManager != "" {
		text += " field_manager=" + c.fieldManager
	}
	if c.onConflict != "" {
		text += " on_conflict=" + c.onConflict
	}
	if c.repin != "" {
		text += " repin=" + c.repin
	}
	if c.form.isObject && c.form.hides {
		text += fmt.Sprintf(" with an unknown value (%d)", c.form.hidden)
	}
	if len(c.byRules) > 0 {
		text += fmt.Sprintf(" with rules for %q", c.byRules)
	}
	if c.version != "" {
		text += " in " + apiVersionOf(c.version)
	}
	if len(c.limits) > 0 {
		text += fmt.Sprintf(" list_lengths=%v", c.limits)
	}
	return text
}

func (w write) String() string {
	text := fmt.Sprintf("%s: %s", w.manager, w.how)
	if w.version != "" {
		text += " in " + apiVersionOf(w.version)
	}
	if len(w.fields) > 0 {
		text += fmt.Sprint(" ", w.fields)
	}
	if len(w.cut) > 0 {
		text += fmt.Sprint(" without ", w.cut)
	}
	if w.how == scale {
		text += fmt.Sprint(" to ", w.scale)
	}
	return text
}
