// Package customresource writes CustomResourceDefinitions for tests and benchmarks.
package customresource

import "strings"

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.GROUP}
spec:
  group: GROUP
  scope: Namespaced
  names: {plural: PLURAL, singular: SINGULAR, kind: KIND, listKind: KINDList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          PROPERTIES
`

// Definition returns the definition of a namespaced kind with one version, v1. The plural is the kind with an s, in
// lower case. properties are the schemas of the top-level fields of its objects, as YAML.
func Definition(group, kind, properties string) string {
	singular := strings.ToLower(kind)
	indented := strings.ReplaceAll(strings.TrimSpace(properties), "\n", "\n          ")
	return strings.NewReplacer("GROUP", group, "PLURAL", singular+"s", "SINGULAR", singular, "KIND", kind,
		"PROPERTIES", indented).Replace(definition)
}
