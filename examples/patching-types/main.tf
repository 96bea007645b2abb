terraform {
  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

# The cluster comes from KUBE_CONFIG_PATH.
provider "k8sconnect" {}

# Labels of a node, by server-side apply.
resource "k8sconnect_patch" "node" {
  target = { api_version = "v1", kind = "Node", name = "worker-1" }

  yaml_body = <<-YAML
    metadata:
      labels:
        example.com/pool: batch
  YAML

  field_manager = "node-labels"
}

# A variable of a container, by a strategic merge patch: the name says which container and which variable.
resource "k8sconnect_patch" "aws_node" {
  target = { api_version = "apps/v1", kind = "DaemonSet", namespace = "default", name = "aws-node" }

  patch = {
    type = "strategic"
    body = jsonencode({
      spec = { template = { spec = { containers = [{
        name = "aws-node"
        env  = [{ name = "WARM_ENI_TARGET", value = "2" }]
      }] } } }
    })
  }

  field_manager = "aws-node-settings"
}

# An argument of a container that Helm installed, by a JSON patch: the tests say which container and which argument.
resource "k8sconnect_patch" "operator" {
  target = { api_version = "apps/v1", kind = "Deployment", namespace = "default", name = "operator" }

  patch = {
    type = "json"
    body = jsonencode([
      { op = "test", path = "/spec/template/spec/containers/0/name", value = "operator" },
      { op = "test", path = "/spec/template/spec/containers/0/args/0", value = "--leader-elect" },
      { op = "replace", path = "/spec/template/spec/containers/0/args/1", value = "--zap-log-level=debug" },
    ])
  }

  field_manager = "operator-log-level"
}

# A finalizer whose controller is gone, by a merge patch: null removes the field.
resource "k8sconnect_patch" "finalizer" {
  target = { api_version = "v1", kind = "ConfigMap", namespace = "default", name = "leftover" }

  patch = {
    type = "merge"
    body = jsonencode({ metadata = { finalizers = null } })
  }

  field_manager = "finalizer-removal"
}
