package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// hostSource describes how a CLI is built so that it can run as a host of package clihost: its main package, with the
// files of servers/clihost, is the main package of the nested module. The path of that module is below the CLI's own:
// it may import the CLI's internal packages.
type hostSource struct {
	product Product
	// main is the import path of the CLI's main package.
	main string
}

// addTo adds the files of servers/clihost to those of the nested module.
func (h hostSource) addTo(files pins, servers string) error {
	common := filepath.Join(servers, "clihost")
	for _, dir := range []string{common, filepath.Join(common, string(h.product))} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return err
		}
		for _, name := range names {
			if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
				return fmt.Errorf("read what makes a CLI a host: %w", err)
			}
		}
	}
	return nil
}

// prepareCLI writes the nested module, with the CLI's main package, into a directory of the cache, which becomes the
// source of the build.
func (b *moduleBuild) prepareCLI() error {
	out, err := b.goTool("list", "-f", "{{.Dir}}\n{{range .GoFiles}}{{.}}\n{{end}}", b.recipe.host.main)
	if err != nil {
		return err
	}
	dir, names, _ := strings.Cut(strings.TrimSpace(out), "\n")
	files := pins{}
	for name, text := range b.pins {
		files[name] = text
	}
	for name := range strings.FieldsSeq(names) {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	b.source = b.file("source.tmp")
	for name, text := range files {
		path := filepath.Join(b.source, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
