package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planMoving is a Node that another provider's resource has labelled before a moved block makes a patch of it.
func planMoving(e *example) {
	const labels = `apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {example.com/pool: gpu, example.com/team: research}}
`
	stub, err := kubernetesstub.Serve(e.T, kubernetesstub.Kubernetes)
	story.Must(e.T, err)
	e.Env = append(e.Env, stub)
	e.createBefore()
	e.As("Terraform").Apply(labels)
	main := filepath.Join(e.Dir, "main.tf")
	arrived := pages.Read(e.T, main)
	write(e.T, main, `
resource "kubernetes_labels" "worker" {
  api_version = "v1"
  kind        = "Node"
  metadata {
    name = "gpu-1"
  }
  labels = { "example.com/pool" = "gpu", "example.com/team" = "research" }
}
`)
	e.apply()
	write(e.T, main, arrived)
	e.says(e.plan(story.Changes), "(moved from kubernetes_labels.worker)", `= "Terraform" -> "`, "Plan: 0 to add, 1 to change, 0 to destroy.")
	e.apply()
	e.plan(story.Nothing)
}

// moveFrom replaces what the example has by resources of another provider, applies them, and goes back. A stub of that provider
// stores their state; the test makes their objects.
func (e *example) moveFrom(of kubernetesstub.Provider, source, resources string) {
	e.T.Helper()
	stub, err := kubernetesstub.Serve(e.T, of)
	story.Must(e.T, err)
	e.Env = append(e.Env, stub)
	main := filepath.Join(e.Dir, "main.tf")
	arrived := pages.Read(e.T, main)
	write(e.T, main, "terraform {\n  required_providers {\n    "+source+"\n  }\n}\n"+resources)
	e.apply()
	write(e.T, main, arrived)
}

const invoicesMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: invoices, namespace: default}
data: {currency: EUR, footer: Thank you}
`

const invoicesWeb = `apiVersion: apps/v1
kind: Deployment
metadata: {name: invoices, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: invoices}}
  template:
    metadata: {labels: {app: invoices}}
    spec: {containers: [{name: web, image: "nginx:1.28", env: [{name: LOCALE, value: fr}]}]}
`

// planFromKubernetes has an object that kubernetes_manifest applied, and one that a typed resource wrote.
func planFromKubernetes(e *example) {
	web := deployment("invoices")
	e.As("Terraform").Apply(invoicesMap)
	e.As("HashiCorp").Create(invoicesWeb)
	e.awaitRollout(web)
	e.moveFrom(kubernetesstub.Kubernetes, `kubernetes = { source = "hashicorp/kubernetes" }`, `
resource "kubernetes_manifest" "invoices" {
  manifest = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "invoices", namespace = "default" }
    data       = { currency = "EUR", footer = "Thank you" }
  }
}
resource "kubernetes_deployment_v1" "invoices" {
  id = "default/invoices"
  metadata {
    name      = "invoices"
    namespace = "default"
  }
}
`)
	e.says(e.plan(story.Changes), `~ "data.footer" = "Terraform" -> "k8sconnect"`, `~ "spec.replicas" = "HashiCorp" -> "k8sconnect"`,
		"Plan: 0 to add, 2 to change, 0 to destroy.")
	e.apply(web)
	e.plan(story.Nothing)
	e.configure("      footer   = \"Thank you\"\n", "", "            env:\n            - name: LOCALE\n              value: fr\n", "")
	e.apply(web)
	e.plan(story.Nothing)
	e.lacks("v1 ConfigMap invoices", "footer")
	e.lacks(web, "LOCALE")
}

const reports = `apiVersion: apps/v1
kind: Deployment
metadata: {name: reports, namespace: default, labels: {team: finance}}
spec:
  replicas: 2
  selector: {matchLabels: {app: reports}}
  template:
    metadata: {labels: {app: reports}}
    spec: {containers: [{name: web, image: "nginx:1.28"}]}
`

// planFromKubectlManifest has an object that kubectl_manifest wrote by update.
func planFromKubectlManifest(e *example) {
	web := deployment("reports")
	e.As("HashiCorp").ApplyClientSide(reports)
	e.awaitRollout(web)
	e.moveFrom(kubernetesstub.KubectlGavinbunney, `kubectl = { source = "gavinbunney/kubectl" }`,
		"resource \"kubectl_manifest\" \"reports\" {\n  ignore_fields = [\"spec.replicas\"]\n  yaml_body = <<-YAML\n"+reports+"YAML\n}\n")
	e.says(e.plan(story.Changes), `~ "metadata.labels.team" = "HashiCorp" -> "k8sconnect"`, "Plan: 0 to add, 1 to change, 0 to destroy.", "Warning: Annotations of Other Tools")
	e.apply(web)
	e.plan(story.Nothing)
	e.configure("      labels:\n        team: finance\n", "")
	e.says(e.plan(story.Changes), `- "metadata.labels.team" = "finance" -> null`, "Plan: 0 to add, 1 to change, 0 to destroy.")
	e.apply(web)
	e.plan(story.Nothing)
	e.lacks(web, "\"team\"")
}

const mailer = `apiVersion: v1
kind: ConfigMap
metadata: {name: mailer, namespace: default, annotations: {k8sconnect.terraform.io/created-at: "2026-01-01T00:00:00Z", k8sconnect.terraform.io/terraform-id: 5d41402abc4b}}
data: {host: smtp.example.com, port: "587"}
`

// planFromK8sconnect has an object of the provider that had this name before.
func planFromK8sconnect(e *example) {
	e.As("k8sconnect").Apply(mailer)
	body := strings.Replace(mailer, ", annotations: {k8sconnect.terraform.io/created-at: \"2026-01-01T00:00:00Z\", k8sconnect.terraform.io/terraform-id: 5d41402abc4b}", "", 1)
	body = strings.Replace(body, "port: \"587\"", "port: \"587\", queue: fast", 1)
	e.moveFrom(kubernetesstub.K8sconnect, `k8sconnect = { source = "jmorris0x0/k8sconnect" }`, `
resource "k8sconnect_object" "mailer" {
  cluster       = { kubeconfig = file("~/.kube/config") }
  ignore_fields = ["data.queue"]
  yaml_body = <<-YAML
`+body+`YAML
}
`)
	e.says(e.plan(story.Changes), `- "metadata.annotations.k8sconnect.terraform.io/terraform-id" = "k8sconnect" -> null`, "Plan: 0 to add, 1 to change, 0 to destroy.", "Warning: Annotations of Other Tools")
	e.apply()
	e.plan(story.Nothing)
	e.configure("      port: \"587\"\n", "")
	e.apply()
	e.plan(story.Nothing)
	e.lacks("v1 ConfigMap mailer", "\"port\"")
	if annotations := e.Live("v1 ConfigMap mailer").GetAnnotations(); len(annotations) > 0 {
		e.T.Errorf("the annotations of the source are still there: %v", annotations)
	}
}
