# The endpoint and its certificate are known once the cluster exists, in the middle of the first apply.
provider "k8sconnect" {
  cluster = {
    host                   = aws_eks_cluster.shop.endpoint
    cluster_ca_certificate = aws_eks_cluster.shop.certificate_authority[0].data
    exec = {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "aws"
      args        = ["eks", "get-token", "--cluster-name", var.cluster_name, "--region", var.region, "--output", "json"]
    }
  }
}

# The namespace of the shop, its Service and its PodDisruptionBudget.
resource "k8sconnect_manifests" "shop" {
  manifests = provider::k8sconnect::documents(file("${path.module}/shop.yaml"), { format = "json" })

  # A destroy deletes the objects before the nodes and the cluster.
  depends_on = [aws_eks_node_group.shop]
}

# The apply ends when the pods run.
resource "k8sconnect_manifest" "web" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: eks-shop
    spec:
      replicas: 2
      selector:
        matchLabels: {app: web}
      template:
        metadata:
          labels: {app: web}
        spec:
          containers:
            - name: web
              image: nginx:1.29
              ports:
                - containerPort: 80
              resources:
                requests: {cpu: 100m, memory: 64Mi}
                limits: {memory: 128Mi}
  YAML

  wait       = {}
  depends_on = [k8sconnect_manifests.shop]
}
