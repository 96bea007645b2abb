data "k8sconnect_kustomize" "harbour" {
  path = "${path.module}/production"
}

resource "k8sconnect_manifests" "harbour" {
  manifests        = data.k8sconnect_kustomize.harbour.manifests
  secret_manifests = data.k8sconnect_kustomize.harbour.secret_manifests
}
