data "k8sconnect_chart" "ingress" {
  chart     = "oci://registry.example.com/charts/ingress"
  version   = "4.13.2"
  release   = "edge"
  namespace = "ingress"
  values    = [file("values.yaml"), yamlencode({ controller = { replicas = 3 } })]
}

resource "k8sconnect_manifests" "ingress" {
  manifests        = data.k8sconnect_chart.ingress.manifests
  secret_manifests = data.k8sconnect_chart.ingress.secret_manifests
}
