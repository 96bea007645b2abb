data "azurerm_kubernetes_cluster" "main" {
  name                = "main"
  resource_group_name = "main"
}

locals {
  aks = data.azurerm_kubernetes_cluster.main.kube_config[0]
}

provider "k8sconnect" {
  cluster = {
    host                   = local.aks.host
    cluster_ca_certificate = local.aks.cluster_ca_certificate
    client_certificate     = local.aks.client_certificate
    client_key             = local.aks.client_key
  }
}
