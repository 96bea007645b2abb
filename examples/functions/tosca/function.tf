resource "k8sconnect_manifests" "shop" {
  manifests = provider::k8sconnect::tosca(file("${path.module}/shop.yaml"), { replicas = 3 }, { namespace = "default" })
}
