package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const (
	// providerName is the provider's short name, by which tfplugindocs finds the schema.
	providerName = "k8sconnect"
	// providerAddress has a host: Terraform and OpenTofu use the same address.
	providerAddress = "registry.terraform.io/k8sconnect/k8sconnect"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	cli, err := testcluster.TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "k8sconnect-docs-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	schema, err := readSchema(ctx, cli, dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "schema.json")
	if err := os.WriteFile(path, schema, 0o600); err != nil {
		return err
	}
	templates := filepath.Join(dir, "templates")
	if err := expandExcerpts(root, templates); err != nil {
		return err
	}
	return generate(ctx, root, path, templates)
}

// readSchema builds the provider into dir and returns its schema in the form of "providers schema -json",
// under the provider's short name.
func readSchema(ctx context.Context, cli testcluster.CLI, dir string) ([]byte, error) {
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "terraform-provider-"+providerName), ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the provider: %w", err)
	}
	config := filepath.Join(dir, "cli.tfrc")
	err := errors.Join(
		os.WriteFile(config, fmt.Appendf(nil, "provider_installation {\n  dev_overrides {\n    %q = %s\n  }\n}\n",
			providerAddress, strconv.Quote(filepath.ToSlash(dir))), 0o600),
		os.WriteFile(filepath.Join(dir, "main.tf"), fmt.Appendf(nil,
			"terraform {\n  required_providers {\n    %s = {\n      source = %q\n    }\n  }\n}\n",
			providerName, providerAddress), 0o600))
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, cli.Path, "providers", "schema", "-json")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+config, "CHECKPOINT_DISABLE=1", "TF_DATA_DIR=",
		"TF_WORKSPACE=")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("read the schema with %s: %w\n%s", cli.Path, err, stderr.Bytes())
	}
	later, err := printedLater(ctx)
	if err != nil {
		return nil, err
	}
	return renameProvider(stdout.Bytes(), later)
}

// renameProvider moves the provider's schema from its address to its short name, and adds the schemas in later.
func renameProvider(document []byte, later map[string]any) ([]byte, error) {
	var schemas struct {
		FormatVersion   string                    `json:"format_version"`
		ProviderSchemas map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal(document, &schemas); err != nil {
		return nil, fmt.Errorf("the schema is not JSON: %w", err)
	}
	schema, ok := schemas.ProviderSchemas[providerAddress]
	if !ok {
		return nil, fmt.Errorf("the CLI printed no schema of %s", providerAddress)
	}
	maps.Copy(schema, later)
	schemas.ProviderSchemas = map[string]map[string]any{providerName: schema}
	return json.Marshal(schemas)
}

// generate writes the pages with tfplugindocs, from the module of development tools, links the arguments of
// connections, and checks with tfplugindocs what the registry requires of the pages.
func generate(ctx context.Context, root, schema, templates string) error {
	source, err := filepath.Rel(root, templates)
	if err != nil {
		return err
	}
	if err := tfplugindocs(ctx, root, schema, "generate", "--website-source-dir", source); err != nil {
		return err
	}
	if err := linkConnections(filepath.Join(root, "docs")); err != nil {
		return err
	}
	return tfplugindocs(ctx, root, schema, "validate")
}

func tfplugindocs(ctx context.Context, root, schema string, task ...string) error {
	var output bytes.Buffer
	args := slices.Concat([]string{"-C", "tools", "tool", "tfplugindocs"}, task,
		[]string{"--provider-dir", root, "--provider-name", providerName, "--providers-schema", schema})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run tfplugindocs %s: %w\n%s", task[0], err, output.Bytes())
	}
	return nil
}
