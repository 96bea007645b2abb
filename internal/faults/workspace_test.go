package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

// workspace is a directory in which a Terraform CLI runs the built provider.
type workspace struct {
	t   *testing.T
	dir string
	cli testcluster.CLI
	env []string
}

const mainFile = `
terraform {
  required_providers {
    k8sconnect = { source = "k8sconnect/k8sconnect" }
  }
}

provider "k8sconnect" {
  cluster = { config_path = "kubeconfig" }
}

locals {
  cells   = jsondecode(file("cells.json"))
  imports = jsondecode(file("imports.json"))
}

resource "k8sconnect_manifest" "cell" {
  for_each      = local.cells
  yaml_body     = each.value.body
  ignore_fields = each.value.ignore
  field_manager = each.value.manager
  cluster       = each.value.cluster

  adopt_existing = each.value.adopt
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

func newWorkspace(t *testing.T, kubeconfig []byte) *workspace {
	t.Helper()
	binary, err := providerBinary()
	must(t, err)
	cli, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	must(t, err)
	w := &workspace{t: t, dir: t.TempDir(), cli: cli}
	w.write("cli.tfrc", []byte(fmt.Sprintf(
		"provider_installation {\n  dev_overrides { \"k8sconnect/k8sconnect\" = %q }\n  direct {}\n}\n", filepath.Dir(binary))))
	w.write("kubeconfig", kubeconfig)
	w.write("main.tf", []byte(mainFile))
	w.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(w.dir, "cli.tfrc"), "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1")
	return w
}

func (w *workspace) write(name string, text []byte) {
	w.t.Helper()
	must(w.t, os.WriteFile(filepath.Join(w.dir, name), text, 0o600))
}

// resource is what the configuration says of one cell.
type resource struct {
	Body    string   `json:"body"`
	Ignore  []string `json:"ignore"`
	Manager *string  `json:"manager"`
	Timeout *string  `json:"timeout"`
	Cluster *cluster `json:"cluster"`
	Adopt   *bool    `json:"adopt"`
}

// cluster is a connection of one resource.
type cluster struct {
	Host        string `json:"host"`
	Certificate string `json:"cluster_ca_certificate"`
	Token       string `json:"token"`
}

// configure writes the resources of the cells and the IDs of those to import.
func (w *workspace) configure(resources map[string]resource, imports map[string]string) {
	w.t.Helper()
	for name, value := range map[string]any{"cells.json": resources, "imports.json": imports} {
		text, err := json.Marshal(value)
		must(w.t, err)
		w.write(name, text)
	}
}

// command runs a command with -json. One that fails says why in the outcome.
func (w *workspace) command(parallelism int, args ...string) outcome {
	w.t.Helper()
	args = slices.Insert(slices.Clone(args), 1, "-json", "-no-color", fmt.Sprintf("-parallelism=%d", parallelism))
	command := exec.CommandContext(context.WithoutCancel(w.t.Context()), w.cli.Path, args...)
	command.Dir, command.Env = w.dir, w.env
	var stderr bytes.Buffer
	command.Stderr = &stderr
	printed, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	out := outcome{diagnostics: map[string][]diagnostic{}, actions: map[string]string{}}
	for _, line := range bytes.Split(printed, []byte("\n")) {
		var said message
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		switch said.Type {
		case "diagnostic":
			key := said.Diagnostic.key()
			out.diagnostics[key] = append(out.diagnostics[key], said.Diagnostic)
		case "planned_change":
			out.actions[said.Change.Resource.Key] = said.Change.Action
		}
	}
	if err != nil && len(out.failed()) == 0 {
		w.t.Fatalf("%s %s: %v\n%s%s", w.cli.Product, strings.Join(args, " "), err, printed, stderr.String())
	}
	return out
}

// stored is a resource as the state holds it.
type stored struct {
	Status     string `json:"status"`
	Key        string `json:"index_key"`
	Attributes struct {
		ManagedState map[string]string `json:"managed_state"`
		Ref          struct {
			UID string `json:"uid"`
		} `json:"object_ref"`
	} `json:"attributes"`
}

// state are the resources of the state by their keys.
func (w *workspace) state() map[string]stored {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	must(w.t, err)
	var file struct {
		Resources []struct {
			Instances []stored `json:"instances"`
		} `json:"resources"`
	}
	must(w.t, json.Unmarshal(text, &file))
	found := map[string]stored{}
	for _, resource := range file.Resources {
		for _, instance := range resource.Instances {
			found[instance.Key] = instance
		}
	}
	return found
}

// providerBinary builds the provider once for all tests.
var providerBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "k8sconnect-provider-")
	if err != nil {
		return "", err
	}
	builtProvider = dir
	binary := filepath.Join(dir, "terraform-provider-k8sconnect")
	const module = "github.com/k8sconnect/terraform-provider-k8sconnect"
	if out, err := exec.Command("go", "build", "-o", binary, module).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the provider: %w\n%s", err, out)
	}
	return binary, nil
})

// builtProvider is the directory of the built provider, "" where no test has asked for it.
var builtProvider string

func removeProviderBinary() {
	if builtProvider != "" {
		_ = os.RemoveAll(builtProvider)
	}
}
