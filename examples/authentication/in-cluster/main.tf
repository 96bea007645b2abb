variable "api_server" {
  type    = string
  default = "https://kubernetes.default.svc"
}

variable "service_account" {
  type    = string
  default = "/var/run/secrets/kubernetes.io/serviceaccount"
}

provider "k8sconnect" {
  cluster = {
    kubeconfig = yamlencode({
      apiVersion      = "v1"
      kind            = "Config"
      current-context = "pod"
      contexts        = [{ name = "pod", context = { cluster = "pod", user = "pod" } }]
      clusters = [{
        name    = "pod"
        cluster = { server = var.api_server, certificate-authority = "${var.service_account}/ca.crt" }
      }]
      # The file is read again while the apply runs, so that a token which is rotated does no harm.
      users = [{ name = "pod", user = { tokenFile = "${var.service_account}/token" } }]
    })
  }
}
