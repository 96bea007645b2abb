mock_provider "k8sconnect" {
  mock_resource "k8sconnect_manifest" {
    defaults = {
      object_ref = {
        api_version = "apps/v1"
        kind        = "Deployment"
        namespace   = "default"
        name        = "ferry"
        uid         = "7275b71a-4262-48e7-bde3-6912f403d888"
      }
    }
  }
}

run "manifest_fits" {
  command = plan

  assert {
    condition     = length(provider::k8sconnect::problems(file("${path.module}/ferry.yaml"))) == 0
    error_message = "ferry.yaml does not fit the schemas."
  }
}

run "outputs" {
  assert {
    condition     = output.uid == "7275b71a-4262-48e7-bde3-6912f403d888"
    error_message = "The output is not the uid of the object."
  }
}

run "objects_of_the_file" {
  command = plan

  assert {
    condition     = keys(provider::k8sconnect::documents(file("${path.module}/ferry.yaml"))) == tolist(["apps/Deployment/default/ferry"])
    error_message = "ferry.yaml has other objects."
  }
}
