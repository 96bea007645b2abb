package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// Rule is a thing that a plan must not do: an effect on fields of owners, an action on objects of kinds, or a run of
// actions of Terraform.
type Rule struct {
	// Text is the rule as the user wrote it.
	Text  string
	what  string
	globs []string
}

// Failure is a broken rule and the change that broke it.
type Failure struct {
	Rule string `json:"rule"`
	What string `json:"what"`
	// Address is the address of the resource; "" if the plan as a whole breaks the rule.
	Address string `json:"address,omitempty"`
}

// The rules about plans of which the report cannot know all, about objects for which the apply waits, and about actions
// of Terraform that the apply runs.
const (
	incompleteRule = "incomplete"
	waitRule       = "wait"
	runRule        = "run"
)

// actions are the types of actions of which the report knows.
var actions = []string{"k8sconnect_disown", "k8sconnect_restart", "k8sconnect_run_job"}

// objectActions are those on objects that a rule can name.
var objectActions = []string{Create, Adopt, Update, Replace, Delete, ReleaseIt, waitRule}

// takeBack is the word in the attribute conflicts for taking a field that the last apply has set.
const takeBack = "take-back"

// ParseRule reads EFFECT or EFFECT:PATTERN,PATTERN, with * for any characters. The patterns are about owners if the
// effect is one on fields, about kinds if it is an action on objects, in any case, in the plural, or by kubectl's short
// names, and about types of actions if it is run.
func ParseRule(text string) (Rule, error) {
	what, globs, has := strings.Cut(strings.TrimSpace(text), ":")
	known := append(slices.Clone(objectActions), runRule, incompleteRule)
	for _, effect := range effects {
		known = append(known, string(effect))
	}
	if !slices.Contains(append(known, takeBack), what) {
		return Rule{}, fmt.Errorf("%q is no rule: write EFFECT or EFFECT:PATTERN,PATTERN, where EFFECT is one of %s",
			text, strings.Join(known, ", "))
	}
	if what == takeBack {
		what = string(changes.Take)
	}
	r := Rule{Text: strings.TrimSpace(text), what: what}
	if has {
		r.globs = strings.Split(globs, ",")
	}
	for _, glob := range r.globs {
		if glob == "" {
			return Rule{}, fmt.Errorf("the rule %q has an empty pattern", text)
		}
	}
	return r, nil
}

// ParseRules reads a file of rules, one a line. Empty lines and lines that begin with # are left out.
func ParseRules(text string) ([]Rule, error) {
	var all []Rule
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rule, err := ParseRule(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		all = append(all, rule)
	}
	return all, nil
}

func (r Rule) isAction() bool { return slices.Contains(objectActions, r.what) }

// matches reports whether a pattern of the rule matches a name; is compares the two. A rule without patterns matches
// all names.
func (r Rule) matches(name string, is func(glob, name string) bool) bool {
	return len(r.globs) == 0 || slices.ContainsFunc(r.globs, func(glob string) bool { return is(glob, name) })
}

// Check returns what breaks the rules, in the order of the rules. A plan that failed breaks each of them, which is said
// once.
func (r Report) Check(rules []Rule) []Failure {
	var failures []Failure
	incomplete := r.Incomplete
	if r.Failed && len(rules) > 0 {
		failures, incomplete = []Failure{{Rule: incompleteRule, What: incomplete[0]}}, incomplete[1:]
	}
	for _, rule := range rules {
		if rule.what == incompleteRule {
			for _, text := range incomplete {
				failures = append(failures, Failure{Rule: rule.Text, What: text})
			}
			continue
		}
		if rule.what == runRule && r.isOfLog {
			const lacks = "there is only the log of the plan, which does not list the actions that the apply runs"
			failures = append(failures, Failure{Rule: rule.Text, What: lacks})
		}
		if rule.what == runRule {
			for _, address := range r.Actions {
				if rule.matches(typeOfAction(address), fits) {
					failures = append(failures, Failure{rule.Text, "the apply runs " + address, address})
				}
			}
			for _, address := range r.Hooks {
				if rule.matches(setType, fits) {
					failures = append(failures, Failure{rule.Text, "the apply runs " + hooksOf + address, address})
				}
			}
			continue
		}
		for _, o := range r.Objects {
			failures = append(failures, rule.broken(o)...)
		}
	}
	return failures
}

// typeOfAction returns the type of an action of this provider, given its address.
func typeOfAction(address string) string {
	_, rest, _ := strings.Cut(address, "action.k8sconnect_")
	name, _, _ := strings.Cut(rest, ".")
	return "k8sconnect_" + name
}

func (r Rule) broken(o Object) []Failure {
	var failures []Failure
	fail := func(what string) { failures = append(failures, Failure{r.Text, o.ID() + ": " + what, o.Address}) }
	acts := r.what == o.Action || r.what == Delete && o.Action == Replace
	if acts && r.matches(o.Kind, isKind) {
		fail(o.Action)
	}
	if o.Along != nil && r.what == Delete {
		for _, along := range o.Along.Objects {
			if kind, _, _ := strings.Cut(along, " "); r.matches(kind, isKind) {
				fail(along + " is deleted, too")
			}
		}
		// Objects that are only counted may be of any kind.
		if o.Along.More {
			fail("others that the plan does not list are deleted, too")
		}
	}
	if r.what == waitRule && o.Waits && r.matches(o.Kind, isKind) {
		fail(waitRule)
	}
	effect := changes.Effect(r.what)
	for _, field := range o.Fields {
		if field.Effect != effect {
			continue
		}
		hit := len(r.globs) == 0
		for _, owner := range field.Owners {
			hit = hit || r.matches(owner.Name, fits)
		}
		if hit {
			fail(field.Path + field.OwnedBy())
		}
	}
	// The owners of fields that are only counted are not known, so any of them may be one of the rule.
	if n := o.Unlisted[effect]; n > 0 {
		fail(fmt.Sprintf("%d fields that the plan only counts", n))
	}
	return failures
}

// OwnedBy returns ", owned by A and B"; "" without owners.
func (f Field) OwnedBy() string {
	if len(f.Owners) == 0 {
		return ""
	}
	names := make([]string, len(f.Owners))
	for i, owner := range f.Owners {
		names[i] = owner.String()
	}
	return ", owned by " + strings.Join(names, " and ")
}

// Unmatched returns a remark for each pattern of the rules that matches no kind and no manager, neither one in the plan
// nor a well-known one. This may be a typing error.
func (r Report) Unmatched(rules []Rule) []string {
	var remarks []string
	for _, rule := range rules {
		what, isKnown := "manager", r.hasManager
		switch {
		case rule.isAction():
			what, isKnown = "kind", r.hasKind
		case rule.what == runRule:
			what, isKnown = "action", r.hasAction
		}
		for _, glob := range rule.globs {
			if rule.what != incompleteRule && !isKnown(glob) {
				const remark = "the pattern %q of the rule %s matches no %s of the plan, and no well-known one"
				remarks = append(remarks, fmt.Sprintf(remark, glob, rule.Text, what))
			}
		}
	}
	return remarks
}

func (r Report) hasKind(glob string) bool {
	isOf := func(o Object) bool {
		return isKind(glob, o.Kind) || o.Along != nil && slices.ContainsFunc(o.Along.Objects, func(along string) bool {
			kind, _, _ := strings.Cut(along, " ")
			return isKind(glob, kind)
		})
	}
	if slices.ContainsFunc(r.Objects, isOf) {
		return true
	}
	for kind := range shortNames {
		if isKind(glob, kind) {
			return true
		}
	}
	return false
}

func (r Report) hasAction(glob string) bool {
	is := func(name string) bool { return fits(glob, name) }
	return slices.ContainsFunc(actions, is)
}

func (r Report) hasManager(glob string) bool {
	is := func(name string) bool { return fits(glob, name) }
	return slices.ContainsFunc(ownership.WellKnown(), is) || slices.ContainsFunc(r.Objects, func(o Object) bool {
		for _, field := range o.Fields {
			for _, owner := range field.Owners {
				if is(owner.Name) {
					return true
				}
			}
		}
		return slices.ContainsFunc(o.Lines, func(line Line) bool {
			return slices.ContainsFunc(slices.Concat(line.OwnersBefore, line.OwnersAfter), is)
		})
	})
}

// builtin lists the kinds of Kubernetes, each with the short names that kubectl knows.
const builtin = `
	Binding ComponentStatus:cs ConfigMap:cm Endpoints:ep Event:ev LimitRange:limits Namespace:ns Node:no
	PersistentVolume:pv PersistentVolumeClaim:pvc Pod:po PodTemplate ReplicationController:rc ResourceQuota:quota
	Secret Service:svc ServiceAccount:sa ControllerRevision DaemonSet:ds Deployment:deploy ReplicaSet:rs
	StatefulSet:sts HorizontalPodAutoscaler:hpa CronJob:cj Job CertificateSigningRequest:csr Lease EndpointSlice
	FlowSchema PriorityLevelConfiguration Ingress:ing IngressClass NetworkPolicy:netpol IPAddress:ip ServiceCIDR
	RuntimeClass PodDisruptionBudget:pdb ClusterRole ClusterRoleBinding Role RoleBinding PriorityClass:pc CSIDriver
	CSINode CSIStorageCapacity StorageClass:sc VolumeAttachment VolumeAttributesClass:vac
	CustomResourceDefinition:crd,crds APIService MutatingWebhookConfiguration ValidatingWebhookConfiguration
	ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy
	MutatingAdmissionPolicyBinding DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice`

// shortNames are the short names of each built-in kind.
var shortNames = func() map[string][]string {
	all := map[string][]string{}
	for _, kind := range strings.Fields(builtin) {
		name, short, _ := strings.Cut(kind, ":")
		all[name] = strings.Split(short, ",")
	}
	return all
}()

// namesOf returns the names by which people know a kind, in lower case: itself, its plural and its short names.
func namesOf(kind string) []string {
	name := strings.ToLower(kind)
	plural := name + "s"
	switch {
	case strings.HasSuffix(name, "endpoints"):
		plural = name
	case strings.HasSuffix(name, "s"):
		plural = name + "es"
	case strings.HasSuffix(name, "y"):
		plural = strings.TrimSuffix(name, "y") + "ies"
	}
	return append([]string{name, plural}, shortNames[kind]...)
}

func isKind(glob, kind string) bool {
	return slices.ContainsFunc(namesOf(kind), func(name string) bool { return fits(strings.ToLower(glob), name) })
}

// compiled are the regular expressions of globs.
var compiled sync.Map

func fits(glob, name string) bool {
	known, _ := compiled.Load(glob)
	pattern, is := known.(*regexp.Regexp)
	if !is {
		pattern = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*") + "$")
		compiled.Store(glob, pattern)
	}
	return pattern.MatchString(name)
}
