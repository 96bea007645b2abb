// Package upgrades holds the tests that the provider works with the states of its earlier versions.
//
// # Recordings
//
// Each folder of testdata is what one version left: its configuration, its state with private state, and the objects
// with their managedFields. The folder before contains the objects that existed earlier, with a file for each manager
// that created them. The folder others contains what other managers applied after the provider. The test restores the
// objects on a control plane, gives the current provider the state, and expects an empty plan, then a change of one
// value that recreates no object, then a destroy that leaves no claim. Each recording has a value of each attribute of
// the resources in it, which a test checks.
//
// On another cluster, only the uids of the cluster and of the objects differ. The test replaces them in the state, and
// inside the base64 of private state. For OpenTofu, it also replaces the registry in the addresses of providers.
// Everything else is as the version wrote it. A copy of etcd would keep the uids, but it could not be reviewed.
//
// # Record a version
//
// Set main.tf, before and others in testdata/NAME, build the provider of that version, and run
//
//	TF_ACC=1 go test ./internal/test/upgrades -run '^TestRecord$' -version NAME -provider PATH
//
// A recording of a released version is never made again: users have states of that version. Until 0.1.0 is released,
// remove state.json, objects.json and origin.json of testdata/0.1.0 and record again if the form of the state changes.
package upgrades
