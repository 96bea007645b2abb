terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

variable "cluster_name" { type = string }
variable "region" { type = string }

variable "subnet_ids" {
  description = "Subnets of the cluster and its nodes, in at least two availability zones, with access to the image registries."
  type        = list(string)
}

provider "aws" {
  region = var.region
}

locals {
  # What the control plane and the nodes may do.
  policies = {
    cluster = ["AmazonEKSClusterPolicy"]
    nodes   = ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly"]
  }
  services = { cluster = "eks.amazonaws.com", nodes = "ec2.amazonaws.com" }
  attached = merge([for role, names in local.policies : { for name in names : name => role }]...)
}

resource "aws_iam_role" "shop" {
  for_each = local.services

  name = "${var.cluster_name}-${each.key}"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = each.value } }]
  })
}

resource "aws_iam_role_policy_attachment" "shop" {
  for_each = local.attached

  role       = aws_iam_role.shop[each.value].name
  policy_arn = "arn:aws:iam::aws:policy/${each.key}"
}

resource "aws_eks_cluster" "shop" {
  name     = var.cluster_name
  role_arn = aws_iam_role.shop["cluster"].arn

  vpc_config {
    subnet_ids = var.subnet_ids
  }

  # The identity that creates the cluster is its administrator.
  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = true
  }

  depends_on = [aws_iam_role_policy_attachment.shop]
}

resource "aws_eks_node_group" "shop" {
  cluster_name    = aws_eks_cluster.shop.name
  node_group_name = "shop"
  node_role_arn   = aws_iam_role.shop["nodes"].arn
  subnet_ids      = var.subnet_ids

  scaling_config {
    min_size     = 1
    desired_size = 2
    max_size     = 3
  }

  depends_on = [aws_iam_role_policy_attachment.shop]
}
