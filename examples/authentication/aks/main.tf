variable "endpoint" { type = string }
variable "certificate_authority" { type = string }

provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
    exec = {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "kubelogin"
      # The ID is that of the AKS server application, which is the same for every cluster.
      args = ["get-token", "--login", "azurecli", "--server-id", "6dae42f8-4368-4678-94ff-3960e28e3630"]
    }
  }
}
