# The endpoint and its certificate are known once the cluster exists, in the middle of the first apply.
provider "k8sconnect" {
  cluster = {
    host                   = azurerm_kubernetes_cluster.shop.kube_config[0].host
    cluster_ca_certificate = azurerm_kubernetes_cluster.shop.kube_config[0].cluster_ca_certificate
    exec = {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "kubelogin"
      # The ID of the AKS server application, the same for every cluster.
      args = ["get-token", "--login", "azurecli", "--server-id", "6dae42f8-4368-4678-94ff-3960e28e3630"]
    }
  }
}

# All objects of a file. The apply ends when the pods run.
resource "k8sconnect_manifests" "shop" {
  manifests = provider::k8sconnect::documents(file("${path.module}/shop.yaml"), { format = "json" })

  # Two pods at first. Later, an autoscaler or kubectl sets the number.
  rules = [{ kinds = ["Deployment"], ignore_fields = ["spec.replicas"] }]

  wait = {}

  # A destroy deletes the objects before the cluster.
  depends_on = [azurerm_kubernetes_cluster.shop]
}
