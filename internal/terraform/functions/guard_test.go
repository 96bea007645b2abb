package functions

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Each mistake in the options of guard is told with the attribute, what is wrong with it, and what to write.
func TestGuardRefusesBadOptions(t *testing.T) {
	t.Parallel()
	list := func(elements ...string) attr.Value {
		var values []attr.Value
		var kinds []attr.Type
		for _, element := range elements {
			values, kinds = append(values, types.StringValue(element)), append(kinds, types.StringType)
		}
		return types.TupleValueMust(kinds, values)
	}
	text := func(value string) attr.Value { return types.StringValue(value) }
	for want, options := range map[string]map[string]attr.Value{
		"": {"mode": text("deny"), "kinds": list("apps/Deployment", "core/*", "Pod"), "scale": list("core/*/a/b*")},
		`additions is not true or false. Write additions = true`:  {"mode": text("deny"), "additions": text("deny")},
		`mode is missing. Write mode =`:                           {},
		`mode is "refuse". Write "warn"`:                          {"mode": text("refuse")},
		`no attribute "modus". Write mode`:                        {"modus": text("deny")},
		`no attribute "x". There are `:                            {"x": text("deny")},
		`mode is not a string`:                                    {"mode": types.BoolValue(true)},
		`kinds is not a list of strings. Write a list`:            {"mode": text("deny"), "kinds": text("Pod")},
		`kinds: "v1/Pod" has a version and no group. Write "Pod"`: {"mode": text("deny"), "kinds": list("v1/Pod")},
		`kinds: "apps/v1/Deployment" has a version`:               {"mode": text("deny"), "kinds": list("apps/v1/Deployment")},
		`kinds: "/Pod" is neither a kind`:                         {"mode": text("deny"), "kinds": list("/Pod")},
		`kinds is empty. Write a pattern`:                         {"mode": text("deny"), "kinds": list()},
		`namespaces: "[a" is not a pattern`:                       {"mode": text("deny"), "namespaces": list("[a")},
		`namespaces: "" matches nothing`:                          {"mode": text("deny"), "namespaces": list("")},
		`namespaces: "a\n" has a character`:                       {"mode": text("deny"), "namespaces": list("a\n")},
		`field_managers: "*" makes every manager an owner`:        {"mode": text("deny"), "field_managers": list("*")},
		`exempt_users: "**" exempts everybody`:                    {"mode": text("deny"), "exempt_users": list("**")},
		`scale: "shop/web" is not group/kind/namespace/name`:      {"mode": text("deny"), "scale": list("shop/web")},
		`scale: "apps/Deployment//web" is not group/kind`:         {"mode": text("deny"), "scale": list("apps/Deployment//web")},
		`delete = "deny" needs owner_users or owner_groups`:       {"mode": text("deny"), "delete": text("deny")},
		`delete is "yes". Write "warn", "deny" or "audit"`:        {"mode": text("deny"), "delete": text("yes")},
		`name is "A b", which cannot be the name`:                 {"mode": text("deny"), "name": text("A b")},
		`source has more than one line`:                           {"mode": text("deny"), "source": text("a\nb")},
		`source has 201 characters, and messages`:                 {"mode": text("deny"), "source": text(strings.Repeat("a", 201))},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			kinds := map[string]attr.Type{}
			for name, value := range options {
				kinds[name] = value.Type(t.Context())
			}
			read, problem := readGuard(types.ObjectValueMust(kinds, options))
			if problem == "" {
				problem = read.Check()
			}
			if !strings.Contains(problem, want) || (want == "") != (problem == "") {
				t.Errorf("the problem is %q, want %q", problem, want)
			}
		})
	}
	if _, problem := readGuard(text("deny")); problem != `options are not an object. Write { mode = "warn" }` {
		t.Errorf("a text instead of options: %q", problem)
	}
}
