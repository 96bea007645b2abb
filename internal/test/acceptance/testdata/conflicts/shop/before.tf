resource "k8sconnect_manifest" "web" {
  yaml_body = <<-YAML
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: NS
      labels: {app.kubernetes.io/part-of: shop}
    spec:
      replicas: 3
      selector:
        matchLabels: {app: web}
      template:
        metadata:
          labels: {app: web}
        spec:
          containers:
            - name: web
              image: nginx:1.29
              ports: [{containerPort: 80, name: http}]
              resources:
                requests: {cpu: 100m, memory: 64Mi}
  YAML
}

resource "k8sconnect_manifest" "front" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Service
    metadata: {name: front, namespace: NS}
    spec:
      selector: {app: web}
      sessionAffinity: None
      ports: [{name: http, port: 80}]
  YAML
}

resource "k8sconnect_manifest" "settings" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: NS}
    data:
      currency: EUR
      log.level: info
  YAML
}

resource "k8sconnect_manifest" "login" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: Secret
    metadata: {name: login, namespace: NS}
    stringData:
      user: shop
      password: correct-horse
  YAML
}

resource "k8sconnect_manifest" "orders" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: orders, namespace: NS}
    spec:
      accessModes: [ReadWriteOnce]
      storageClassName: ""
      resources: {requests: {storage: 1Gi}}
  YAML
}

resource "k8sconnect_manifests" "banners" {
  field_manager = "k8sconnect-banners"

  manifests = {
    for name in ["spring", "summer", "winter"] : name => <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: banner-${name}, namespace: NS}
      data: {text: "Welcome", colour: green}
    YAML
  }
}
