// Command gendocs writes the pages below docs/ from the provider's schema, templates/ and examples/. It gets the
// schema from the Terraform CLI of the acceptance tests, Terraform or OpenTofu, and passes it to tfplugindocs, which
// then downloads no CLI. The arguments of a connection stay on the page of the provider; other pages link to them. It
// runs in the root of the source tree.
package main
