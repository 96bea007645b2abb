package model

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// AddRules sets what rules add to the arguments of the object that the model applies to. A plan that knows already what
// they add keeps that.
func AddRules(ctx context.Context, m *Model, all rules.Rules, object manifest.Identity) {
	m.Rules = ruled(m, all, object)
	if m.RulesApplied.IsUnknown() {
		m.RulesApplied, m.decoded = attributes.RulesAppliedOf(ctx, m.Rules), nil
	}
}

// PlanRules replaces the rules in the model as AddRules adds them. RulesApplied is unknown as long as it depends on
// arguments of the resource that are not known.
func PlanRules(ctx context.Context, m *Model, all rules.Rules, object manifest.Identity) {
	m.RulesApplied = attributes.RulesAppliedUnknown()
	AddRules(ctx, m, all, object)
	open := slices.ContainsFunc(arguments.OfRules(), func(argument arguments.Argument) bool {
		value := attributeOf(m, argument.Name)
		return value.IsUnknown() || slices.ContainsFunc(attributes.ElementsOf(value), attr.Value.IsUnknown)
	})
	if open && !m.RulesApplied.IsNull() {
		SetRulesUnknown(m)
	}
}

// SetRulesUnknown notes that it is not known which rules cover the object.
func SetRulesUnknown(m *Model) { m.RulesApplied, m.decoded = attributes.RulesAppliedUnknown(), nil }

// EncodeRules returns what rules add to the arguments of a model as JSON, for a resource that does not store it in its
// attribute; nil if they add nothing.
func EncodeRules(m *Model) (json.RawMessage, error) {
	if m.RulesApplied.IsNull() || m.Rules.IsEmpty() {
		return nil, nil
	}
	return json.Marshal(m.Rules.Arguments)
}

// DecodeRules sets what EncodeRules has returned.
func DecodeRules(ctx context.Context, m *Model, encoded json.RawMessage) error {
	var added rules.Added
	if len(encoded) > 0 {
		if err := json.Unmarshal(encoded, &added.Arguments); err != nil {
			return err
		}
	}
	m.Rules, m.RulesApplied, m.decoded = added, attributes.RulesAppliedOf(ctx, added), nil
	return nil
}

func ruled(m *Model, all rules.Rules, object manifest.Identity) rules.Added {
	own := rules.Arguments{}
	for _, argument := range arguments.OfRules() {
		value := attributeOf(m, argument.Name)
		if !IsKnown(value) {
			continue
		}
		if argument.Kind.IsList() {
			own[argument.Name] = ownStrings(value, attributes.ElementsOf(value))
		} else {
			own[argument.Name] = value // Only whether the resource has a value of its own counts.
		}
	}
	return all.For(rules.Target{Object: object, Cluster: m.ClusterName.ValueString(), Own: own, Lacks: lacks(m)})
}

// ownStrings returns the elements of an argument; nil if it is null or unknown.
func ownStrings(list attr.Value, elements []attr.Value) []string {
	if !IsKnown(list) {
		return nil
	}
	return append([]string{}, elementsOf(elements)...)
}

// lacks returns the arguments of rules that the resource cannot have.
func lacks(m *Model) []string {
	if !m.IsPart {
		return nil
	}
	var lacks []string
	for _, argument := range arguments.OfRules() {
		if !slices.Contains(argument.ByRule, arguments.PatchResource) ||
			argument.Name == arguments.IgnoreFields && (!m.Patch.IsNull() || !m.Subresource.IsNull()) {
			lacks = append(lacks, argument.Name)
		}
	}
	return lacks
}

// fromRules returns the strings that rules add to an argument; nil if they add none.
func fromRules(m *Model, argument string) []string {
	list, _ := m.RulesApplied.Attributes()[argument].(types.List)
	return ownStrings(list, list.Elements())
}

// IsProtected reports whether the resource or a rule protects the object of a state from its deletion, and returns the
// rule; "" for the resource itself. A rule protects as soon as the configuration has it, and until an apply without
// it.
func IsProtected(m *Model, all rules.Rules) (rule string, is bool) {
	id, diags := m.Object()
	if m.IsPart || !m.Protection.IsNull() || diags.HasError() {
		return "", m.Protection.ValueBool()
	}
	if added := ruled(m, all, id); added.Arguments[arguments.DeleteProtection] == true {
		return added.By(arguments.DeleteProtection, ""), true
	}
	last, _ := m.RulesApplied.Attributes()[arguments.DeleteProtection].(types.Bool)
	return diagnostics.RuleOfLastApply, last.ValueBool()
}

// Ending returns the model of a state with the on_destroy by which its object ends: that of the resource or of a rule,
// which counts as soon as the configuration has it, and until an apply without it.
func Ending(m *Model, by interface {
	Rules(own rules.Rules) rules.Rules
}) *Model {
	id, diags := m.Object()
	if m.IsPart || !m.OnDestroy.IsNull() || diags.HasError() {
		return m
	}
	ends := *m
	ends.OnDestroy, _ = m.RulesApplied.Attributes()[arguments.OnDestroy].(types.String)
	if ending, is := ruled(m, by.Rules(m.OwnRules), id).Arguments[arguments.OnDestroy].(string); is {
		ends.OnDestroy = types.StringValue(ending)
	}
	if ends.OnDestroy.IsNull() && isKept(m) {
		ends.OnDestroy = types.StringValue(string(deletion.ReleaseObject))
	}
	return &ends
}

// isKept reports whether the manifest contains the annotation with which Helm leaves an object on the cluster.
func isKept(m *Model) bool {
	body := unstructured.Unstructured{Object: m.Body().Manifest.Object}
	return strings.EqualFold(strings.TrimSpace(body.GetAnnotations()["helm.sh/resource-policy"]), "keep")
}

// Adopts reports whether the resource or a rule adopts an object that exists, or it is one of a release that is taken
// over.
func Adopts(m *Model) bool { return m.OfRelease || isSet(m, arguments.AdoptExisting, m.AdoptExisting) }

// RunsOnce reports whether the object is a Job that the resource or a rule runs once.
func RunsOnce(m *Model) bool { return isSet(m, arguments.Once, m.Once) && m.Body().Manifest.IsJob() }

// isSet reports whether a flag is true: that of the resource, or else that of a rule.
func isSet(m *Model, name string, own types.Bool) bool {
	if byRule, _ := m.RulesApplied.Attributes()[name].(types.Bool); own.IsNull() {
		return byRule.ValueBool()
	}
	return own.ValueBool()
}

// WaitOf returns the argument wait of the resource, or that of a rule; null without one.
func WaitOf(m *Model) types.Object {
	if wait, is := m.RulesApplied.Attributes()[arguments.Wait].(types.Object); is && m.Wait.IsNull() {
		return wait
	}
	return m.Wait
}
