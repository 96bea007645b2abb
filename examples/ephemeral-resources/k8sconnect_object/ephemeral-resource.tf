# An operator of the database has created this Secret.
ephemeral "k8sconnect_object" "database" {
  api_version = "v1"
  kind        = "Secret"
  namespace   = "default"
  name        = "database-owner"
}

# The application gets the password, and neither the state nor a plan has it.
resource "k8sconnect_manifest" "app" {
  yaml_body = yamlencode({
    apiVersion = "v1"
    kind       = "Secret"
    metadata = {
      name      = "app-database"
      namespace = "default"
    }
    stringData = {
      host = "database.default.svc"
    }
  })
  yaml_body_wo = yamlencode({
    stringData = {
      password = ephemeral.k8sconnect_object.database.secret_data["password"]
    }
  })
  yaml_body_wo_version = 1
}
