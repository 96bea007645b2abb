package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

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
			if !matchesAny(glob, served) {
				unmatched = append(unmatched, UnmatchedKind{Rule: rule.label(), Glob: glob})
			}
		}
	}
	return unmatched
}

// UnmatchedKind is a glob of kinds that matches no kind. Rule names the rule in messages.
type UnmatchedKind struct{ Rule, Glob string }

func matchesAny(glob string, kinds []Kind) bool {
	return slices.ContainsFunc(kinds, func(kind Kind) bool { return matchesKind(glob, kind.Group, kind.Kind) })
}
