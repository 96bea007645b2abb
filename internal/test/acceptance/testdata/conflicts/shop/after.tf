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
              image: nginx:1.30
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

  ignore_fields = ["spec.sessionAffinity"]
}

resource "k8sconnect_manifest" "settings" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: NS}
    data:
      currency: EUR
      log.level: debug
      theme: dark
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

resource "k8sconnect_manifest" "limits" {
  adopt_existing = true

  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: limits, namespace: NS}
    data: {orders.per.minute: "60", carts: "500"}
  YAML
}

resource "k8sconnect_manifest" "newsletter" {
  yaml_body = <<-YAML
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: newsletter, namespace: NS}
    data: {day: Monday}
  YAML
}

resource "k8sconnect_manifests" "banners" {
  field_manager = "k8sconnect-banners"

  manifests = {
    for name in ["spring", "summer", "autumn"] : name => <<-YAML
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: banner-${name}, namespace: NS}
      data: {text: "Welcome", colour: green}
    YAML
  }
}
