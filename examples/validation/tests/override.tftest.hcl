mock_provider "k8sconnect" {}

run "what_a_mock_makes_up" {
  override_resource {
    target = k8sconnect_manifest.ferry
    values = {
      object_ref = {
        api_version = "apps/v1"
        kind        = "Deployment"
        namespace   = "default"
        name        = "ferry"
        uid         = "0b1c22a4-90fd-4a5c-8f0e-6d1a5c3c1f11"
      }
    }
  }

  assert {
    condition     = output.uid == "0b1c22a4-90fd-4a5c-8f0e-6d1a5c3c1f11"
    error_message = "The output is not the uid of the object."
  }

  assert {
    condition     = length(k8sconnect_manifest.ferry.field_ownership) == 0
    error_message = "A mock has owners of fields."
  }
}
