# What kubectl apply owned before Terraform took the objects over. It prints the claims, and changes nothing.
action "k8sconnect_disown" "kubectl" {
  config {
    managers       = ["kubectl-client-side-apply", "before-first-apply"]
    kinds          = ["Deployment", "Service", "ConfigMap"]
    namespace      = "default"
    label_selector = "app=buoy"
    dry_run        = true
  }
}

# The claim of a k8sconnect_patch whose state was lost, on one object.
action "k8sconnect_disown" "patch" {
  config {
    managers = ["k8sconnect-patch-1a2b3c4d"]

    target = {
      api_version = "v1"
      kind        = "ConfigMap"
      namespace   = "default"
      name        = "buoy"
    }
  }
}
