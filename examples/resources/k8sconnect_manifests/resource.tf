resource "k8sconnect_manifests" "shop" {
  manifests = {
    settings = <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings, namespace: default}
      data: {colour: red}
    YAML

    web = {
      apiVersion = "v1"
      kind       = "Service"
      metadata   = { name = "web", namespace = "default" }
      spec = {
        selector = { app = "web" }
        ports    = [{ port = 80 }]
      }
    }
  }
}

output "uid_of_settings" {
  value = k8sconnect_manifests.shop.objects["settings"].uid
}
