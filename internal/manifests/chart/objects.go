package chart

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Rendering is what a chart makes. The maps have the keys of documents: group/kind/namespace/name.
type Rendering struct {
	// Manifests are all objects but Secrets and hooks, the definitions in crds/ among them.
	Manifests map[string]string
	Secrets   map[string]string
	// Hooks are the objects with Helm's annotation for hooks, but for Secrets, which are in SecretHooks.
	Hooks, SecretHooks map[string]string
	// Generated are the fields with values that the chart draws, by key and then as a path.
	Generated map[string][]string
	// New are the keys of objects with generated values that are not on the cluster, while others are.
	New []string
	// Unnamed are the objects whose name is another one in each rendering.
	Unnamed []string
}

// object is one that a template makes.
type object struct {
	manifest.Manifest
	key, template string
	isHook        bool
}

// objects are what a rendering makes, by key.
type objects map[string]*object

// sorted returns the objects of rendered templates and of crds/.
func (r *rendering) sorted(files map[string]string) (objects, error) {
	texts := map[string]string{}
	for file, text := range files {
		if base := path.Base(file); base != "NOTES.txt" && !strings.HasPrefix(base, "_") {
			texts[inChart(file)] = text
		}
	}
	var definitions []string
	for _, file := range r.Chart.CRDObjects() {
		definitions = append(definitions, string(file.File.Data))
		texts[inChart(file.Filename)] = string(file.File.Data)
	}
	options := documents.Options{Namespace: r.Release.Namespace, Definitions: strings.Join(definitions, "\n---\n")}
	all := objects{}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		if err := all.add(file, texts[file], options); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// add adds the objects of one file.
func (o objects) add(file, text string, options documents.Options) error {
	parsed, err := documents.Parse(text, options)
	if err != nil {
		// Helm reads more than a manifest may have: a key that is there twice, for instance.
		if plain, ok := asHelmReads(text); ok {
			parsed, err = documents.Parse(plain, options)
		}
	}
	if fault, is := errors.AsType[*manifest.Error](err); is {
		return &TemplateError{Template: file, Problem: "what it makes is no manifest: " + fault.Problem}
	}
	if err != nil {
		return &TemplateError{Template: file, Problem: err.Error()}
	}
	for _, document := range parsed {
		read, err := manifest.Parse(document.Text)
		if err != nil {
			return &TemplateError{Template: file, Problem: err.Error()}
		}
		made := &object{Manifest: read, key: document.Key, template: file}
		_, isHook, isKnown := hookOf(made.key, read)
		if made.isHook = isHook; isHook && !isKnown {
			continue // Helm does not create it either.
		}
		for n := 2; made.isHook && o[made.key] != nil; n++ {
			made.key = fmt.Sprintf("%s %d", document.Key, n)
		}
		if first := o[made.key]; first != nil {
			return &TemplateError{Template: file, Problem: fmt.Sprintf("%s is already in %s", made.key, first.template)}
		}
		o[made.key] = made
	}
	return nil
}

// asHelmReads returns a text with the same documents as Helm reads them; false if it does not read them either.
func asHelmReads(text string) (string, bool) {
	var plain []string
	for _, document := range strings.Split("\n"+text, "\n---") {
		written, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return "", false
		}
		if string(written) != "null" {
			plain = append(plain, string(written))
		}
	}
	return strings.Join(plain, "\n---\n"), true
}

// rewrite makes the text that of the object.
func (o *object) rewrite() error {
	text, err := yaml.Marshal(o.Object)
	o.Text = string(text)
	return err
}

// done returns the objects as a rendering.
func (o objects) done() *Rendering {
	r := &Rendering{
		Manifests: map[string]string{}, Secrets: map[string]string{}, Hooks: map[string]string{},
		SecretHooks: map[string]string{}, Generated: map[string][]string{},
	}
	for key, made := range o {
		switch {
		case made.isHook && made.IsSecret():
			r.SecretHooks[key] = made.Text
		case made.isHook:
			r.Hooks[key] = made.Text
		case made.IsSecret():
			r.Secrets[key] = made.Text
		default:
			r.Manifests[key] = made.Text
		}
	}
	return r
}
