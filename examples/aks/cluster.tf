terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.0"
    }
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

variable "cluster_name" { type = string }
variable "location" { type = string }

variable "admin_group_ids" {
  description = "Object IDs of Entra ID groups whose members are administrators of the cluster. You must be in one of them."
  type        = list(string)
}

# The subscription comes from ARM_SUBSCRIPTION_ID.
provider "azurerm" {
  features {}
}

resource "azurerm_resource_group" "shop" {
  name     = var.cluster_name
  location = var.location
}

resource "azurerm_kubernetes_cluster" "shop" {
  name                = var.cluster_name
  location            = azurerm_resource_group.shop.location
  resource_group_name = azurerm_resource_group.shop.name
  dns_prefix          = var.cluster_name

  default_node_pool {
    name       = "default"
    vm_size    = "Standard_D2s_v5"
    node_count = 2
  }

  identity {
    type = "SystemAssigned"
  }

  # Only Entra ID issues credentials: the state contains no administrator's certificate.
  local_account_disabled = true
  azure_active_directory_role_based_access_control {
    admin_group_object_ids = var.admin_group_ids
  }
}
