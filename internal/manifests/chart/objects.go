package chart

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
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
	// Generated are the fields with values that the chart draws in each rendering, by key and then as a path.
	Generated map[string][]string
	// New are the keys of objects that get new generated values, while others keep those on the cluster.
	New []string
	// Unnamed are the objects whose name is another one in each rendering.
	Unnamed []string
	// Rerun are the hooks that run and have another name or other values in each rendering.
	Rerun []string
}

// hasAllOf reports whether a rendering has all objects of another one that are not hooks.
func (r *Rendering) hasAllOf(other *Rendering) bool {
	for _, of := range [][2]map[string]string{{r.Manifests, other.Manifests}, {r.Secrets, other.Secrets}} {
		for key := range of[1] {
			if _, has := of[0][key]; !has {
				return false
			}
		}
	}
	return true
}

// object is one that a template makes, or that is in crds/.
type object struct {
	manifest.Located
	key, template string
	isHook        bool
}

// objects are what a rendering makes, by place.
type objects map[string]*object

// place is the key of an object; a chart may have it as a hook, too.
func (o *object) place() string {
	if o.isHook {
		return "hook " + o.key
	}
	return o.key
}

// defined returns the objects in crds/. As Helm does, it takes the first of several that are equal in name, those of a
// subchart that is there twice for instance, and does not look at their annotations.
func (r *rendering) defined() ([]*object, error) {
	var all []*object
	for _, file := range r.Chart.CRDObjects() {
		text := string(file.File.Data)
		found, err := parse(text)
		if err != nil {
			return nil, noManifest(inChart(file.Filename), text, err)
		}
		for _, located := range found {
			isIt := func(o *object) bool { return o.Identity == located.Identity }
			if !slices.ContainsFunc(all, isIt) {
				all = append(all, &object{Located: located, template: inChart(file.Filename)})
			}
		}
	}
	return all, nil
}

// definedVersions returns the API versions that crds/ defines, and the kinds in them.
func (r *rendering) definedVersions() []string {
	var all []string
	for _, one := range r.definitions {
		spec, _ := one.Object["spec"].(map[string]any)
		names, _ := spec["names"].(map[string]any)
		versions, _ := spec["versions"].([]any)
		for _, version := range versions {
			if fields, _ := version.(map[string]any); fields["served"] == true {
				served := fmt.Sprintf("%v/%v", spec["group"], fields["name"])
				all = append(all, served, fmt.Sprintf("%s/%v", served, names["kind"]))
			}
		}
	}
	return all
}

// sorted returns the objects of rendered templates and of crds/.
func (r *rendering) sorted(files map[string]string) (objects, error) {
	made := slices.Clone(r.definitions)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(file, "NOTES.txt") {
			continue
		}
		found, err := madeBy(file, files[file])
		if err != nil {
			return nil, err
		}
		made = append(made, found...)
	}
	options := documents.Options{Namespace: r.Release.Namespace}
	for _, one := range made {
		if one.IsDefinition() {
			options.Definitions = append(options.Definitions, one.Located)
		}
	}
	all := objects{}
	for _, one := range made {
		if err := all.add(one, options); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// madeBy returns the objects of one rendered template, as Helm tells hooks from others.
func madeBy(file, text string) ([]*object, error) {
	name := inChart(file)
	hooks, plain, err := releaseutil.SortManifests(map[string]string{file: text}, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, noManifest(name, text, errUnreadable)
	}
	var all []*object
	add := func(content string, hook *release.Hook, number int) error {
		found, err := parse(content)
		if err == nil && hook != nil && len(found) > 0 && found[0].Position.Items != nil {
			err = spread(hook, number, found)
		}
		if err != nil {
			return noManifest(name, text, err)
		}
		for _, located := range found {
			all = append(all, &object{Located: located, template: name, isHook: hook != nil})
		}
		return nil
	}
	for _, one := range plain {
		if err := add(one.Content, nil, 0); err != nil {
			return nil, err
		}
	}
	for number, one := range hooks {
		if err := add(one.Manifest, one, number); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// errUnreadable does not quote Helm's message: that may quote the manifests.
var errUnreadable = errors.New("not readable for Helm: an annotation is a map or a list, for example")

// noManifest returns the error about a string that is not a manifest, with the place in the whole text if possible.
func noManifest(template, text string, err error) error {
	if _, whole := manifest.ParseAll(text); whole != nil {
		err = whole
	}
	problem := err.Error()
	if fault, is := errors.AsType[*manifest.Error](err); is {
		problem = fault.Problem
	}
	return &TemplateError{Template: template, Problem: "its output is not a manifest: " + problem}
}

func parse(text string) ([]manifest.Located, error) {
	all, err := manifest.ParseAll(text)
	if err != nil {
		// Helm reads more than a manifest may have: a key that is there twice, for instance.
		if plain, ok := asHelmReads(text); ok {
			all, err = manifest.ParseAll(plain)
		}
	}
	return all, err
}

func (o objects) add(made *object, options documents.Options) error {
	of, err := documents.Of([]manifest.Located{made.Located}, options)
	if err != nil {
		return &TemplateError{Template: made.template, Problem: err.Error()}
	}
	made = &object{made.Located, of[0].Key, made.template, made.isHook}
	if of[0].Text != made.Text {
		if made.Manifest, err = manifest.Parse(of[0].Text); err != nil {
			return &TemplateError{Template: made.template, Problem: err.Error()}
		}
	}
	for n := 2; made.isHook && o[made.place()] != nil; n++ {
		made.key = fmt.Sprintf("%s %d", of[0].Key, n)
	}
	if first := o[made.place()]; first != nil {
		return &TemplateError{
			Template: made.template, Problem: fmt.Sprintf("%s is already in %s", made.key, first.template),
		}
	}
	o[made.place()] = made
	return nil
}

// asHelmReads returns a string with the same documents as Helm reads them; false if it does not read them either.
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

func (o *object) rewrite() error {
	text, err := yaml.Marshal(o.Object)
	o.Text = string(text)
	return err
}

func (o objects) done() *Rendering {
	r := &Rendering{
		Manifests: map[string]string{}, Secrets: map[string]string{}, Hooks: map[string]string{},
		SecretHooks: map[string]string{}, Generated: map[string][]string{},
	}
	for _, one := range o {
		key := one.key
		switch {
		case one.isHook && one.IsSecret():
			r.SecretHooks[key] = one.Text
		case one.isHook:
			r.Hooks[key] = one.Text
		case one.IsSecret():
			r.Secrets[key] = one.Text
		default:
			r.Manifests[key] = one.Text
		}
	}
	return r
}
