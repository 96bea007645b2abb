package ownership

import "strings"

// IsCalled reports whether the name of a manager is the requested one, which may end in * for all names that begin so.
func IsCalled(name, requested string) bool {
	prefix, open := strings.CutSuffix(requested, "*")
	return name == requested || open && strings.HasPrefix(name, prefix)
}
