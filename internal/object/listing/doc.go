// Package listing finds objects that a user may want to manage: of a kind or of all kinds, by selectors and by owners.
//
// managedFields are metadata, so the owners cost no more than a list of metadata.
//
// # Objects that a controller made
//
// Most objects of a cluster are made by controllers. They come back or change if a user manages them. An object counts
// as made by a controller if its ownerReferences name one, or if only controllers have written to it. A few names count
// too: the objects that every namespace has, and Helm's records of its releases. Kinds that only controllers use are
// left out of "all kinds".
package listing
