// Package upgrades holds the tests that the provider continues with the states of its earlier versions.
//
// # Recordings
//
// Each folder of testdata is what one version left: its configuration, its state with private state, and the objects with their
// managedFields. Folder before has what was on the cluster before, a file for each manager that created it. Folder others has what
// managers applied on the server after us. The test restores the objects on a control plane, gives the present provider the state,
// and expects an empty plan, then a change of one value, then a destroy that leaves no claim.
//
// Only the uids of the objects differ on another cluster. The test replaces them in the state, where they stand as they are, and in
// private state inside of base64 and zlib. OpenTofu has another registry in the addresses of providers. Everything else is as the
// version wrote it. A copy of etcd would keep the uids, but nobody could read it in a review.
//
// # Record a version
//
// Write main.tf, before and others into testdata/NAME, build the provider of that version, and run
//
//	TF_ACC=1 go test ./internal/test/upgrades -run TestRecord -version NAME -provider PATH
//
// A recording is never made again: states of that version are out there.
package upgrades
