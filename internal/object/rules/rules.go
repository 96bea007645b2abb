// Package rules adds arguments to the objects that rules cover: Parse reads rules, and Rules.For returns the arguments
// that they add to those of one object.
//
// The lists of all rules that cover an object are joined. A single value is that of the most specific rule: the one
// that limits the most of kinds, namespaces, names and clusters, and the last one in the list if several limit as many.
// The resource's own arguments take precedence over the rules, and its own rules over those of the provider block.
package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// The keys that limit what a rule covers.
const (
	kinds      = "kinds"
	namespaces = "namespaces"
	names      = "names"
	clusters   = "clusters"
)

// Rules are rules in the order in which the user wrote them.
type Rules []Rule

// Rule is one rule. The zero value covers everything and adds nothing.
type Rule struct {
	// Kinds, Namespaces, Names and Clusters are globs. An empty list does not limit.
	Kinds, Namespaces, Names, Clusters []string
	Arguments
	// source names the owner of the list with the rule, and place is its position there.
	source Source
	place  int
}

// Source is the owner of a list of rules, as messages name it.
type Source string

// A rule of a resource counts before those of the provider block, however many limits they have.
const (
	ProviderBlock Source = "the provider block"
	Resource      Source = "the resource"
)

// Arguments are the arguments that a rule or a resource has, by their names: a []string, a string, a bool, or for wait
// a map[string]any.
type Arguments map[string]any

// Target is a resource about one object.
type Target struct {
	Object manifest.Identity
	// Cluster is the name of its cluster; "" if that has no name.
	Cluster string
	// Own are the arguments that the resource sets itself. Only whether it has wait counts.
	Own Arguments
	// Lacks are the arguments that the resource cannot have.
	Lacks []string
}

// Added are the arguments that rules add to those of a resource.
type Added struct {
	Arguments
	// by are the rules that add a value: their positions, by the argument and the value, which is "" if the argument is
	// not a list.
	by map[string]map[string]int
	// all are the rules that by has the positions of.
	all Rules
}

// For returns what the rules add to the arguments of a resource, without what the resource has itself.
func (all Rules) For(target Target) Added {
	added := Added{Arguments: Arguments{}, by: map[string]map[string]int{}, all: all}
	best := map[string]int{}
	for i, rule := range all {
		if !rule.covers(target) {
			continue
		}
		for name, value := range rule.Arguments {
			own, isOwn := target.Own[name]
			if slices.Contains(target.Lacks, name) {
				continue
			}
			if list, isList := value.([]string); isList {
				added.join(name, i, list, own)
				continue
			}
			// Of rules with as many limits, the last one counts. An error would ask for a third rule for each pair.
			if rank := rule.rank(); !isOwn && rank >= best[name] {
				best[name], added.Arguments[name] = rank, value
				added.note(name, "", i)
			}
		}
	}
	for name := range added.Arguments {
		slices.Sort(added.List(name))
	}
	return added
}

// AskNamespace reports whether it depends on the namespace of an object whether a rule covers it. The identity is that
// of a manifest, which may name no namespace, and may name one for a cluster-scoped kind.
func (all Rules) AskNamespace(object manifest.Identity) bool {
	return slices.ContainsFunc(all, func(rule Rule) bool {
		if len(rule.Namespaces) == 0 {
			return false
		}
		if rule.Clusters = nil; object.Namespace == "" {
			rule.Namespaces = nil
		}
		return rule.covers(Target{Object: object})
	})
}

// AskCluster reports whether a rule is limited to clusters.
func (all Rules) AskCluster() bool {
	return slices.ContainsFunc(all, func(rule Rule) bool { return len(rule.Clusters) > 0 })
}

// covers reports whether each limit of the rule has a glob that matches.
func (r Rule) covers(target Target) bool {
	object := target.Object
	return anyOr(r.Kinds, func(glob string) bool { return matchesKind(glob, object.Group(), object.Kind) }) &&
		anyOr(r.Namespaces, func(glob string) bool {
			// * also matches "", and a rule with namespaces covers no cluster-scoped object.
			return object.Namespace != "" && matches(glob, object.Namespace)
		}) &&
		anyOr(r.Names, func(glob string) bool { return matches(glob, object.Name) }) &&
		anyOr(r.Clusters, func(glob string) bool { return target.Cluster != "" && matches(glob, target.Cluster) })
}

// rank returns how specific the rule is: how many of kinds, namespaces, names and clusters it limits, and for a rule of
// a resource more than any of the provider block.
func (r Rule) rank() int {
	limits := [][]string{r.Kinds, r.Namespaces, r.Names, r.Clusters}
	n := 0
	for _, globs := range limits {
		if len(globs) > 0 {
			n++
		}
	}
	if r.source == Resource {
		n += len(limits)
	}
	return n
}

// anyOr reports whether match returns true for one of globs, or globs is empty.
func anyOr(globs []string, match func(string) bool) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, match)
}

// List returns an argument that is a list; nil without one.
func (a Arguments) List(name string) []string {
	list, _ := a[name].([]string)
	return list
}

// join adds the values of a rule to a list, without those that the resource has itself. An empty list is a value, too:
// with take_over_managers = [], nothing is taken over.
func (a *Added) join(name string, rule int, values []string, own any) {
	list := a.List(name)
	ownList, isOwn := own.([]string)
	for _, value := range values {
		if slices.Contains(ownList, value) {
			continue
		}
		if _, known := a.by[name][value]; !known {
			list = append(list, value)
			a.note(name, value, rule)
		}
	}
	if list == nil && !isOwn {
		list = []string{}
	}
	if list != nil {
		a.Arguments[name] = list
	}
}

func (a *Added) note(name, value string, rule int) {
	if a.by[name] == nil {
		a.by[name] = map[string]int{}
	}
	a.by[name][value] = rule
}

// IsEmpty reports whether no rule adds anything.
func (a Added) IsEmpty() bool { return len(a.Arguments) == 0 }

// label returns how messages name a rule.
func (r Rule) label() string { return fmt.Sprintf("rules[%d] of %s", r.place, r.source) }

// By returns the label of the first rule that adds what concerns subject to an argument; "" without one. The subject of
// a list of paths is a path at or below one of them, and that of a list of managers is a manager. For an argument that
// is not a list, it is "".
func (a Added) By(argument, subject string) string {
	first := -1
	for value, rule := range a.by[argument] {
		if concerns(argument, value, subject) && (first < 0 || rule < first) {
			first = rule
		}
	}
	if first < 0 {
		return ""
	}
	return a.all[first].label()
}

// Adds returns the label of the rule that adds exactly this value to an argument that is a list; "" without one.
func (a Added) Adds(argument, value string) string {
	if rule, is := a.by[argument][value]; is {
		return a.all[rule].label()
	}
	return ""
}

func concerns(argument, value, subject string) bool {
	switch argument {
	case arguments.IgnoreFields, arguments.RemoveFields, arguments.SensitiveFields:
		whole, err := paths.Parse(value)
		field, invalid := paths.Parse(subject)
		return err == nil && invalid == nil && field.IsWithin(whole)
	case arguments.IgnoreManagers:
		if prefix, isPrefix := strings.CutSuffix(value, "*"); isPrefix {
			return strings.HasPrefix(subject, prefix)
		}
	}
	return value == subject
}

// coreGroup is how rules write the API group of Pods and Services, which has no name.
const coreGroup = "core"

// matches reports whether a glob matches a name. It returns false for an invalid glob.
func matches(glob, name string) bool {
	matched, err := path.Match(glob, name)
	return err == nil && matched
}

// matchesKind reports whether a glob matches a kind: "Deployment" in any group, "apps/Deployment" in one.
func matchesKind(glob, group, kind string) bool {
	in, of, isQualified := strings.Cut(glob, "/")
	if !isQualified {
		return matches(glob, kind)
	}
	return matches(in, cmp.Or(group, coreGroup)) && matches(of, kind)
}

// Kind is a kind in an API group; the core group is "".
type Kind struct{ Group, Kind string }

// UnmatchedKinds returns the globs of kinds that match none of served, with their rules. It leaves out the rules that
// do not cover a cluster; the name of the cluster is "" if it has none.
func (all Rules) UnmatchedKinds(cluster string, served []Kind) []UnmatchedKind {
	var unmatched []UnmatchedKind
	for _, rule := range all {
		if !anyOr(rule.Clusters, func(glob string) bool { return cluster != "" && matches(glob, cluster) }) {
			continue
		}
		for _, glob := range rule.Kinds {
			matched := func(kind Kind) bool { return matchesKind(glob, kind.Group, kind.Kind) }
			if !slices.ContainsFunc(served, matched) {
				unmatched = append(unmatched, UnmatchedKind{Rule: rule.label(), Glob: glob})
			}
		}
	}
	return unmatched
}

// UnmatchedKind is a glob of kinds that matches no kind. Rule names the rule in messages.
type UnmatchedKind struct{ Rule, Glob string }
