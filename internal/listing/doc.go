// Package listing finds objects that somebody may want to manage: of a kind or of all kinds, by selectors and by who owns them.
//
// managedFields are metadata, so the owners cost no more than a list of metadata.
//
// # What a controller made
//
// Most objects of a cluster are made by controllers, and come back or change if somebody else manages them. An object counts as made
// by a controller if its ownerReferences name one, or if nobody but controllers has written to it. So do a few names: the objects
// that every namespace has, and Helm's records of its releases. Kinds that only controllers use are left out of "all kinds".
package listing
