// Package kubeclient holds the tests that check what package kube makes of a real control plane. They are apart from
// the tests beside that package, which need no server and compile without the libraries that start one.
package kubeclient
