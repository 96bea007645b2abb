// Package sample has objects as an API server stores them, with the claims of several managers and in any size,
// for benchmarks. For larger sizes it repeats the recorded container or key.
//
// The objects are a Pod, a Deployment and a ConfigMap as kube-apiserver recorded them. To record them again, run
// the tests of this package with -update. `make microbench` runs the benchmarks. Their sub-benchmarks by size show
// that cost grows in proportion to size. The time of fieldpath.Set.FromJSON for the same entries is the lower
// bound for the co-owner map.
package sample
