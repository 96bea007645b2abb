package objectkit

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// moves warns of a replacement that leaves the namespace of an object whose manifest names none.
func (c *change) moves(m manifest.Manifest, from, to manifest.Identity) {
	stays := to
	stays.Namespace = from.Namespace
	if m.Namespace == "" && from == stays && from != to && c.resource.provider.IsNews(movedTo{from, to}) {
		c.diags.Append(c.resource.Words.NamespaceChange(from, to))
	}
}

// movedTo is the key of the warning about a replacement, which Terraform plans as a deletion and a creation.
type movedTo struct{ from, to manifest.Identity }

// assumed is the key of the warning that assumes gives once.
type assumed struct{}

// assumes warns, once in a run, of a namespace that neither the manifest nor the connection names.
func (c *change) assumes(api cluster.Interface, m manifest.Manifest, id manifest.Identity) {
	named := m.Namespace != "" || id.Namespace == "" || api.NamespaceSource() != cluster.NamespaceAssumed
	if !named && c.resource.provider.IsNews(assumed{}) {
		c.diags.Append(c.resource.Words.AssumedNamespace(id))
	}
}
