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
      # The provider reads the file again while the apply runs, so the token may be rotated.
      users = [{ name = "pod", user = { tokenFile = "${var.service_account}/token" } }]
    })
  }
}
