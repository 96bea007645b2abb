// Package owners says who owns what in a cluster, and what somebody has to decide: fields that two tools write, claims
// that nobody gives up any more, objects without managers, lists that only one manager can own. Begin with [Of].
//
// It reads the managedFields of many objects, which are metadata, so no value of an object is read. What managedFields
// do not record, it does not know:
//
//   - managedFields are the present, not a history. A field that one tool took from another shows the last one only. So
//     [Alternating] is a suspicion: an update that is newer than an apply holds a field in a map in which that apply
//     holds others, and no apply holds the field.
//   - Some entries have no time: those of the subresource scale, and those of an apply that changed no value. What they
//     hold is not suspected, because the order of the writes is not known.
//   - The entry of a client that has created an object contains the defaults of the API server, too. The annotation of
//     kubectl apply tells the two apart; without it, the names of fields that have defaults are not suspected.
//   - The time of an entry is when a write last changed the entry or a value of it. A tool that applies the same every
//     minute has an old time. So [Idle] is about managers that have changed nothing, in no object of the survey.
//   - A time is that of the whole entry, not of a field.
package owners
