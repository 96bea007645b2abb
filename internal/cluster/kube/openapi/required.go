package openapi

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// checkEmpty checks a Go struct that is missing, which is an empty one.
func (f *fieldSearch) checkEmpty(property *spec.Schema, at *place) {
	if endsIn(at.names(), choices) && !f.kind.isUnproven {
		f.add(at, missing)
		return
	}
	f.checkMap(f.kind.schemas.resolve(property), nil, at)
}

const missing = "required, and missing"

// isStruct reports whether a field is one of a built-in kind that is never missing: a Go struct, which is empty
// instead. So what it requires may be missing.
func isStruct(property spec.Schema) bool {
	fields, is := property.Default.(map[string]any)
	return is && len(fields) == 0
}

var (
	// zeroes are the ends of the paths of fields of built-in kinds that their schemas require, and the API server does
	// not: their zero value is valid.
	zeroes = []string{
		"dataSource.kind", "forZones.name", "httpHeaders.value", "iscsi.lun", "pool.generation",
		"podFailurePolicy.rules",
		"revision", "scaleIO.secretRef", "sleep.seconds", "spec.drivers", "spec.limits", "sysctls.value",
		"tokenRequests.audience",
	}
	// choices are the ends of the paths of required structs that need one of their fields. An empty struct is not valid
	// there.
	choices = []string{"paths.backend", "spec.source", "webhooks.clientConfig"}
	// ignored are the fields below which the API server requires nothing: it drops them.
	ignored = []string{"clusterTrustBundle", "configSource", "podCertificate", "status"}
)

// isOptional reports whether a field may be missing although the schema requires it, or is there as null. A test
// compares what is required with the server.
func (f *fieldSearch) isOptional(property spec.Schema, name string, object map[string]any, at *place) bool {
	if _, isNull := object[name]; isNull && property.Nullable {
		return true
	}
	if f.kind.isCustom {
		return false // Defaults are there.
	}
	if f.kind.isUnproven || property.Type.Contains("boolean") || f.isQuantity(f.kind.schemas.resolve(&property)) {
		return true
	}
	isIgnored := slices.ContainsFunc(at.steps(), func(step any) bool {
		field, is := step.(string)
		return is && slices.Contains(ignored, field)
	})
	return isIgnored || endsIn(at.field(name).names(), zeroes)
}

// endsIn reports whether a path ends in one of those of a list.
func endsIn(names string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(names, "."+end) })
}
