// Command demo shows the provider at work: it starts a control plane, plays six scenes with the real Terraform CLI or
// OpenTofu, checks what each scene shows, and leaves nothing behind. With KUBECONFIG_DEMO, it plays the scenes in its
// own namespace on the cluster of that kubeconfig's current context.
package main
