// Package owners lists the owners of the fields in a cluster, and the findings that need a decision: fields that two
// tools write, claims that no tool gives up any more, objects without managers, and lists that only one manager can
// own. Begin with [Of].
//
// It reads the managedFields of many objects, which are metadata, so no value of an object is read. It knows nothing
// that managedFields do not record:
//
//   - managedFields are the present, not a history. A field that one tool took from another shows the last one only. So
//     [Alternating] is a suspicion: an update that is newer than an apply holds a field in a map in which that apply
//     holds others, and no apply holds the field.
//   - Some entries have no time: those of the subresource scale, and those of an apply that changed no value. Their
//     fields are not suspected, because the order of the writes is not known.
//   - The entry of a client that has created an object contains the defaults of the API server, too. The annotation of
//     kubectl apply tells the two apart; without it, the names of fields that have defaults are not suspected.
//   - The time of an entry is when a write last changed the entry or a value of it. The entry of a tool that applies
//     the same manifest every minute has an old time. So [Idle] is about managers that have not changed any object of
//     the survey since.
//   - A time is that of the whole entry, not of a field.
package owners
