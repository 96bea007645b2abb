// Command gendocs writes the pages below docs/ from the provider's schema, templates/ and examples/. It asks the
// Terraform CLI of the acceptance tests, Terraform or OpenTofu, for the schema and passes it on to tfplugindocs,
// which then downloads no CLI. It runs in the root of the source tree.
package main
