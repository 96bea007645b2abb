data "aws_eks_cluster" "main" {
  name = "main"
}

ephemeral "aws_eks_cluster_auth" "main" {
  name = data.aws_eks_cluster.main.name
}

provider "k8sconnect" {
  cluster = {
    host                   = data.aws_eks_cluster.main.endpoint
    cluster_ca_certificate = data.aws_eks_cluster.main.certificate_authority[0].data
    token                  = ephemeral.aws_eks_cluster_auth.main.token
  }
}
