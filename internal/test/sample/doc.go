// Package sample has objects as an API server holds them, with the claims of several managers and in any size, for
// benchmarks. What a server wrote of one container or one key is repeated.
//
// The objects are a Pod, a Deployment and a ConfigMap as kube-apiserver recorded them. To record them again, run
// the tests of this package with -update. `make microbench` runs the benchmarks. Their sub-benchmarks by size show
// that cost grows in proportion to size. The floor of the co-owner map is what fieldpath.Set.FromJSON takes for
// the same entries.
package sample
