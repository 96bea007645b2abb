// Package providerdata holds what the provider passes to its resources: clusters, the field manager and the data that
// all resources of a run share. It chooses between the connection of a resource and that of the provider.
//
// # One run
//
// [Provider] holds what the resources of one run of the provider share: the clients, and what they know of each other's
// objects and waits, a [run.Run].
//
// # The command of the CLI
//
// The plugin protocol does not show whether the CLI plans or destroys, and Terraform plans each object before it
// destroys it. On Linux the command line of the parent process tells the two apart. A wrong guess costs a dry-run or a
// warning, never an apply.
package providerdata
