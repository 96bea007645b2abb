// Package projection reads the values at owned fields: it walks an object and a field set side by side, fingerprints
// values, and splits a body into the fields that ignore patterns cover and those they do not. Plain Go in, plain Go
// out.
//
// [Walk] visits the value of each field of a set, and [Lookup] finds one. For many fields of one object, make a
// [Reader]. [Extract] returns the part of an object that a set names.
//
// # Cost
//
// No function takes time that grows with the square of the number of an object's fields. A [Reader] reads each list of
// an object once, whereas [Lookup] reads the lists on its way for each field.
//
// # Splitting a body
//
// [SplitBody] walks body and field set side by side. Atomic lists and maps, and the keys of list items, cannot be
// released in part. A pattern that asks for that is reported as [NotIgnorable], with the path to ignore instead.
//
// # Changes that no claim shows
//
// [Differences] compares an object before and after an apply, leaf by leaf. A plan reports the values that change or
// disappear and have no owner.
package projection
