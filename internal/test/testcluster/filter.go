package testcluster

import "strings"

// Filter chooses requests.
type Filter func(Request) bool

// Matching returns the requests that every filter chooses, in their order.
func Matching(requests []Request, filters ...Filter) []Request {
	var chosen []Request
next:
	for _, request := range requests {
		for _, filter := range filters {
			if !filter(request) {
				continue next
			}
		}
		chosen = append(chosen, request)
	}
	return chosen
}

// ByUserAgent chooses the requests of clients whose user agent contains a text.
func ByUserAgent(text string) Filter {
	return func(r Request) bool { return strings.Contains(r.UserAgent, text) }
}

// ByUser chooses the requests of a user.
func ByUser(name string) Filter {
	return func(r Request) bool { return r.User == name }
}

// ByResource chooses the requests for a plural resource name and its subresources.
func ByResource(resource string) Filter {
	return func(r Request) bool { return r.Resource == resource }
}

// ByObject chooses the requests that name an object; namespace is empty for a cluster-scoped one. A watch
// or a list that names the object in its field selector alone is chosen too.
func ByObject(namespace, name string) Filter {
	return func(r Request) bool { return r.Namespace == namespace && r.Name == name }
}

// Lines returns the requests as String writes them, for a comparison that reads well.
func Lines(requests []Request) []string {
	lines := make([]string, 0, len(requests))
	for _, request := range requests {
		lines = append(lines, request.String())
	}
	return lines
}
