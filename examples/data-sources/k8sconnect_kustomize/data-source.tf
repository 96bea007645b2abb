data "k8sconnect_kustomize" "harbour" {
  path = "${path.module}/production"
}

resource "k8sconnect_manifest" "namespaces" {
  for_each  = data.k8sconnect_kustomize.harbour.namespaces
  yaml_body = each.value
}

resource "k8sconnect_manifest" "namespaced" {
  for_each   = data.k8sconnect_kustomize.harbour.namespaced
  yaml_body  = each.value
  depends_on = [k8sconnect_manifest.namespaces]
}
