variable "endpoint" { type = string }
variable "certificate_authority" { type = string }
variable "token" {
  type      = string
  sensitive = true
}

provider "k8sconnect" {
  cluster = {
    host                   = var.endpoint
    cluster_ca_certificate = var.certificate_authority
    token                  = var.token
  }
}
