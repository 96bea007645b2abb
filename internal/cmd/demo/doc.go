// Command demo shows the provider at work: it starts a control plane, plays six scenes with the real Terraform CLI
// or OpenTofu, checks what each of them shows, and leaves nothing behind. With KUBECONFIG_DEMO it plays them on
// the cluster of that kubeconfig's current context instead, in a namespace of its own.
package main
