package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// Problem is a mistake in a rule.
type Problem struct {
	// Text names the rule, the key and the mistake, and tells the user what to write instead.
	Text string
}

// The keys of a rule: first those that limit what it covers, then those of arguments.
var (
	limiting = []string{kinds, namespaces, names, clusters}
	adding   = func() []string {
		var names []string
		for _, argument := range arguments.OfRules() {
			names = append(names, argument.Name)
		}
		return names
	}()
)

// Parse returns the rules of a source. Each of values is a map by the keys of a rule, without null values; nil for a
// rule that is null, which adds nothing. It does not check field paths, names of managers, and the value of wait.
func Parse(source Source, values []map[string]any) (Rules, []Problem) {
	var all Rules
	var problems []Problem
	for i, value := range values {
		p := parser{rule: fmt.Sprintf("rules[%d]", i), given: value}
		// A rule that is null keeps its place: messages count the rules as the user has written them.
		rule := Rule{}
		if value != nil {
			rule = p.parse()
		}
		rule.source, rule.place = source, i
		all = append(all, rule)
		problems = append(problems, p.problems...)
	}
	return all, problems
}

type parser struct {
	rule     string
	given    map[string]any
	problems []Problem
}

func (p *parser) refuse(format string, args ...any) {
	p.problems = append(p.problems, Problem{p.rule + fmt.Sprintf(format, args...)})
}

func (p *parser) parse() Rule {
	known := slices.Concat(limiting, adding)
	for _, key := range slices.Sorted(maps.Keys(p.given)) {
		if !slices.Contains(known, key) {
			p.refuse(" has the key %s, which no rule has.\n\n%s", key, meant(key, known))
		}
	}
	rule := Rule{Arguments: Arguments{}}
	for key, globs := range map[string]*[]string{
		kinds: &rule.Kinds, namespaces: &rule.Namespaces, names: &rule.Names, clusters: &rule.Clusters,
	} {
		*globs = p.globs(key)
	}
	for _, argument := range arguments.OfRules() {
		if value, given := p.given[argument.Name]; given {
			if decoded := p.argument(argument, value); decoded != nil {
				rule.Arguments[argument.Name] = decoded
			}
		}
	}
	p.whole()
	// The map above has no order, and the messages of two runs must be the same.
	slices.SortFunc(p.problems, func(a, b Problem) int { return strings.Compare(a.Text, b.Text) })
	return rule
}

// argument returns the value of an argument; nil if it is not valid, or adds nothing.
func (p *parser) argument(argument arguments.Argument, value any) any {
	key := argument.Name
	switch {
	case argument.Kind.IsList():
		// An empty take_over_managers is a value, too: nothing is taken over.
		if texts := p.strings(key, argument.Example); len(texts) > 0 ||
			texts != nil && key == arguments.TakeOverManagers {
			return texts
		}
	case argument.Kind == arguments.OneOf:
		if text, is := value.(string); is && slices.Contains(argument.Values, text) {
			return text
		}
		last := len(argument.Values) - 1
		p.refuse(".%s: %v is not one of its values.\n\nWrite \"%s\" or %q.", key, quoted(value),
			strings.Join(argument.Values[:last], `", "`), argument.Values[last])
	case argument.Kind == arguments.Flag:
		if flag, is := value.(bool); is {
			return flag
		}
		p.refuse(".%s is not a bool.\n\nWrite true or false.", key)
	default:
		if object, is := value.(map[string]any); is {
			return object
		}
		p.refuse(".%s is not an object.\n\nWrite an object as in a resource: {} waits until the object is ready.", key)
	}
	return nil
}

// whole refuses a rule that covers everything without saying so, and a rule that adds nothing.
func (p *parser) whole() {
	has := func(key string) bool { _, given := p.given[key]; return given }
	if len(p.problems) > 0 {
		return // A wrong key may be the one that is missing.
	}
	if !slices.ContainsFunc(limiting, has) {
		p.refuse(" does not say what it covers.\n\nAdd kinds, namespaces, names or clusters. kinds = [\"*\"] covers " +
			"every object.")
		return
	}
	adds := func(key string) bool {
		list, isList := p.given[key].([]any)
		return has(key) && (!isList || len(list) > 0 || key == arguments.TakeOverManagers)
	}
	if !slices.ContainsFunc(adding, adds) {
		p.refuse(" adds nothing.\n\nAdd an argument: %s or %s.",
			strings.Join(adding[:len(adding)-1], ", "), adding[len(adding)-1])
	}
}

// meant returns what to write instead of a key.
func meant(key string, known []string) string {
	if nearest := paths.SimilarNames(key, known); len(nearest) > 0 {
		return "Write " + nearest[0] + "."
	}
	return "Remove it. The keys are " + strings.Join(known[:len(known)-1], ", ") + " and " + known[len(known)-1] + "."
}

// strings returns a list of strings; nil if the rule does not have it, or it is not valid.
func (p *parser) strings(key, example string) []string {
	value, given := p.given[key]
	if !given {
		return nil
	}
	list, is := value.([]any)
	texts := make([]string, 0, len(list))
	for _, element := range list {
		text, isText := element.(string)
		is = is && isText
		texts = append(texts, text)
	}
	if !is {
		p.refuse(".%s is not a list of strings.\n\nWrite a list, for example %[1]s = [%q].", key, example)
		return nil
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// examples are elements of the limits of a rule.
var examples = map[string]string{kinds: "Deployment", namespaces: "prod-*", names: "web", clusters: "prod"}

// globs returns a list of globs.
func (p *parser) globs(key string) []string {
	globs := p.strings(key, examples[key])
	if globs == nil {
		return nil
	}
	if len(globs) == 0 {
		p.refuse(".%s is empty, so the rule would cover nothing.\n\nAdd a pattern, or remove %[1]s.", key)
	}
	for _, glob := range globs {
		if problem := globProblem(key, glob); problem != "" {
			p.refuse(".%s: %q %s", key, glob, problem)
		}
	}
	return globs
}

// version matches the versions of API groups.
var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// globProblem returns the mistake in a glob and advice; "" if the glob is valid.
func globProblem(key, glob string) string {
	_, err := path.Match(glob, "")
	group, kind, isQualified := strings.Cut(glob, "/")
	switch {
	case glob == "":
		return "matches nothing.\n\nWrite a name, or remove it."
	case err != nil:
		return "is not a pattern.\n\nWrite a name in which * stands for any characters, ? for one, and [ab] for a or b."
	case key != kinds || !isQualified:
		return ""
	case strings.Contains(kind, "/"):
		_, kind, _ = strings.Cut(kind, "/")
		return fmt.Sprintf("has a version.\n\nWrite the group and the kind: %q.", group+"/"+kind)
	case version.MatchString(group):
		return fmt.Sprintf("has a version and no group.\n\nWrite %q, or %q for the core group alone.", kind,
			coreGroup+"/"+kind)
	case group == "" || kind == "":
		return "has only one side of the slash.\n\nWrite a kind, or a group and a kind: \"apps/Deployment\"."
	}
	return ""
}

func quoted(value any) string {
	if text, is := value.(string); is {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(value)
}

// MarshalJSON returns the arguments as states have them: all of them, the lists first.
func (a Arguments) MarshalJSON() ([]byte, error) {
	all := arguments.OfRules()
	slices.SortStableFunc(all, func(one, other arguments.Argument) int {
		switch {
		case one.Kind.IsList() && other.Kind.IsList():
			return strings.Compare(one.Name, other.Name)
		case one.Kind.IsList():
			return -1
		case other.Kind.IsList():
			return 1
		}
		return 0
	})
	var text bytes.Buffer
	for _, argument := range all {
		value := a[argument.Name]
		if value == nil && argument.Kind == arguments.OneOf {
			value = ""
		}
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(&text, ",%q:%s", storedName(argument.Name), data)
	}
	return []byte("{" + strings.TrimPrefix(text.String(), ",") + "}"), nil
}

// UnmarshalJSON reads what MarshalJSON has returned.
func (a *Arguments) UnmarshalJSON(data []byte) error {
	var stored map[string]any
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	*a = Arguments{}
	for _, argument := range arguments.OfRules() {
		value := stored[storedName(argument.Name)]
		if list, is := value.([]any); is {
			texts := make([]string, len(list))
			for i, element := range list {
				texts[i], _ = element.(string)
			}
			value = texts
		}
		if value != nil && value != "" {
			(*a)[argument.Name] = value
		}
	}
	return nil
}

// storedName returns the name of an argument in states: IgnoreFields for ignore_fields.
func storedName(name string) string {
	stored := ""
	for word := range strings.SplitSeq(name, "_") {
		stored += strings.ToUpper(word[:1]) + word[1:]
	}
	return stored
}
