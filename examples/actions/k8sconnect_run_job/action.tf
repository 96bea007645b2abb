resource "k8sconnect_manifest" "survey" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: CronJob
    metadata:
      name: survey
      namespace: default
    spec:
      schedule: "0 3 * * *"
      jobTemplate:
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: sonar
                  image: registry.example.com/sonar:4
  YAML
}

# The Job of a CronJob, now.
action "k8sconnect_run_job" "survey" {
  config {
    cron_job = k8sconnect_manifest.survey.object_ref
  }
}

# A Job of its own, which the cluster deletes a day after its end.
action "k8sconnect_run_job" "dredge" {
  config {
    yaml_body = <<-YAML
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: dredge
        namespace: default
      spec:
        backoffLimit: 1
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: dredger
                image: registry.example.com/dredger:1
    YAML

    ttl_seconds_after_finished = 86400
  }
}
