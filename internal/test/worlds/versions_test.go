package worlds_test

import (
	"fmt"
	"slices"
	"strings"
)

// versionNames are the versions that a definition has one after the other.
var versionNames = []string{"v1alpha1", "v1beta1", "v1", "v2"}

// edition is what the definition of the kind says at a step.
type edition struct {
	// ours is true if the definition is a resource of the run, in which it changes together with the object. Another
	// manager changes it otherwise, before the run.
	ours bool
	// oldest and newest are the first and the last version that is served, storage is the one that is stored.
	oldest, newest, storage int
	// extra says that it has the field extra, wide that size is a number or a string, more that mode may be c.
	extra, wide, more bool
}

func (s edition) String() string {
	by := "of another manager"
	if s.ours {
		by = "ours"
	}
	return fmt.Sprintf("%s, serves %v, stores %s, extra %t, wide %t, more %t", by, s.served(), versionNames[s.storage], s.extra, s.wide, s.more)
}

func (s edition) served() []string { return versionNames[s.oldest : s.newest+1] }

// changed is one change of a definition, which keeps what is served valid.
func (s edition) changed(r random) edition {
	switch r.IntN(7) {
	case 0:
		s.newest = min(s.newest+1, len(versionNames)-1)
	case 1:
		s.storage = s.newest
	case 2:
		s.oldest = s.storage
	case 3:
		s.extra = !s.extra
	case 4:
		s.wide = true // Values that are strings would not fit any more.
	case 5:
		s.more = true
	}
	return s
}

// allows reports whether a schema has a field and its value.
func (s edition) allows(c choice) bool {
	text, isText := c.value.(string)
	switch c.path {
	case "spec|extra":
		return s.extra
	case "spec|size":
		return s.wide || !isText
	case "spec|mode":
		return s.more || text != "c"
	default:
		return true
	}
}

// manifest returns the definition for a group.
func (s edition) manifest(group string) string {
	size, mode, extra := "{type: integer}", "[a, b]", ""
	if s.wide {
		size = "{x-kubernetes-int-or-string: true}"
	}
	if s.more {
		mode = "[a, b, c]"
	}
	if s.extra {
		extra = "extra: {type: string}, "
	}
	var all []string
	for i, name := range s.served() {
		all = append(all, fmt.Sprintf(`
  - name: %s
    served: true
    storage: %t
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: %s, mode: {type: string, enum: %s}, %snest: {type: object, properties: {deep: {type: string}}},
              gmap: {type: object, additionalProperties: {type: string}},
              entries: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name],
                items: {type: object, required: [name], properties: {name: {type: string}, val: {type: string}}}}}`,
			name, s.oldest+i == s.storage, size, mode, extra))
	}
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.%[1]s}
spec:
  group: %[1]s
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
  versions:%[2]s
`, group, strings.Join(all, ""))
}

// evolve lets the definition of a kind change from step to step, and the version in which the resource declares it.
func evolve(r random, all []step) {
	if !r.kind.defined {
		r.declareVersions(all)
		return
	}
	now, version := edition{ours: r.IntN(2) == 0}, 0
	for i := range all {
		if i > 0 && r.IntN(2) == 0 {
			for range 1 + r.IntN(3) {
				now = now.changed(r)
			}
		}
		if version < now.oldest || r.IntN(4) == 0 {
			version = now.oldest + r.IntN(now.newest-now.oldest+1)
		}
		all[i].edition = now
		c := &all[i].configuration
		c.version = inVersion(r.kind.base, versionNames[version])
		c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(c choice) bool { return !now.allows(c) })
		for _, writes := range [][]write{all[i].before, all[i].between} {
			for n := range writes {
				if writes[n].version != "" {
					writes[n].version = inVersion(r.kind.base, pick(r, now.served()...))
				}
			}
		}
	}
}

func inVersion(base, version string) string {
	return strings.Replace(base, versionNames[0], version, 1)
}

// declareVersions has the configuration declare another version of a built-in kind.
func (r random) declareVersions(all []step) {
	moved := slices.DeleteFunc(slices.Clone(r.kind.others), func(v version) bool { return v.whole == "" })
	if len(moved) == 0 {
		return
	}
	var in *version
	for i := range all {
		if r.IntN(5) == 0 {
			in = &moved[r.IntN(len(moved))]
			if r.IntN(2) == 0 {
				in = nil
			}
		}
		if in == nil {
			continue
		}
		c := &all[i].configuration
		c.version = in.whole
		c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f choice) bool {
			isOf := func(own field) bool { return own.path == f.path }
			return !strings.HasPrefix(f.path, "metadata|") && !slices.ContainsFunc(in.fields, isOf)
		})
		if f := pick(r, in.fields...); r.IntN(2) == 0 {
			c.fields = with(c.fields, choice{f.path, pick(r, f.values...)})
		}
	}
}

func apiVersionOf(base string) string {
	_, text, _ := strings.Cut(base, "apiVersion: ")
	text, _, _ = strings.Cut(text, ",")
	return text
}
