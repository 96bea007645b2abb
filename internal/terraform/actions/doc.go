// Package actions implements the actions of the provider: operations that a lifecycle block triggers, or that terraform
// apply -invoke runs. An action stores nothing in the state.
//
// The packages restarting, waiting, jobs and disowning do the work, and do not depend on Terraform. The type base holds
// what all actions share: the connection, the progress messages, and the error if the user cancels.
package actions
