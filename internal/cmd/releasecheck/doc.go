// Command releasecheck builds the artefacts of a release, without publishing them, and checks them: names and checksums
// are those that the registries expect, the programs are small enough, the same commit gives the same bytes, Terraform
// and OpenTofu install the provider from a mirror and apply with it, and the tests compile on other systems. make
// release-check runs it. It builds the commit of HEAD in clones: uncommitted changes are not included.
package main
