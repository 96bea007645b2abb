# A namespaced object
terraform import k8sconnect_manifest.settings "apiVersion=v1,kind=ConfigMap,namespace=default,name=settings"

# A cluster-scoped object: leave namespace out
terraform import k8sconnect_manifest.team "apiVersion=v1,kind=Namespace,name=team"
