// Package clihost runs commands of a Terraform CLI in a few processes that stay, its hosts, instead of a process for
// each command. A host is the CLI itself with one more file, servers/clihost: for each command it changes to the
// directory, sets arguments and environment, and calls the function that main calls. The commands of a host share what
// the CLI keeps for the time of its process, above all the schemas of providers by their address. So all commands of a
// host have to use the same build of a provider.
//
// All hosts accept connections of one socket; a connection is one command. A host runs one command at a time, because
// a command needs the working directory and the environment of its process.
package clihost
