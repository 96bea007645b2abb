package faults

import "strings"

// Incomplete returns the advice about fields that the server misses in a body beside other faults; "" without such
// fields.
func Incomplete(body string, lacking []string) string {
	if len(lacking) == 0 {
		return ""
	}
	return "Correct " + body + ", too: the API server misses a value of " + strings.Join(lacking, " and ") + "."
}
