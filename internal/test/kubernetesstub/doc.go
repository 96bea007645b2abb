// Package kubernetesstub stands for the provider hashicorp/kubernetes in tests of moved blocks. Its resources have states of
// the form that the real ones have, and send nothing: what the real ones apply, a test applies under their field manager.
package kubernetesstub
