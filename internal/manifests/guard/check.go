package guard

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Check returns a mistake in the options, and advice; "" if they are valid. It names the option as a configuration
// does.
func (o Options) Check() string {
	for _, check := range []func() string{o.nameProblem, o.modeProblem, o.globsProblem, o.scaleProblem,
		o.sourceProblem} {
		if problem := check(); problem != "" {
			return problem
		}
	}
	return ""
}

func (o Options) nameProblem() string {
	problems := validation.IsDNS1123Subdomain(o.Name + DeletesSuffix)
	if len(problems) == 0 {
		return ""
	}
	return fmt.Sprintf("name is %q, which cannot be the name of a policy: %s", o.Name, problems[0])
}

func (o Options) modeProblem() string {
	switch {
	case o.Mode == "":
		return `mode is missing. Write mode = "warn" to begin with; then "deny", or "audit" for the audit log alone`
	case !slices.Contains(Modes, o.Mode):
		return fmt.Sprintf(`mode is %q. Write "warn", "deny" or "audit"`, o.Mode)
	case o.Delete != "" && !slices.Contains(Modes, o.Delete):
		return fmt.Sprintf(`delete is %q. Write "warn", "deny" or "audit", or leave it out: then everybody may `+
			`delete`, o.Delete)
	case o.Delete == Deny && len(o.OwnerUsers)+len(o.OwnerGroups) == 0:
		return `delete = "deny" needs owner_users or owner_groups. A deletion has no field manager, so the ` +
			`guard knows ` +
			`the owner by its user only, and would refuse your own terraform destroy. Write the user of ` +
			`Terraform, for ` +
			`example owner_users = ["system:serviceaccount:ci:terraform"]; kubectl auth whoami prints it`
	}
	return ""
}

// list is an option that is a list of globs.
type list struct {
	name    string
	globs   []string
	example string
	// all is what a glob that matches everything would do; "" if that makes sense.
	all string
}

func (o Options) lists() []list {
	const (
		everybody = "exempts everybody, so the guard would find nothing"
		user      = `"system:serviceaccount:ci:terraform"`
	)
	return []list{
		{"field_managers", o.FieldManagers, `"k8sconnect*"`, "makes every manager an owner, so the guard would " +
			"find nothing"},
		{"owner_users", o.OwnerUsers, user, ""},
		{"owner_groups", o.OwnerGroups, `"ci"`, ""},
		{"exempt_users", o.ExemptUsers, `"break-glass"`, everybody},
		{"exempt_groups", o.ExemptGroups, `"on-call"`, everybody},
		{"kinds", o.Kinds, `"apps/Deployment"`, ""},
		{"namespaces", o.Namespaces, `"shop-*"`, ""},
		{"scale", o.Scale, `"apps/Deployment/shop/web"`, ""},
	}
}

// matchesAll matches globs that match everything.
var matchesAll = regexp.MustCompile(`^\*+$`)

func (o Options) globsProblem() string {
	for _, one := range o.lists() {
		for _, glob := range one.globs {
			if problem := globProblem(glob); problem != "" {
				return fmt.Sprintf("%s: %q %s, for example %[1]s = [%[4]s]", one.name, glob, problem, one.example)
			}
			if one.all != "" && matchesAll.MatchString(glob) {
				return fmt.Sprintf("%s: %q %s. Write names, for example %[1]s = [%[4]s]", one.name, glob, one.all,
					one.example)
			}
		}
		if one.globs != nil && len(one.globs) == 0 {
			return fmt.Sprintf("%s is empty. Write a pattern, for example %[1]s = [%[2]s], or leave %[1]s out",
				one.name, one.example)
		}
	}
	for _, glob := range o.Kinds {
		if problem := kindProblem(glob); problem != "" {
			return fmt.Sprintf("kinds: %q %s", glob, problem)
		}
	}
	return ""
}

func globProblem(glob string) string {
	_, err := path.Match(glob, "")
	switch {
	case glob == "":
		return "matches nothing. Write a name"
	case err != nil:
		return "is not a pattern. Write a name in which * stands for any characters, ? for one, and [ab] for a or b"
	case !utf8.ValidString(glob), strings.ContainsFunc(glob, unicode.IsControl):
		return "has a character that no name has. Write a name"
	}
	return ""
}

// version matches the versions of API groups.
var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

func kindProblem(glob string) string {
	parts := strings.Split(glob, "/")
	switch {
	case len(parts) == 1:
		return ""
	case len(parts) == 2 && version.MatchString(parts[0]):
		return fmt.Sprintf("has a version and no group. Write %q, or %q for the core group alone", parts[1],
			"core/"+parts[1])
	case len(parts) == 3 && version.MatchString(parts[1]):
		return fmt.Sprintf("has a version. Write the group and the kind: %q", parts[0]+"/"+parts[2])
	case len(parts) == 2 && parts[0] != "" && parts[1] != "":
		return ""
	}
	return `is neither a kind nor a group and a kind. Write "Deployment" or "apps/Deployment"`
}

func (o Options) scaleProblem() string {
	for _, key := range o.Scale {
		parts := strings.Split(key, "/")
		if len(parts) != keyParts || slices.Contains(parts, "") {
			return fmt.Sprintf("scale: %q is not group/kind/namespace/name. Write the object's key as the "+
				"function documents "+
				`makes it, in which each part may be a pattern: "apps/Deployment/shop/web", "apps/*/shop/*"`, key)
		}
	}
	return ""
}

// longestSource is the number of characters of a source: messages of the API server are limited.
const longestSource = 200

func (o Options) sourceProblem() string {
	switch {
	case strings.ContainsFunc(o.Source, unicode.IsControl):
		return "source has more than one line. Write where the objects are configured, for example the address " +
			"of a repository"
	case utf8.RuneCountInString(o.Source) > longestSource:
		return fmt.Sprintf("source has %d characters, and messages of the API server are short. Write at most %d",
			utf8.RuneCountInString(o.Source), longestSource)
	}
	return ""
}
