package worlds_test

import "slices"

// addRules moves arguments to rules of the provider block, and back.
func addRules(r random, all []step) {
	for i := range all {
		c := &all[i].configuration
		if i > 0 && r.IntN(3) > 0 { // Each change of the rules needs processes of its own.
			c.byRules = slices.Clone(all[i-1].configuration.byRules)
			continue
		}
		for _, name := range []string{"ignore_fields", "ignore_managers", "on_conflict", "sensitive_fields", "take_over_managers"} {
			if r.IntN(2) == 0 {
				c.byRules = append(c.byRules, name)
			}
		}
	}
}

// ruled returns the configuration without what rules have, and the rules. A resource keeps a part of a list.
func (c configuration) ruled(namespace string) (configuration, []any) {
	rest := c.clone()
	rest.pin = c.pinned() // What a rule decides about cannot be pinned, either.
	var rules []any
	for _, name := range c.byRules {
		add := map[string]any{"namespaces": []any{namespace}}
		switch list := rest.list(name); {
		case name == "on_conflict" && c.onConflict != "":
			add[name], rest.onConflict = c.onConflict, ""
		case list == nil || *list == nil || len(*list) == 0 && name != "take_over_managers":
			continue
		default:
			kept := len(*list) / 2
			values := []any{}
			for _, value := range (*list)[kept:] {
				values = append(values, value)
			}
			add[name] = values
			if *list = slices.Clone((*list)[:kept]); kept == 0 {
				*list = nil
			}
		}
		// Rules for other objects come before and after it.
		rules = append(rules, map[string]any{"namespaces": []any{"else"}, "ignore_fields": []any{"spec"}}, add)
	}
	return rest, append(rules, map[string]any{"names": []any{"else"}, "on_conflict": "fail", "delete_protection": true})
}

// list returns an argument that is a list; nil for any other.
func (c *configuration) list(name string) *[]string {
	return map[string]*[]string{
		"ignore_fields": &c.ignore, "ignore_managers": &c.ignoreManagers, "sensitive_fields": &c.sensitive,
		"take_over_managers": &c.takeOver,
	}[name]
}
