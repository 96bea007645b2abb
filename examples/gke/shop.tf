# The endpoint and its certificate are known once the cluster exists, in the middle of the first apply.
provider "k8sconnect" {
  cluster = {
    host                   = "https://${google_container_cluster.shop.endpoint}"
    cluster_ca_certificate = google_container_cluster.shop.master_auth[0].cluster_ca_certificate
    token                  = ephemeral.google_client_config.shop.access_token
  }
}

resource "k8sconnect_manifest" "namespace" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Namespace
    metadata:
      name: gke-shop
  YAML

  depends_on = [google_container_cluster.shop]
}

# With capabilities, the first plan renders the templates before the cluster exists, and shows the objects.
data "k8sconnect_chart" "web" {
  chart        = "${path.module}/web"
  release      = "shop"
  namespace    = "gke-shop"
  values       = [yamlencode({ replicas = 2 })]
  capabilities = { kube_version = "1.34" }
}

# The apply ends when the pods run. Autopilot starts their nodes first.
resource "k8sconnect_manifests" "web" {
  manifests        = data.k8sconnect_chart.web.manifests
  secret_manifests = data.k8sconnect_chart.web.secret_manifests
  hooks            = data.k8sconnect_chart.web.hooks

  wait = {}
  timeouts {
    create = "15m"
  }

  # A destroy deletes the objects before the namespace and the cluster.
  depends_on = [k8sconnect_manifest.namespace]
}
