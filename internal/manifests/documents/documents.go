// Package documents splits a stream of YAML documents into the objects that a configuration manages one by one. Each
// object has a key that names it.
//
// # Keys
//
// A key is group/kind/namespace/name, and always consists of these four parts: apps/Deployment/default/web,
// core/Namespace//argocd. The group of v1 is core. The version is left out, because an object is the same in all
// versions of its kind. The namespace is empty for a cluster-scoped object, and for an object that names no namespace
// and gets none from [Options]. Its namespace comes from the connection, which is not known here.
//
// # Scope
//
// This package sends no request to a cluster. client-go's typed clients show which built-in kinds are namespaced: the
// method that returns the client of a namespaced kind takes a namespace. CustomResourceDefinitions in the same stream
// define the scopes of their kinds. Any other kind counts as namespaced. If that is wrong, nothing is lost: the
// resource knows the cluster, leaves out the namespace of a cluster-scoped object, and warns in the plan. The opposite
// mistake would create an object in the wrong namespace without a warning.
package documents

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Options are the settings that the documents do not contain.
type Options struct {
	// Namespace is the namespace of namespaced objects that name none; "" leaves them without one.
	Namespace string
	// JSON is true for JSON, whose parts the CLI compares, instead of the strings of the documents.
	JSON bool
	// Secrets are WithoutSecrets or OnlySecrets; "" for all objects.
	Secrets string
	// Definitions are CustomResourceDefinitions of kinds that the documents have.
	Definitions []manifest.Located
}

// The values of Options.Secrets.
const (
	WithoutSecrets = "none"
	OnlySecrets    = "only"
)

// leavesOut reports whether an object is not asked for.
func (o Options) leavesOut(object Object) bool {
	return o.Secrets == WithoutSecrets && object.IsSecret || o.Secrets == OnlySecrets && !object.IsSecret
}

// Check returns a message about a mistake in the options; "" if they are valid.
func (o Options) Check() string {
	if o.Namespace == "" {
		return ""
	}
	if problems := validation.IsDNS1123Label(o.Namespace); len(problems) > 0 {
		return fmt.Sprintf("namespace is %q, which cannot be the name of a namespace: %s", o.Namespace, problems[0])
	}
	return ""
}

// Object is the object of one document.
type Object struct {
	// Key names the object among those of its cluster: group/kind/namespace/name.
	Key string
	// Text is a YAML document that contains only this object: the user's own if possible, or JSON.
	Text string
	// IsSecret reports whether it is a Secret.
	IsSecret bool
}

// Parse returns the objects of all documents, in the order of the documents. Every failure is a *manifest.Error that
// begins with the position.
func Parse(text string, options Options) ([]Object, error) {
	all, err := manifest.ParseAll(text)
	if err != nil {
		return nil, err
	}
	return Of(all, options)
}

// Of does what Parse does, for manifests that are parsed.
func Of(all []manifest.Located, options Options) ([]Object, error) {
	scopes := scopesOf(slices.Concat(all, options.Definitions))
	objects := make([]Object, 0, len(all))
	positions := make(map[string]manifest.Position, len(all))
	for _, located := range all {
		object, err := options.object(located.Manifest, scopes)
		if err != nil {
			return nil, err
		}
		if first, twice := positions[object.Key]; twice {
			return nil, &manifest.Error{
				Problem:    fmt.Sprintf("%s: %s is already in %s", located.Position, object.Key, first),
				Suggestion: "Remove one of them.",
			}
		}
		if positions[object.Key] = located.Position; !options.leavesOut(object) {
			objects = append(objects, object)
		}
	}
	return objects, nil
}

func (o Options) object(m manifest.Manifest, scopes kindScopes) (Object, error) {
	namespace := m.Namespace
	switch kind := schema.FromAPIVersionAndKind(m.APIVersion, m.Kind).GroupKind(); {
	case scopes.of(kind) == clusterScoped:
		namespace = ""
	// Also for a kind of unknown scope: an apply leaves the namespace out if the kind has none.
	case namespace == "" && o.Namespace != "":
		moved, err := m.In(o.Namespace)
		if err != nil {
			return Object{}, err
		}
		m, namespace = moved, o.Namespace
	}
	if o.JSON {
		var err error
		if m.Text, err = manifest.Compact(m.Object); err != nil {
			return Object{}, err
		}
	}
	id := m.Identity
	id.Namespace = namespace
	return Object{Key: id.Key(), Text: m.Text, IsSecret: id.IsSecret()}, nil
}

// Texts returns the documents of objects by their keys.
func Texts(objects []Object) map[string]string {
	texts := make(map[string]string, len(objects))
	for _, object := range objects {
		texts[object.Key] = object.Text
	}
	return texts
}

// Split does what Texts does, with the Secrets in a map of their own.
func Split(objects []Object) (others, secrets map[string]string) {
	others, secrets = map[string]string{}, map[string]string{}
	for _, object := range objects {
		of := others
		if object.IsSecret {
			of = secrets
		}
		of[object.Key] = object.Text
	}
	return others, secrets
}
