package conformance

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"sigs.k8s.io/yaml"
)

// Cases are the files of the suite.
//
//go:embed cases/*.yaml
var Cases embed.FS

// Case is one story about one object.
type Case struct {
	// Story describes the case, and Shows are the rows of the table of transitions that it covers.
	Story  string   `json:"story"`
	Shows  []string `json:"shows"`
	Object Object   `json:"object"`
	Steps  []Step   `json:"steps"`
}

// Object names an object of a namespace.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Name       string `json:"name"`
}

// Step is one write, and what the object is after it.
type Step struct {
	// As is the field manager.
	As   string    `json:"as"`
	Does Operation `json:"does"`
	// Force is for an apply only.
	Force       bool   `json:"force"`
	Subresource string `json:"subresource"`
	// APIVersion is that of the request; without it, the object's.
	APIVersion string          `json:"apiVersion"`
	Body       json.RawMessage `json:"body"`

	// Conflicts are the managers of each field that a 409 names. Without Conflicts and Refused, the write succeeds.
	Conflicts map[string][]string `json:"conflicts"`
	Refused   *Refusal            `json:"refused"`
	// Owners are all owners of each of these fields.
	Owners map[string][]string `json:"owners"`
	// Entries are all entries of managedFields.
	Entries []string `json:"entries"`
	// Live is a part of the object; null stands for no value. Lists are whole.
	Live json.RawMessage `json:"live"`
}

// Operation is a kind of write.
type Operation string

// The kinds of writes: a POST, a PUT of the body, and PATCHes by their content types.
const (
	Create    Operation = "create"
	Update    Operation = "update"
	Apply     Operation = "apply"
	Merge     Operation = "merge"
	Strategic Operation = "strategic"
	JSON      Operation = "json"
)

var operations = []Operation{Create, Update, Apply, Merge, Strategic, JSON}

// Refusal is an answer that is not a conflict of managers.
type Refusal struct {
	// Code is the HTTP status.
	Code int32 `json:"code"`
	// Says is a part of the message.
	Says string `json:"says"`
}

// Read returns the cases in the YAML files of a folder and its folders, by the paths of the files. An unknown key is an
// error, and so is a folder without cases.
func Read(files fs.FS) (map[string]Case, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".yaml" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("the folder has no cases: no file that ends in .yaml")
	}
	all := map[string]Case{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var c Case
		if err := yaml.UnmarshalStrict(text, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i, step := range c.Steps {
			if !slices.Contains(operations, step.Does) {
				return nil, fmt.Errorf("%s step %d: there is no operation %q", name, i+1, step.Does)
			}
		}
		all[name] = c
	}
	return all, nil
}
