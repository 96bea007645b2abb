// Package kustomize builds a kustomization into a stream of manifests, with kustomize's own library. It reads files and
// does nothing else: no network, no git, no Helm, no plugins, and no file outside the folders of the kustomization and
// its bases.
//
// # What is remote
//
// kustomize fetches a resource, a base, a patch or a file of a generator if its path looks like a URL or a repository,
// and it has no option to forbid that. So this package reads each kustomization before kustomize acts on it: kustomize
// gets its files from a file system of ours, which checks every kustomization, and every configuration of a built-in
// generator or transformer. It refuses those that name something remote. It treats as remote everything that kustomize
// does, and a little more. A folder of generators or transformers is refused, because its patches could add something
// remote that no file shows before kustomize acts on it.
//
// # Errors
//
// The errors of kustomize quote literals of generators, patches and whole objects. Build keeps of them the words that
// kustomize has in its source, names of files, and kinds and names of objects. Everything else is hidden.
//
// # One at a time
//
// kustomize keeps the schema of a kustomization in a variable of its package, so builds wait for each other.
package kustomize

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// RefusedError reports a kustomization that asks for something that this package refuses.
type RefusedError struct {
	// File is the file that asks for it; "" for the path of the kustomization itself.
	File string
	// Entry is the entry of File that asks for it.
	Entry string
	// Helm is true if the entry is a chart, IsFolder if it is a folder of generators or transformers. Otherwise the
	// entry is remote.
	Helm, IsFolder bool
}

func (e *RefusedError) Error() string {
	what := fmt.Sprintf("%q is remote", e.Entry)
	switch {
	case e.Helm:
		what = fmt.Sprintf("%s is a Helm chart", e.Entry)
	case e.IsFolder:
		what = fmt.Sprintf("%q is a folder of generators or transformers", e.Entry)
	}
	if e.File == "" {
		return what
	}
	return e.File + ": " + what
}

// NotFoundError is a path without a kustomization.
type NotFoundError struct {
	Path string
	// Problem describes what is at the path instead, as the end of a sentence.
	Problem string
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("%q %s", e.Path, e.Problem) }

var building sync.Mutex

// Built is the result of a kustomization.
type Built struct {
	// Text is one YAML stream with all manifests.
	Text string
	// Warnings are those of kustomize, each with the file that it is about.
	Warnings []string
}

// Build builds the kustomization in a folder. An error is a *RefusedError, a
// *NotFoundError, or the message of kustomize, without what the files contain.
func Build(path string) (Built, error) { return build(filesys.MakeFsOnDisk(), path) }

func build(disk filesys.FileSystem, path string) (Built, error) {
	if isRemote(path) {
		return Built{}, &RefusedError{Entry: path}
	}
	switch {
	case !disk.Exists(path):
		return Built{}, &NotFoundError{path, "does not exist"}
	case !disk.IsDir(path):
		return Built{}, &NotFoundError{path, "is a file, not a folder"}
	}
	// kustomize keeps the schema of a kustomization in a variable of its package.
	building.Lock()
	defer building.Unlock()
	files := &localFiles{FileSystem: disk, linked: map[string]string{}, read: map[string][]byte{}}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, path)
	if files.refused != nil {
		return Built{}, files.refused
	}
	if err != nil {
		return Built{}, files.withoutContents(path, err)
	}
	text, err := built.AsYaml()
	if err != nil {
		return Built{}, files.withoutContents(path, err)
	}
	return Built{Text: string(text), Warnings: files.warnings()}, nil
}

// warnings returns the warnings of kustomize about deprecated fields in the files that it has read. It writes that to
// the standard error of the process, where no user of the provider sees it.
func (f *localFiles) warnings() []string {
	var warnings []string
	for _, file := range slices.Sorted(maps.Keys(f.read)) {
		var read types.Kustomization
		if !isKustomization(file) || read.Unmarshal(f.read[file]) != nil {
			continue
		}
		for _, warning := range *read.CheckDeprecatedFields() {
			warnings = append(warnings, file+": "+strings.TrimPrefix(warning, "# Warning: "))
		}
	}
	return warnings
}

// withoutContents returns an error of kustomize without what the files contain.
func (f *localFiles) withoutContents(path string, err error) error {
	m := message{names: map[string]bool{path: true}, values: map[string]bool{}}
	for file, content := range f.read {
		m.add(file, content)
	}
	return errors.New(m.withoutContents(strings.TrimSpace(err.Error())))
}
