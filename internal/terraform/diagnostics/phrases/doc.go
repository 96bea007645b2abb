// Package phrases contains the parts of sentences for users: the names of attributes, paragraphs, lists of fields and
// quoted HCL. It depends neither on a cluster nor on Terraform's diagnostics.
package phrases
