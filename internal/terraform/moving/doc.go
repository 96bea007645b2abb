// Package moving reads the states of other providers' resources that `moved` blocks name. Terraform calls a state mover
// before it configures the provider, so this package sends no requests.
//
// A [Source] names the provider, the resource type and the newest schema version that it reads, and holds a function
// that decodes the state. Each resource has a table of its Sources. To support another type, add a Source.
//
// # What a state does not contain
//
// If a source writes its fields in another form than the API server, [Moved] has no Body. The read that follows the
// move writes the body from the live object, as an import does. If a source wrote by update, Updaters names the
// managers that the API server recorded for it; the first apply takes them over.
//
// # The address of a provider
//
// Terraform passes `registry.terraform.io/hashicorp/kubernetes`. OpenTofu before 1.12.4 passes `kubernetes`
// (opentofu/opentofu#4352). So the parts of an address are compared from its end, and only those that it has. The host
// is ignored: mirrors have their own hosts.
package moving
