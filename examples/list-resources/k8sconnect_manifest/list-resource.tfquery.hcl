# What people applied with kubectl apply, of any kind.
list "k8sconnect_manifest" "kubectl" {
  provider = k8sconnect
  limit    = 1000

  config {
    manager = "kubectl-client-side-apply"
  }
}

# The Deployments and Services of one application that Terraform does not manage yet.
list "k8sconnect_manifest" "shop" {
  provider = k8sconnect

  config {
    kinds          = ["Deployment", "v1 Service"]
    namespace      = "default"
    label_selector = "app.kubernetes.io/part-of=shop"
    unmanaged      = true
  }
}
