data "k8sconnect_chart" "ingress" {
  chart     = "${path.module}/ingress" # or "oci://registry.example.com/charts/ingress"
  version   = "4.13.2"
  release   = "edge"
  namespace = "default"
  values    = [yamlencode({ timeout = "30s" })]
}

resource "k8sconnect_manifests" "ingress" {
  manifests        = data.k8sconnect_chart.ingress.manifests
  secret_manifests = data.k8sconnect_chart.ingress.secret_manifests
  hooks            = data.k8sconnect_chart.ingress.hooks
}
