// Package providerdata holds the data that the provider passes to its resources: clusters, the field manager and the
// data that all resources of a run share. It chooses between the connection of a resource and that of the provider.
//
// # One run
//
// [Provider] holds the data that the resources of one run of the provider share: the clients, and a [run.Run] with the
// records of objects and waits.
//
// # The command of the CLI
//
// The plugin protocol does not show whether the CLI plans or destroys, and Terraform plans each object before it
// destroys it. On Linux the command line of the parent process tells the two apart. A wrong guess costs a dry-run or a
// warning, never an apply.
package providerdata
