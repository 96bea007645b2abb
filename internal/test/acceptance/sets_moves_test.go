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

// The fields of the set that gives an object up are no conflict, which on_conflict = "fail" would refuse: neither a
// default that the manifest leaves to the server, nor a value that changes in the same apply. Those of others are.
func TestObjectMovesBetweenStrictSets(t *testing.T) {
	t.Parallel()
	const policy = `"{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web, namespace: NS, labels: {a: LABEL}}, ` +
		`spec: {podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 8080}]}]}}"`
	const target = "networking.k8s.io/v1 NetworkPolicy web"
	for name, label := range map[string]string{"no value changes": "b", "a value changes": "c"} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			set := func(name, object string) string {
				return s.Expand("resource \"k8sconnect_manifests\" \"" + name + "\" {\n  adopt_existing = true\n  on_conflict = \"fail\"\n" +
					"  rules = [{ kinds = [\"NetworkPolicy\"], on_destroy = \"release\" }]\n" +
					"  manifests = {\n    stays = <<-YAML\n" + configMap(name, "1") + "    YAML\n" + object + "  }\n}\n")
			}
			moves := func(label string) string { return "    web = " + strings.Replace(policy, "LABEL", label, 1) + "\n" }
			s.Configure(set("net", moves("b")), set("team", ""))
			s.Do("apply", "-auto-approve")
			uid := s.uid(target)
			s.Configure(set("net", ""), set("team", moves(label)))
			s.As("bob").Patch(target, `{"metadata":{"labels":{"a":"z"}}}`)
			s.expect(s.Exits(story.Refused, "plan"), "Field Ownership Conflict", `metadata.labels.a: "z" -> "`+label+`", owned by "bob"`,
				"not", "spec.ingress")
			s.Configure(strings.Replace(set("net", moves("b")), `"fail"`, `"force"`, 1), set("team", ""))
			s.Do("apply", "-auto-approve")

			s.Configure(set("net", ""), set("team", moves(label)))
			out := s.Do("apply", "-auto-approve")
			s.expect(out, "leaves another resource of this plan", "not", "TCP", "equivalent", "Object Changed During Apply")
			if label == "c" {
				s.expect(out, `metadata.labels.a: "b" -> "c"`)
			}
			s.settled()
			if s.uid(target) != uid {
				t.Error("the object was created again")
			}
			// What is destroyed has no second plan that announces it.
			s.Configure(set("heir", moves("d")))
			s.expect(s.Do("apply", "-auto-approve"), `metadata.labels.a: "`+label+`" -> "d"`)
			if s.settled(); s.uid(target) != uid {
				t.Error("the object of the set that was destroyed was created again")
			}
		})
	}
}

// A new resource for an object that another one deletes in the same plan, or an import of it, has the way to move it,
// whichever is planned first.
func TestObjectThatLeavesALargeSet(t *testing.T) {
	s := newSet(t)
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("z%d", i)
	}
	single := s.resourcesOf("k8sconnect_manifest", "", "moves")
	const way = `kinds = ["ConfigMap"], names = ["moves"], on_destroy = "release"`
	s.Configure(s.setOf("one", append(slices.Clone(names), "moves")))
	s.Do("apply", "-auto-approve")
	uid := s.uid("v1 ConfigMap moves")
	s.Configure(s.setOf("one", names), single)
	for range 3 {
		s.expect(s.Exits(story.Refused, "plan"), "Object Managed Twice", way, "not", "Object Already Exists")
	}
	imports := s.Expand("import {\n  to = k8sconnect_manifest.old[\"moves\"]\n  id = \"apiVersion=v1,kind=ConfigMap,namespace=NS,name=moves\"\n}\n")
	s.Configure(s.setOf("one", names), single, imports)
	s.expect(s.Exits(story.Refused, "plan"), "Object Managed Twice", way)
	s.Configure(s.setOf("one", names, releases("moves")), single, imports)
	s.Do("apply", "-auto-approve")
	s.settled()
	if s.uid("v1 ConfigMap moves") != uid {
		t.Error("the object was created again")
	}
}
