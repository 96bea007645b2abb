// Package chart renders a Helm chart into manifests and hooks, in process: no helm program, no release, nothing written
// anywhere. It takes and returns plain Go; what a chart may read of a cluster goes through [Cluster].
//
// # What a chart can do
//
// Templates have Helm's functions, without the environment and without a network: host names resolve to nothing, and
// JSON schemas refer only to themselves. Lists and texts that templates make are limited in size, and a rendering in
// time.
//
// # Generated values
//
// A chart may draw values: passwords, keys, certificates, the time. Another rendering draws others, and each plan would
// change the objects. So [Request.Render] renders twice, in a second of a year later, and compares. The values that
// differ are generated. Where their objects exist, the draws take the values that are on the cluster, and the chart is
// rendered again: what follows from them, a checksum or a certificate in another object, follows. A draw whose value no
// longer belongs to its arguments is new, the hash of another password for instance. A generated value that is no draw,
// such as the checksum of something that is stored nowhere, stays as it is. The text around any of them is the new one.
//
// Most hooks are not on the cluster later. Draws that decide nothing but their metadata, a name for instance, follow
// from the chart, its release and its values. Others may be passwords, and stay random.
//
// A chart may draw only where a Secret of its own does not exist. As its next rendering finds that Secret, the first
// one is repeated with what it made in place of the cluster. The test/ecosystem compares charts with helm.
package chart
