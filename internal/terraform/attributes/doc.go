// Package attributes defines the attributes that several resources share, with their schemas, validators and plan
// modifiers: the connection to a cluster, manifests, field paths and names of managers.
package attributes
