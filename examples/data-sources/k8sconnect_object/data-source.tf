data "k8sconnect_object" "dns" {
  api_version = "v1"
  kind        = "Service"
  namespace   = "kube-system"
  name        = "kube-dns"
}

# Another team may have created this one. If not, object is null, and try has a default.
data "k8sconnect_object" "region" {
  api_version = "v1"
  kind        = "ConfigMap"
  namespace   = "default"
  name        = "region"
  optional    = true
}

# Each plan waits until the rollout of this Deployment is done, at most two minutes.
data "k8sconnect_object" "gateway" {
  api_version = "apps/v1"
  kind        = "Deployment"
  namespace   = "default"
  name        = "gateway"
  wait        = {}
  timeouts {
    read = "2m"
  }
}

resource "k8sconnect_manifest" "resolver" {
  yaml_body = yamlencode({
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata = {
      name      = "resolver"
      namespace = "default"
      labels    = { version = data.k8sconnect_object.gateway.object.metadata.labels["app.kubernetes.io/version"] }
    }
    data = {
      nameserver = data.k8sconnect_object.dns.object.spec.clusterIP
      region     = try(data.k8sconnect_object.region.object.data.name, "eu-central-1")
    }
  })
}
