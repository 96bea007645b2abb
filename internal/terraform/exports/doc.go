// Package exports contains the attributes with which a resource passes on values of its object: exports and values, and
// the same two for secret values. Each name in exports is a key of values.
//
// A plan leaves the values unknown that the apply may change: values of new names, and of fields for which the
// configuration or the cluster contains another value. The other values stay known: resources that use them do not
// change in the plan. The next read shows their live values.
package exports
