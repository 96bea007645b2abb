// Package upgrades holds the tests that the provider works with the states of its earlier versions.
//
// # Recordings
//
// Each folder of testdata is what one version left: its configuration, its state with private state, and the objects with their
// managedFields. The folder before has the objects that existed earlier, with a file for each manager that created them. The
// folder others has what other managers applied after the provider. The test restores the objects on a control plane, gives the
// current provider the state, and expects an empty plan, then a change of one value, then a destroy that leaves no claim.
//
// On another cluster, only the uids of the objects differ. The test replaces them in the state, and inside the base64 and zlib of
// private state. For OpenTofu, it also replaces the registry in the addresses of providers. Everything else is as the version wrote
// it. A copy of etcd would keep the uids, but nobody could review it.
//
// # Record a version
//
// Write main.tf, before and others into testdata/NAME, build the provider of that version, and run
//
//	TF_ACC=1 go test ./internal/test/upgrades -run TestRecord -version NAME -provider PATH
//
// A recording is never made again: users have states of that version.
package upgrades
