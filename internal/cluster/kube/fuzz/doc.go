// Package fuzz holds the fuzz tests of package kube. They are apart from its other tests because a fuzz test
// is compiled with all that its package's tests need, and those need a control plane.
package fuzz
