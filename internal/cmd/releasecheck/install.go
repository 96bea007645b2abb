package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// trial is a configuration that creates an object and requires the version that was built.
const trial = `terraform {
  required_providers {
    k8sconnect = {
      source  = "k8sconnect/k8sconnect"
      version = %q
    }
  }
}

provider "k8sconnect" {
  cluster = { config_path = %q }
}

resource "k8sconnect_manifest" "trial" {
  yaml_body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: release-check, namespace: default}\ndata: {a: \"1\"}\n"
}

output "owner" {
  value = k8sconnect_manifest.trial.field_ownership["data.a"]
}
`

// install unpacks the host's archive into mirrors, from which Terraform and OpenTofu install the provider, and apply
// with it.
func install(ctx context.Context, b *build, dir string) (err error) {
	clis, err := testcluster.PinnedCLIs(ctx, os.Stdout)
	if err != nil {
		return err
	}
	plane, err := testcluster.Start(ctx, testcluster.Options{Progress: os.Stdout})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	for _, cli := range clis {
		if err := b.installWith(ctx, cli, filepath.Join(dir, string(cli.Product)), plane.KubeconfigPath()); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) installWith(ctx context.Context, cli testcluster.CLI, dir, kubeconfig string) error {
	work, mirror, settings := filepath.Join(dir, "work"), filepath.Join(dir, "mirror"), filepath.Join(dir, "cli.tfrc")
	installation := fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror { path = %q }\n}\n", mirror)
	err := errors.Join(os.MkdirAll(work, 0o750), unpack(b, filepath.Join(mirror, cli.ProviderHost())),
		os.WriteFile(settings, installation, 0o600),
		os.WriteFile(filepath.Join(work, "main.tf"), fmt.Appendf(nil, trial, "= "+b.version, kubeconfig), 0o600))
	if err != nil {
		return err
	}
	run := &workdir.Workdir{
		Dir: work, CLI: cli, Env: append(os.Environ(), "TF_CLI_CONFIG_FILE="+settings, "TF_IN_AUTOMATION=1",
			"TF_INPUT=0", "CHECKPOINT_DISABLE=1"),
	}
	fmt.Println("      " + cli.Product)
	return try(ctx, run, []attempt{
		{args: []string{"init"}, says: "Installed k8sconnect/k8sconnect v" + b.version},
		{args: []string{"plan", "-detailed-exitcode"}, code: 2, says: `"data.a"`},
		{args: []string{"apply", "-auto-approve"}, says: `owner = "k8sconnect"`},
		{args: []string{"plan", "-detailed-exitcode"}},
		{args: []string{"destroy", "-auto-approve"}, says: "1 destroyed"},
	})
}

// attempt is a command of the CLI with its expected result.
type attempt struct {
	args []string
	code int
	says string
}

func try(ctx context.Context, in *workdir.Workdir, all []attempt) error {
	for _, a := range all {
		printed, code, err := in.Run(ctx, a.args...)
		switch {
		case err != nil:
			return err
		case code != a.code:
			return fmt.Errorf("%s %s ended with %d, not %d:\n%s", in.CLI.Product, a.args[0], code, a.code, printed)
		case !strings.Contains(printed, a.says):
			return fmt.Errorf("%s %s does not say %q:\n%s", in.CLI.Product, a.args[0], a.says, printed)
		}
	}
	return nil
}

// unpack extracts the host's archive to the path at which a CLI looks for it below the registry's folder of a mirror.
func unpack(b *build, registry string) error {
	at := host()
	to := filepath.Join(registry, "k8sconnect", "k8sconnect", b.version, at.os+"_"+at.arch)
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	archive, err := zip.OpenReader(filepath.Join(b.dist(), at.archive(b.version)))
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	for _, file := range archive.File {
		if err := extract(file, filepath.Join(to, filepath.Base(file.Name))); err != nil {
			return err
		}
	}
	return nil
}

func extract(file *zip.File, to string) (err error) {
	from, err := file.Open()
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, file.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, from) //nolint:gosec // The check itself made the archive.
	return err
}
