package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// RestoreFields is the value of on_destroy with which a destroy gives the fields of a part their values from before.
const RestoreFields = "restore"

// decoded holds the decoded attributes of a model. The methods note each unknown value that they decode.
type decoded struct {
	body    Body
	args    arguments.Arguments
	unknown bool
	diags   diag.Diagnostics
}

// Arguments returns what the model asks. The diagnostics are about values that validation could not check, because they
// were not known yet.
func (m *Model) Arguments() (arguments.Arguments, diag.Diagnostics) {
	d := m.decode()
	args := d.args
	if args.FieldManager = m.FieldManager.ValueString(); isUndecidedManager(m) {
		args.FieldManager = undecidedManager
	}
	if m.OfRelease {
		args.TakeOver = slices.Concat(args.TakeOver, ownership.Helm)
		args.Existing = arguments.Adopt
	}
	if m.AdoptsOwn && args.Existing == arguments.Refuse {
		args.Existing = arguments.AdoptOwn
	}
	if m.IsPart {
		// A part takes over only what its own manager wrote by update before an import.
		args.TakeOver = []string{args.FieldManager}
	}
	return args, d.diags
}

// undecidedManager is the field manager with which a new part is planned whose own one is known only during the apply.
// It owns nothing.
const undecidedManager = "k8sconnect-patch"

// ArgumentsKnown reports whether everything that Arguments returns is known, except for Undecided, the write-only part,
// and a field manager that follows from Undecided.
func (m *Model) ArgumentsKnown() bool {
	return !m.decode().unknown && (!m.FieldManager.IsUnknown() || isUndecidedManager(m))
}

// isUndecidedManager reports whether the field manager follows from values that are not known yet; see PartManager.
func isUndecidedManager(m *Model) bool {
	return m.IsPart && m.NamesNoManager && m.FieldManager.IsUnknown() && len(m.decode().args.Undecided) > 0
}

// WriteOnlyUnknown reports whether the write-only part is not known yet.
func (m *Model) WriteOnlyUnknown() bool { return m.writeOnly.IsUnknown() }

// HasWriteOnly reports whether the configuration of a model has a write-only part.
func HasWriteOnly(m *Model) bool { return !m.writeOnly.IsNull() }

// Legible returns the arguments of a model; false while it is not known what they apply.
func (m *Model) Legible() (arguments.Arguments, bool) {
	if m == nil || m.IsImported() || m.YAMLBody.IsUnknown() || m.IgnoreFields.IsUnknown() || !m.Body().namesObject() {
		return arguments.Arguments{}, false
	}
	args, _ := m.Arguments()
	return args, true
}

// defaultTakeOver are the managers of kubectl's commands that create objects, and the manager that the API server
// records for an object that has no managers when it is first applied.
var defaultTakeOver = []string{"kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose",
	"kubectl-autoscale", ownership.BeforeFirstApply}

// decode decodes all arguments except for those that follow from the field manager, which a plan fills in later.
func (m *Model) decode() *decoded {
	if m.decoded != nil {
		return m.decoded
	}
	d := &decoded{body: bodyOf(m)}
	d.unknown = !d.body.Known || m.RulesApplied.IsUnknown()
	if d.body.Err != nil {
		d.diags.Append(invalid.Body(m.BodyAttribute(), d.body.Err.Error()))
	}
	if d.body.PatchErr != nil {
		d.diags.Append(invalid.Patch(path.Root(PatchAttribute), d.body.PatchErr.Error()))
	}
	object := d.body.Manifest.Identity
	d.args = arguments.Arguments{
		Manifest:   d.body.Manifest,
		Undecided:  arguments.UndecidedOf(object, d.body.Undecided),
		Patch:      d.body.Patch,
		Ignore:     record.PatternsFor(object, d.patterns(arguments.IgnoreFields, m.IgnoreFields, m)),
		Sensitive:  record.PatternsFor(object, d.patterns(arguments.SensitiveFields, m.SensitiveFields, m)),
		Pin:        d.patterns("pin_fields", m.PinFields, m),
		Remove:     d.patterns(arguments.RemoveFields, m.RemoveFields, m),
		OnConflict: arguments.Force,
		TakeOver:   defaultTakeOver,
		IgnoreManagers: slices.Concat(d.strings(m.IgnoreManagers, m.IgnoreManagers.Elements()),
			fromRules(m, arguments.IgnoreManagers)),
		Repin:     d.string(m.Repin),
		Lengths:   d.listLengths(m.ListLengths),
		IsPart:    m.IsPart,
		Restores:  m.OnDestroy.ValueString() == RestoreFields,
		WriteOnly: arguments.WriteOnly{Version: d.string(m.YAMLBodyWOVersion)},
	}
	byRule, _ := m.RulesApplied.Attributes()[arguments.OnConflict].(types.String)
	if policy := cmp.Or(d.string(m.OnConflict), byRule.ValueString()); policy != "" {
		d.args.OnConflict = arguments.ConflictPolicy(policy)
	}
	byRule, _ = m.RulesApplied.Attributes()[arguments.OnAddition].(types.String)
	d.args.OnAddition = arguments.AdditionPolicy(cmp.Or(d.string(m.OnAddition), byRule.ValueString()))
	if d.note(m.AdoptExisting); Adopts(m) {
		d.args.Existing = arguments.Adopt
	}
	managers, byRules := d.strings(m.TakeOver, m.TakeOver.Elements()), fromRules(m, arguments.TakeOverManagers)
	if !m.TakeOver.IsNull() || byRules != nil {
		d.args.TakeOver = slices.Concat(managers, byRules)
	}
	d.mergeWriteOnly(m)
	m.decoded = d
	return d
}

// note notes whether one of values, or an attribute of it, is unknown.
func (d *decoded) note(values ...attr.Value) {
	d.unknown = d.unknown || slices.ContainsFunc(values, isUnknown)
}

func (d *decoded) string(value types.String) string {
	d.note(value)
	return value.ValueString()
}

func (d *decoded) strings(list attr.Value, elements []attr.Value) []string {
	d.note(list)
	d.note(elements...)
	return elementsOf(elements)
}

// patterns returns the patterns of a set and those that rules add to it, without those that are not valid.
func (d *decoded) patterns(attribute string, set types.Set, m *Model) paths.Patterns {
	written := slices.Concat(d.strings(set, set.Elements()), fromRules(m, attribute))
	slices.Sort(written)
	patterns, err := paths.ParseAll(written)
	if err != nil {
		d.diags.Append(invalid.FieldPath(path.Root(attribute), attribute, err.Error()))
		return paths.PatternsOf(written)
	}
	return patterns
}

// listLengths returns the limits sorted by path, without those with an invalid path.
func (d *decoded) listLengths(values types.Map) []arguments.ListLength {
	var limits []arguments.ListLength
	elements := values.Elements()
	d.note(values)
	for _, list := range slices.Sorted(maps.Keys(elements)) {
		d.note(elements[list])
		limit, _ := elements[list].(types.Object)
		pattern, err := paths.Parse(list)
		if err != nil || limit.IsNull() {
			continue
		}
		number := func(name string) int {
			value, _ := limit.Attributes()[name].(types.Int64)
			return int(value.ValueInt64())
		}
		limits = append(limits, arguments.ListLength{Pattern: pattern, Min: number("min"), Max: number("max")})
	}
	return limits
}

// mergeWriteOnly merges the write-only part of the configuration into the manifest.
func (d *decoded) mergeWriteOnly(m *Model) {
	if m.writeOnly.IsNull() || m.writeOnly.IsUnknown() || d.args.Manifest.Object == nil {
		return
	}
	part, err := manifest.ParsePartial(m.writeOnly.ValueString())
	if err == nil {
		d.args, err = d.args.MergeWriteOnly(part)
	}
	if err == nil {
		return
	}
	detail := err.Error()
	if other, is := errors.AsType[*manifest.OtherObjectError](err); is {
		detail = other.Field + " is not the same as in " + m.BodyAttribute() +
			". Leave out apiVersion, kind, metadata.name and metadata.namespace."
	}
	d.diags.Append(invalid.Body(m.writeOnlyAttribute(), detail))
}

// limitsKnown reports whether all of list_lengths is known.
func (m *Model) limitsKnown() bool {
	return !isUnknown(m.ListLengths) && !slices.ContainsFunc(slices.Collect(maps.Values(m.ListLengths.Elements())),
		isUnknown)
}

// PartManager returns the field manager of a part whose configuration names none: a digest of its body, with
// sensitive_fields and for a Secret without the values, and of remove_fields. It is unknown until all are known, and
// what rules add.
func (m *Model) PartManager() types.String {
	body := m.Body()
	remove := m.RemoveFields.Elements()
	if !body.Known || body.Err != nil || body.PatchErr != nil || len(body.Undecided) > 0 ||
		m.RemoveFields.IsUnknown() || m.SensitiveFields.IsUnknown() || m.RulesApplied.IsUnknown() ||
		slices.ContainsFunc(remove, isUnknown) {
		return types.StringUnknown()
	}
	applied := body.Manifest.Text
	if body.Patch != nil {
		applied += body.Patch.Text
	}
	if sensitive := m.decode().args.Sensitive; body.Manifest.IsSecret() || len(sensitive) > 0 {
		applied = withoutValues(body.Manifest.Text, sensitive)
		if body.Patch != nil {
			applied += withoutValues(body.Patch.Text, sensitive)
		}
	}
	sum := sha256.Sum256([]byte(applied + strings.Join(stringsIn(m.RemoveFields), "\n")))
	return types.StringValue("k8sconnect-patch-" + hex.EncodeToString(sum[:4]))
}

// withoutValues returns the JSON in a string without the values of keys. Every reader of the object sees a digest of
// the string, and could try values.
func withoutValues(text string, sensitive paths.Patterns) string {
	var body any
	at := max(0, strings.IndexAny(text, "{["))
	if json.NewDecoder(strings.NewReader(text[at:])).Decode(&body) != nil {
		return ""
	}
	operations, _ := body.([]any)
	for _, operation := range operations {
		if fields, is := operation.(map[string]any); is {
			fields["value"] = keysOf(fields["value"], paths.PatternsOf([]string{"*"}).Start(), false)
		}
	}
	if operations == nil {
		body = keysOf(body, sensitive.Cautious().Start(), false)
	}
	shape, _ := json.Marshal(body)
	return text[:at] + string(shape)
}

// keysOf returns a value with null for all but maps and lists. The values in lists stay, because they may be what
// distinguishes two parts, but not those that are secret; at is the cursor of the sensitive patterns at the value.
func keysOf(value any, at paths.Cursor, inList bool) any {
	switch value := value.(type) {
	case map[string]any:
		keys := make(map[string]any, len(value))
		for key, part := range value {
			keys[key] = keysOf(part, at.Field(key), inList)
		}
		return keys
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = keysOf(item, at.Item(paths.Item{Index: i, Value: item}), true)
		}
		return items
	default:
		if inList && !at.Matched() {
			return value
		}
		return nil
	}
}

// IsKnown reports whether a value is neither null nor unknown.
func IsKnown(value attr.Value) bool { return !value.IsNull() && !value.IsUnknown() }

// isUnknown reports whether a value, or an attribute of it, is unknown.
func isUnknown(value attr.Value) bool {
	object, is := value.(types.Object)
	if !is || value.IsUnknown() || value.IsNull() {
		return value.IsUnknown()
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(object.Attributes())), attr.Value.IsUnknown)
}

func elementsOf(elements []attr.Value) []string {
	var all []string
	for _, element := range elements {
		if value, is := element.(types.String); is {
			all = append(all, value.ValueString())
		}
	}
	return all
}
