// Package acceptance_test tells in stories what the provider does on a real API server. Every file's name begins with the
// theme of its stories:
//
//	adoption        existing objects that a new resource adopts, and the claims that it takes over
//	conflicts       values that others write to our fields, before a plan and between a plan and its apply
//	connections     the ways to say where the cluster is, as whom, and in which namespace
//	deletion        what a destroy removes, waits for, spares and refuses, and what a taint replaces
//	fieldownership  the data source k8sconnect_field_ownership
//	functions       the provider's functions in a configuration
//	guard           the policy that the function guard returns
//	handover        objects that change hands: to a tool that applies them next, from one that is gone, and between
//	                states, sets and single resources, while no value changes
//	imports         imports by ID, by identity and with generated configuration
//	moves           moved blocks: states of other providers' resources that become ours
//	operations      the actions: what they do to objects, and what they print
//	owners          kubectl owners
//	ownership       who owns which field and which value, while others write and the manifest changes
//	patches         k8sconnect_patch: part of an object that somebody else created
//	pins            pin_fields, which keeps values that somebody else chose
//	planning        what a plan foresees, costs, waits for and refuses
//	reading         objects that a configuration reads, whoever created them
//	release         fields that ignore_fields and ignore_managers leave to others, and the values that stay
//	results         values of live objects that other parts of a configuration take
//	schemas         lists and maps of every merge strategy, and custom kinds whose schema changes
//	secrets         the values of Secrets, sensitive fields and write-only fields, which the provider never shows
//	sets            k8sconnect_manifests: many objects in one resource
//	validation      what is said of objects without a cluster, beside what the server says
package acceptance_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) {
	story.Parallel(12)
	os.Exit(story.Main(m))
}
