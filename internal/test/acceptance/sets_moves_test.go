package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// setOf returns a set of ConfigMaps that adopts what exists.
func (s *set) setOf(name string, objects []string, arguments ...string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "resource \"k8sconnect_manifests\" %q {\n  adopt_existing = true\n  %s\n  manifests = {\n", name, strings.Join(arguments, "\n  "))
	for _, object := range objects {
		text.WriteString("    " + object + " = <<-YAML\n" + s.Expand(configMap(object, "1")) + "    YAML\n")
	}
	return text.String() + "  }\n}\n"
}

// releases is the rule of a set that gives up objects without deleting them.
func releases(objects ...string) string {
	return "rules = [{ names = [\"" + strings.Join(objects, `", "`) + "\"], on_destroy = \"release\" }]"
}

// managers returns the names of those that own something of a ConfigMap. It leaves out the placeholder of a release that
// comes before the new owner, which stands for no field.
func (s *set) managers(name string) []string {
	var names []string
	for _, entry := range s.Live("v1 ConfigMap " + name).GetManagedFields() {
		if entry.Manager != "before-first-apply" {
			names = append(names, entry.Manager)
		}
	}
	return names
}

// An object moves from one set to another in one apply, whichever of them is planned and applied first: it stays the
// same, and only its owner is another one. Without the rule, the plan is refused and has it.
func TestObjectThatMovesBetweenSets(t *testing.T) {
	t.Parallel()
	for name, depends := range map[string][2]string{
		"neither depends on the other":   {"", ""},
		"it goes to one that depends":    {"", "depends_on = [k8sconnect_manifests.one]"},
		"it leaves one that depends":     {"depends_on = [k8sconnect_manifests.other]", ""},
		"it goes to a set that is new":   {"", ""},
		"the plan is saved":              {"", ""},
		"both give and take":             {"", ""},
		"both have the same manager":     {`field_manager = "shop"`, `field_manager = "shop"`},
		"its set releases all that goes": {`on_destroy = "release"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			isNew, both, all := name == "it goes to a set that is new", name == "both give and take", strings.HasPrefix(depends[0], "on_destroy")
			other := []string{"own", "back"}
			first := []string{s.setOf("one", []string{"stays", "moves"}, strings.TrimPrefix(depends[0], `on_destroy = "release"`))}
			if !isNew {
				first = append(first, s.setOf("other", other, depends[1]))
			}
			s.Configure(first...)
			s.Do("apply", "-auto-approve")
			uid, was := s.uid("v1 ConfigMap moves"), s.managers("moves")

			of := map[bool][]string{false: {"stays"}, true: {"stays", "back"}}[both]
			goes := map[bool][]string{false: {"own", "back", "moves"}, true: {"own", "moves"}}[both]
			if !all {
				s.Configure(s.setOf("one", of, depends[0]), s.setOf("other", goes, depends[1]))
				s.expect(s.Exits(story.Refused, "plan"), "Object Managed Twice", `kinds = ["ConfigMap"], names = ["moves"], on_destroy = "release"`)
			}
			rule := releases("moves")
			if all {
				rule = ""
			}
			s.Configure(s.setOf("one", of, depends[0], rule), s.setOf("other", goes, depends[1], releases("back")))
			var out string
			if name == "the plan is saved" {
				out = s.Do("plan", "-out=moved") + s.Do("apply", "moved")
			} else {
				out = s.Do("apply", "-auto-approve")
			}
			s.expect(out, "Objects Released: ConfigMap NS/moves (v1)", "Existing Object Adopted: ConfigMap NS/moves (v1)",
				"not", "Objects Deleted", `"1" ->`)
			// A resource that is planned before the one that gives the object up does not know of it yet.
			if name != "it leaves one that depends" {
				s.expect(out, "ConfigMap NS/moves (v1) leaves another resource of this plan", "not", "Object May Be Managed Twice", "shares a field", "already owns fields")
			}
			s.settled()
			if s.uid("v1 ConfigMap moves") != uid {
				t.Error("the object was created again")
			}
			if now := s.managers("moves"); len(now) != 1 || slices.Equal(now, was) != (depends[0] == `field_manager = "shop"`) {
				t.Errorf("the managers were %v and are %v", was, now)
			}
		})
	}
}

// An object leaves a set for a resource of its own, and comes back, each time in one apply.
func TestSetHandsAnObjectToAResource(t *testing.T) {
	s := newSet(t)
	single := s.resourcesOf("k8sconnect_manifest", "  adopt_existing = true\n", "two")
	s.Configure(s.setOf("one", []string{"one", "two"}))
	s.Do("apply", "-auto-approve")
	uid := s.uid("v1 ConfigMap two")
	s.Configure(s.setOf("one", []string{"one"}), single)
	s.expect(s.Exits(story.Refused, "plan"), "Object Managed Twice")
	s.Configure(s.setOf("one", []string{"one"}, releases("two")), single)
	s.expect(s.Do("apply", "-auto-approve"), "1 added, 1 changed, 0 destroyed", "not", "Managed Twice", `"1" ->`)
	s.settled()
	if got := s.managers("two"); !slices.Equal(got, []string{"k8sconnect"}) {
		t.Errorf("the managers are %v", got)
	}
	s.Configure(s.setOf("one", []string{"one", "two"}), forgetOld)
	s.Do("apply", "-auto-approve")
	s.settled()
	if got := s.uid("v1 ConfigMap two"); got != uid {
		t.Error("the object was created again")
	}
}

// One object of a set is let go, or taken over, by a rule, and the rest goes on.
func TestOneObjectOfASet(t *testing.T) {
	s := newSet(t)
	s.As("kubectl-create").Create(configMap("taken", "1"))
	s.has(configMaps("1", "one", "taken", "let-go"))
	s.expect(s.Exits(story.Refused, "plan"), "Object Already Exists", "ConfigMap NS/taken (v1) exists on the cluster", "for this object alone in a rule")
	s.has(configMaps("1", "one", "taken", "let-go"), `rules = [{ names = ["taken"], adopt_existing = true }, { names = ["let-go"], on_destroy = "release" }]`)
	s.expect(s.Do("apply", "-auto-approve"), "Existing Object Adopted: ConfigMap NS/taken (v1)")
	s.settled()
	s.expect(s.Do("plan", "-destroy"), "Objects Released: ConfigMap NS/let-go (v1)", "not", "NS/one", "NS/taken")
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap taken")
	if got := s.managers("let-go"); slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, "k8sconnect") }) {
		t.Errorf("the managers are %v", got)
	}
}
