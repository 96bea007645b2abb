# Without namespace, the objects of all namespaces. The names are enough here.
data "k8sconnect_objects" "shops" {
  api_version    = "v1"
  kind           = "Namespace"
  label_selector = "team=shop"
  metadata_only  = true
}

# A default network policy in each of them.
resource "k8sconnect_manifest" "deny_ingress" {
  for_each = toset([for namespace in data.k8sconnect_objects.shops.objects : namespace.metadata.name])

  yaml_body = yamlencode({
    apiVersion = "networking.k8s.io/v1"
    kind       = "NetworkPolicy"
    metadata = {
      name      = "deny-ingress"
      namespace = each.key
    }
    spec = {
      podSelector = {}
      policyTypes = ["Ingress"]
    }
  })
}
