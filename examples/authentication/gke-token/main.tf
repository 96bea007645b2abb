data "google_container_cluster" "main" {
  name     = "main"
  location = "europe-west3"
}

ephemeral "google_client_config" "current" {}

provider "k8sconnect" {
  cluster = {
    host                   = "https://${data.google_container_cluster.main.endpoint}"
    cluster_ca_certificate = data.google_container_cluster.main.master_auth[0].cluster_ca_certificate
    token                  = ephemeral.google_client_config.current.access_token
  }
}
