// Command releasecheck builds what a release would publish, without publishing it, and checks it: the names and the checksums that
// the registries expect, the size of the programs, that the same commit gives the same bytes, that the CLI installs the provider and
// applies with it, and that the tests compile on other systems. make release-check runs it. It builds the commit of HEAD in clones,
// so that uncommitted changes are not part of it.
package main
