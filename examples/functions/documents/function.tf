resource "k8sconnect_manifest" "shop" {
  for_each  = provider::k8sconnect::documents(file("${path.module}/shop.yaml"), { namespace = "default" })
  yaml_body = each.value
}
