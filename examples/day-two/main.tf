terraform {
  required_version = ">= 1.14"

  required_providers {
    k8sconnect = {
      source = "k8sconnect/k8sconnect"
    }
  }
}

provider "k8sconnect" {
  cluster = { config_path = "~/.kube/config" }
}

resource "k8sconnect_manifest" "settings" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ferry
      namespace: default
    data:
      timetable: summer
  YAML

  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.k8sconnect_restart.ferry]
    }
  }
}

resource "k8sconnect_manifest" "ferry" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ferry
      namespace: default
    spec:
      replicas: 2
      selector:
        matchLabels: {app: ferry}
      template:
        metadata:
          labels: {app: ferry}
        spec:
          containers:
            - name: engine
              image: registry.example.com/engine:7
              envFrom:
                - configMapRef: {name: ferry}
  YAML

  # The migration comes before the new version, each time.
  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.k8sconnect_run_job.migrate]
    }
  }
}

action "k8sconnect_restart" "ferry" {
  config {
    target = k8sconnect_manifest.ferry.object_ref
  }
}

action "k8sconnect_run_job" "migrate" {
  config {
    yaml_body = <<-YAML
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: ferry-migrate
        namespace: default
      spec:
        backoffLimit: 0
        activeDeadlineSeconds: 300
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: migrate
                image: registry.example.com/migrate:7
    YAML

    ttl_seconds_after_finished = 3600
  }
}

action "k8sconnect_disown" "kubectl" {
  config {
    managers = ["kubectl-edit", "kubectl-rollout"]
    target   = k8sconnect_manifest.ferry.object_ref
  }
}
