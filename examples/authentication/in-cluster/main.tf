provider "k8sconnect" {
  cluster = { in_cluster = true }
}
