package acceptance_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A template as users of Krake have it: a text with an input in it, an object with functions, and a property of another
// node template.
const serviceTemplate = `tosca_definitions_version: tosca_simple_yaml_1_0
imports:
  - ec3_custom_types: https://raw.githubusercontent.com/grycap/ec3/tosca/tosca/custom_types.yaml
topology_template:
  inputs:
    replicas: {type: integer, default: 1}
    image: {type: string}
    labels: {type: map, default: {}}
  node_templates:
    echo:
      type: tosca.nodes.indigo.KubernetesObject
      properties:
        port: 8080
        spec:
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: echo, labels: {get_input: labels}}
          spec:
            replicas: {get_input: replicas}
            selector: {matchLabels: {app: echo}}
            template:
              metadata: {labels: {app: echo}}
              spec:
                containers:
                - name: echo
                  image: {concat: ["registry.example.com/", {get_input: image}]}
                  ports:
                  - containerPort: {get_property: [SELF, port]}
    settings:
      type: tosca.nodes.indigo.KubernetesObject
      properties:
        spec:
          concat:
            - |-
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: settings
              data:
                image:
            - get_input: image
            - |2-

                port: "
            - get_property: [echo, port]
            - "\""
`

// The objects of a service template and of a CSAR are those that its inputs describe, and its second plan is empty.
func TestSetOfAServiceTemplate(t *testing.T) {
	s := newSet(t)
	story.Must(t, os.WriteFile(filepath.Join(s.Dir, "app.yaml"), []byte(serviceTemplate), 0o600))
	var csar bytes.Buffer
	archive := zip.NewWriter(&csar)
	for name, content := range map[string]string{
		"TOSCA-Metadata/TOSCA.meta": "TOSCA-Meta-File-Version: 1.0\nCSAR-Version: 1.1\nEntry-Definitions: definitions/app.yaml\n", "definitions/app.yaml": serviceTemplate,
	} {
		file, err := archive.Create(name)
		story.Must(t, err)
		_, err = file.Write([]byte(content))
		story.Must(t, err)
	}
	story.Must(t, archive.Close())
	story.Must(t, os.WriteFile(filepath.Join(s.Dir, "app.csar"), csar.Bytes(), 0o600))
	configure := func(text, inputs string) {
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`, `resource "k8sconnect_manifests" "test" {
  manifests = provider::k8sconnect::tosca(`+text+`("${path.module}/app.`+map[string]string{"file": "yaml", "filebase64": "csar"}[text]+`"), `+inputs+`, { namespace = "`+s.Namespace+`" })
}
`)
	}
	live := func(target string, path ...string) any {
		t.Helper()
		value, _, err := unstructured.NestedFieldCopy(s.Live(target).Object, path...)
		story.Must(t, err)
		return value
	}

	configure("file", "{ replicas = 2 }")
	s.expect(s.Exits(story.Refused, "plan"), `Invalid value for "inputs" parameter`, `input "image" is required, and has no value`, "Write a string for it, or a default in line 7 of the template.")

	configure("file", `{ replicas = 2, image = "echo:1.10", labels = { tier = "shore" } }`)
	s.expect(s.Do("apply", "-auto-approve"), "1 added")
	s.settled()
	const deployment, settings = "apps/v1 Deployment NS/echo", "v1 ConfigMap NS/settings"
	if diff := cmp.Diff(int64(2), live(deployment, "spec", "replicas")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("shore", live(deployment, "metadata", "labels", "tier")); diff != "" {
		t.Error(diff)
	}
	containers, _ := live(deployment, "spec", "template", "spec", "containers").([]any)
	if diff := cmp.Diff(1, len(containers)); diff != "" {
		t.Fatal(diff)
	}
	container, _ := containers[0].(map[string]any)
	if diff := cmp.Diff([]any{"registry.example.com/echo:1.10", []any{map[string]any{"containerPort": int64(8080), "protocol": "TCP"}}}, []any{container["image"], container["ports"]}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"image": "echo:1.10", "port": "8080"}, live(settings, "data")); diff != "" {
		t.Error(diff)
	}

	configure("filebase64", `{ replicas = 2, image = "echo:1.10", labels = { tier = "shore" } }`)
	s.settled()
	configure("filebase64", `{ image = "echo:1.11" }`)
	s.expect(s.Do("apply", "-auto-approve"), "0 added, 1 changed")
	s.settled()
	if diff := cmp.Diff([]any{int64(1), "echo:1.11"}, []any{live(deployment, "spec", "replicas"), live(settings, "data", "image")}); diff != "" {
		t.Error(diff)
	}
	s.Do("destroy", "-auto-approve")
	s.gone(deployment, settings)
}
