package kustomize

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
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

// Build returns the manifests of the kustomization in a folder as one YAML stream. An error is a *RefusedError, a *NotFoundError, or the
// message of kustomize, without what the files contain.
func Build(path string) (string, error) {
	return build(filesys.MakeFsOnDisk(), path)
}

func build(disk filesys.FileSystem, path string) (string, error) {
	if isRemote(path) {
		return "", &RefusedError{Entry: path}
	}
	switch {
	case !disk.Exists(path):
		return "", &NotFoundError{path, "does not exist"}
	case !disk.IsDir(path):
		return "", &NotFoundError{path, "is a file, not a folder"}
	}
	building.Lock()
	defer building.Unlock()
	files := &localFiles{FileSystem: disk, linked: map[string]string{}, read: map[string][]byte{}}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, path)
	if files.refused != nil {
		return "", files.refused
	}
	if err != nil {
		return "", files.withoutContents(path, err)
	}
	text, err := built.AsYaml()
	if err != nil {
		return "", files.withoutContents(path, err)
	}
	return string(text), nil
}

// withoutContents returns an error of kustomize without what the files contain.
func (f *localFiles) withoutContents(path string, err error) error {
	m := message{names: map[string]bool{path: true}, values: map[string]bool{}}
	for file, content := range f.read {
		m.add(file, content)
	}
	return errors.New(m.of(strings.TrimSpace(err.Error())))
}
