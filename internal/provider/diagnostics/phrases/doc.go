// Package phrases has what sentences for users are made of: the names of attributes, paragraphs, lists of fields, quoted
// HCL. It knows neither a cluster nor Terraform's diagnostics.
package phrases
