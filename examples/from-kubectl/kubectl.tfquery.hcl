list "k8sconnect_manifest" "kubectl" {
  provider = k8sconnect
  limit    = 1000

  config {
    manager = "kubectl-client-side-apply"
  }
}
