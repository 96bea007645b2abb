// Package kubernetesstub replaces the providers that Kubernetes objects come from, in tests of moved blocks. Their resources have states
// of the form that the real ones have, and send nothing: what the real ones apply, a test applies under their field manager.
package kubernetesstub
