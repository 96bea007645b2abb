package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// workspace is a working directory with a resource for each cell.
type workspace struct {
	*story.Workspace
	// said are the diagnostics of all commands, by the keys of their resources.
	said map[string][]diagnostic
}

const mainFile = `
provider "k8sconnect" {
  cluster = { config_path = "kubeconfig" }
}

locals {
  cells   = jsondecode(file("cells.json"))
  imports = jsondecode(file("imports.json"))
}

resource "k8sconnect_manifest" "cell" {
  for_each      = { for name, one in local.cells : name => one if one.way == "" }
  yaml_body     = each.value.body
  ignore_fields = each.value.ignore
  field_manager = each.value.manager
  cluster       = each.value.cluster
  on_destroy    = each.value.on_destroy

  adopt_existing = each.value.adopt
  timeouts {
    create = each.value.timeout
    read   = each.value.timeout
    update = each.value.timeout
    delete = each.value.timeout
  }
}

resource "k8sconnect_patch" "cell" {
  for_each      = { for name, one in local.cells : name => one if one.way != "" }
  target        = { api_version = "v1", kind = "ConfigMap", namespace = each.value.namespace, name = each.key }
  yaml_body     = each.value.way == "apply" ? each.value.body : null
  patch         = each.value.way == "merge" ? { type = "merge", body = each.value.body } : null
  field_manager = each.value.manager
  cluster       = each.value.cluster

  timeouts {
    create = each.value.timeout
    read   = each.value.timeout
    update = each.value.timeout
    delete = each.value.timeout
  }
}

import {
  for_each = local.imports
  to       = k8sconnect_manifest.cell[each.key]
  id       = each.value
}
`

func newWorkspace(begun *story.Story, kubeconfig []byte) *workspace {
	begun.T.Helper()
	w := &workspace{begun.Workspace(), map[string][]diagnostic{}}
	w.write("kubeconfig", kubeconfig)
	story.Must(w.T, w.Write(mainFile))
	return w
}

func (w *workspace) write(name string, text []byte) {
	w.T.Helper()
	story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, name), text, 0o600))
}

// resource is what the configuration says of one cell.
type resource struct {
	Way       way      `json:"way"`
	Namespace string   `json:"namespace"`
	Body      string   `json:"body"`
	Ignore    []string `json:"ignore"`
	Manager   *string  `json:"manager"`
	Timeout   *string  `json:"timeout"`
	Cluster   *cluster `json:"cluster"`
	Adopt     *bool    `json:"adopt"`
	OnDestroy *string  `json:"on_destroy"`
}

// cluster is a connection of one resource.
type cluster struct {
	Host        string `json:"host"`
	Certificate string `json:"cluster_ca_certificate"`
	Token       string `json:"token"`
}

// configure writes the resources of the cells and the IDs of those to import.
func (w *workspace) configure(resources map[string]resource, imports map[string]string) {
	w.T.Helper()
	for name, value := range map[string]any{"cells.json": resources, "imports.json": imports} {
		text, err := json.Marshal(value)
		story.Must(w.T, err)
		w.write(name, text)
	}
}

// command runs a command with -json. One that fails says why in the outcome.
func (w *workspace) command(parallelism int, args ...string) outcome {
	w.T.Helper()
	args = slices.Insert(slices.Clone(args), 1, "-json", fmt.Sprintf("-parallelism=%d", parallelism))
	printed, code, err := w.Workdir.Run(context.WithoutCancel(w.T.Context()), args...)
	story.Must(w.T, err)
	out := outcome{diagnostics: map[string][]diagnostic{}, actions: map[string]string{}}
	for _, line := range strings.Split(printed, "\n") {
		var said message
		if json.Unmarshal([]byte(line), &said) != nil {
			continue
		}
		switch said.Type {
		case "diagnostic":
			key := said.Diagnostic.key()
			out.diagnostics[key] = append(out.diagnostics[key], said.Diagnostic)
			w.said[key] = append(w.said[key], said.Diagnostic)
		case "planned_change":
			out.actions[said.Change.Resource.Key] = said.Change.Action
		}
	}
	if code != 0 && len(out.failed()) == 0 {
		w.T.Fatalf("%s %s: exit code %d\n%s", w.CLI.Product, strings.Join(args, " "), code, printed)
	}
	return out
}

// stored is a resource as the state holds it.
type stored struct {
	Status     string `json:"status"`
	Key        string `json:"index_key"`
	Attributes struct {
		Added        []string          `json:"added_fields"`
		ManagedState map[string]string `json:"managed_state"`
		Ref          struct {
			UID string `json:"uid"`
		} `json:"object_ref"`
	} `json:"attributes"`
}

// state returns the resources of the state by their keys.
func (w *workspace) state() map[string]stored {
	w.T.Helper()
	text, err := os.ReadFile(filepath.Join(w.Dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	story.Must(w.T, err)
	var file struct {
		Resources []struct {
			Instances []stored `json:"instances"`
		} `json:"resources"`
	}
	story.Must(w.T, json.Unmarshal(text, &file))
	found := map[string]stored{}
	for _, resource := range file.Resources {
		for _, instance := range resource.Instances {
			found[instance.Key] = instance
		}
	}
	return found
}
