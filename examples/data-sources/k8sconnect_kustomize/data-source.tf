data "k8sconnect_kustomize" "harbour" {
  path = "${path.module}/production"
}

resource "k8sconnect_manifests" "harbour" {
  manifests = data.k8sconnect_kustomize.harbour.documents
}
