// Package kubernetesstub replaces other providers of Kubernetes objects in tests of moved blocks. The states of its
// resources have the same form as the real ones. The stubs send no requests: the test itself applies what the real
// provider would apply, under that provider's field manager.
package kubernetesstub
