import {
  provider = k8sconnect

  to = k8sconnect_manifest.cart
  id = "apiVersion=apps/v1,kind=Deployment,namespace=${var.namespace},name=cart"
}
