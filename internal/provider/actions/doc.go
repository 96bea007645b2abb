// Package actions has the actions of the provider: operations that a lifecycle block triggers, or that terraform apply -invoke runs. They
// store nothing.
//
// What they do is done by packages that know no Terraform: restarting, waiting, jobs and disowning. Base has what they share: the
// connection, progress, and what is said when the user cancels.
package actions
