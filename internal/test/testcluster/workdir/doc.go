// Package workdir runs the Terraform CLI with the provider of this source tree, as users run it: in a directory
// with a configuration, the provider in a process of its own for each plan and each apply.
package workdir
