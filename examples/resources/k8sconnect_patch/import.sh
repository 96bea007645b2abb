# What the manager "fluentd-operator" owns of a ConfigMap becomes the patch
terraform import k8sconnect_patch.settings "apiVersion=v1,kind=ConfigMap,namespace=default,name=settings,manager=fluentd-operator"
