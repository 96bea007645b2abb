// Package moving reads the states of other providers' resources, which `moved` blocks hand over. Terraform calls a mover on
// a provider that is not configured, so nothing here sends a request.
//
// A Source says which type of which provider it reads, up to which version of its schema. A new source is a Source with a
// function that decodes its state: a table of them is all that a resource has.
//
// # What a source does not say
//
// A source whose fields are written in another way than the API server's has no Body. The read that follows writes it from
// the live object, as an import does. A source that wrote by update names the managers that the server recorded for it; the
// first apply takes them over.
//
// # The address of a provider
//
// Terraform passes `registry.terraform.io/hashicorp/kubernetes`. OpenTofu before 1.12.4 passes `kubernetes`
// (opentofu/opentofu#4352). What an address has of host, namespace and type counts, from its end. The host says nothing:
// mirrors have hosts of their own.
package moving
