// Package fuzzing holds fuzz tests of connections: no string as a kubeconfig or as a host makes an error that quotes a
// credential. They are not beside the package cluster/kube because a fuzz test is compiled with all that its package's
// tests need, and those need a control plane.
package fuzzing
