variable "endpoint" { type = string }
variable "certificate_authority" { type = string }

# HCP Terraform sets this variable.
variable "tfc_kubernetes_dynamic_credentials" {
  type = object({
    default = object({ token_path = string })
    aliases = map(object({ token_path = string }))
  })
}

provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
    token_file             = var.tfc_kubernetes_dynamic_credentials.aliases["STAGING"].token_path
  }
}
