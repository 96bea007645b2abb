locals {
  stages = provider::k8sconnect::stages(file("${path.module}/install.yaml"))
}

resource "k8sconnect_manifest" "namespaces" {
  for_each  = local.stages.namespaces
  yaml_body = each.value
}

resource "k8sconnect_manifest" "namespaced" {
  for_each   = local.stages.namespaced
  yaml_body  = each.value
  depends_on = [k8sconnect_manifest.namespaces]
}
