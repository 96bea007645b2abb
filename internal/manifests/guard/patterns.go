package guard

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// pattern returns an expression, in RE2, that matches what one of globs matches as a whole.
func pattern(globs []string) string { return patternWith(globs, "") }

// patternWith returns a pattern that matches a match of one of globs followed by one of the expression after.
func patternWith(globs []string, after string) string {
	expressions := make([]string, len(globs))
	for i, glob := range globs {
		expressions[i] = expression(glob)
	}
	return whole(expressions, after)
}

func whole(expressions []string, after string) string {
	return "(?s)^(?:" + strings.Join(expressions, "|") + ")" + after + "$"
}

// kindsPattern returns a pattern for a group, a slash and a kind.
func kindsPattern(globs []string) string {
	expressions := make([]string, len(globs))
	for i, glob := range globs {
		group, kind, isQualified := strings.Cut(glob, "/")
		if !isQualified {
			group, kind = "*", glob
		}
		expressions[i] = groupExpression(group) + "/" + expression(kind)
	}
	return whole(expressions, "")
}

func groupExpression(glob string) string {
	if glob == "core" {
		return ""
	}
	return expression(glob)
}

// keysPattern returns a pattern for a group, a resource, a namespace and a name, which it makes of keys with a kind. A
// request for a subresource does not have the kind of its object.
func keysPattern(keys []string) string {
	expressions := make([]string, len(keys))
	for i, key := range keys {
		parts := strings.SplitN(key, "/", keyParts)
		plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: parts[1]})
		expressions[i] = fmt.Sprintf("%s/(?:%s|%s)/%s/%s", groupExpression(parts[0]), expression(plural.Resource),
			expression(strings.ToLower(parts[1])), expression(parts[2]), expression(parts[3]))
	}
	return whole(expressions, "")
}

// keyParts is the number of parts of a key: group, kind, namespace and name.
const keyParts = 4

// expression returns an expression for a glob in the syntax of package path, except that * also matches slashes: users
// have them.
func expression(glob string) string {
	var out strings.Builder
	runes := []rune(glob)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; r {
		case '*':
			out.WriteString(".*")
		case '?':
			out.WriteString(".")
		case '[':
			i = class(&out, runes, i+1)
		case '\\':
			i++
			out.WriteString(regexp.QuoteMeta(string(runes[i])))
		default:
			out.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return out.String()
}

// class writes the class of characters that begins at i, after its bracket, and returns the index of its end. It writes
// each character by its number: none is special then.
func class(out *strings.Builder, runes []rune, i int) int {
	out.WriteString("[")
	if runes[i] == '^' {
		out.WriteString("^")
		i++
	}
	for ; runes[i] != ']'; i++ {
		switch runes[i] {
		case '-':
			out.WriteString("-")
			continue
		case '\\':
			i++
		}
		fmt.Fprintf(out, `\x{%X}`, runes[i])
	}
	out.WriteString("]")
	return i
}

// controllers are the controllers of kube-controller-manager and of the cloud's controller manager, by the names of
// their ServiceAccounts in kube-system. The autoscaler is not among them: it writes to the subresource scale.
var controllers = []string{
	"attachdetach-controller", "certificate-controller", "cloud-controller-manager",
	"clusterrole-aggregation-controller", "cronjob-controller", "daemon-set-controller", "deployment-controller",
	"device-taint-eviction-controller", "disruption-controller", "endpoint-controller", "endpointslice-controller",
	"endpointslicemirroring-controller", "ephemeral-volume-controller", "expand-controller",
	"generic-garbage-collector", "job-controller", "kube-apiserver-serving-clustertrustbundle-publisher",
	"legacy-service-account-token-cleaner", "namespace-controller", "node-controller", "persistent-volume-binder",
	"pod-garbage-collector", "podcertificaterequestcleaner", "podgroup-protection-controller",
	"pv-protection-controller", "pvc-protection-controller", "replicaset-controller", "replication-controller",
	"resource-claim-controller", "resourcepoolstatusrequest-controller", "resourcequota-controller",
	"root-ca-cert-publisher", "route-controller", "selinux-warning-controller", "service-account-controller",
	"service-cidrs-controller", "service-controller", "statefulset-controller", "storage-version-garbage-collector",
	"storage-version-migrator-controller", "ttl-after-finished-controller", "ttl-controller",
	"validatingadmissionpolicy-status-controller", "volumeattributesclass-protection-controller",
}

// controlPlaneUsers and controlPlaneGroups are patterns for who keeps the cluster running: garbage collection, the end
// of a namespace, taints of nodes, rules of aggregated ClusterRoles. If one of them is refused, it tries for ever.
var (
	controlPlaneUsers = `^system:(?:apiserver|kube-controller-manager|kube-scheduler|cloud-controller-manager|` +
		`serviceaccount:kube-system:(?:` + strings.Join(controllers, "|") + `))$`
	controlPlaneGroups = `^system:nodes$`
)
