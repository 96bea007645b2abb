// Package privatestate reads and writes what resources keep in private state, and compresses it. The plugin framework
// keeps private state as JSON with each value in base64, and Terraform writes that in base64 again. Terraform's backend
// "local" writes the whole state for each resource that an apply changes, so size is time.
//
// Sealed private state is one byte, the version of the dictionary, and then the values as one JSON object, compressed
// with that dictionary, a string that most private states have in common. A dictionary never changes; another one gets
// another version.
package privatestate
