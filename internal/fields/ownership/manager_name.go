package ownership

import "strings"

// IsCalled reports whether the name of a manager is the requested one. A requested name that ends in * matches all
// names with that prefix.
func IsCalled(name, requested string) bool {
	prefix, open := strings.CutSuffix(requested, "*")
	return name == requested || open && strings.HasPrefix(name, prefix)
}
