// Package exports has the attributes with which a resource hands values of its object on: exports and values, and the same for
// secret ones. A name of exports is a key of values.
//
// A plan leaves unknown what it may change: new names, and those whose field the configuration gives another value. The other
// values stay known, so that a plan does not reach everything that was made of them. The next read shows what became of them.
package exports
