package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// builtin lists the kinds of Kubernetes, each with the short names that kubectl knows.
const builtin = `
	Binding ComponentStatus:cs ConfigMap:cm Endpoints:ep Event:ev LimitRange:limits Namespace:ns Node:no
	PersistentVolume:pv PersistentVolumeClaim:pvc Pod:po PodTemplate ReplicationController:rc ResourceQuota:quota
	Secret Service:svc ServiceAccount:sa ControllerRevision DaemonSet:ds Deployment:deploy ReplicaSet:rs
	StatefulSet:sts HorizontalPodAutoscaler:hpa CronJob:cj Job CertificateSigningRequest:csr Lease EndpointSlice
	FlowSchema PriorityLevelConfiguration Ingress:ing IngressClass NetworkPolicy:netpol IPAddress:ip ServiceCIDR
	RuntimeClass PodDisruptionBudget:pdb ClusterRole ClusterRoleBinding Role RoleBinding PriorityClass:pc CSIDriver
	CSINode CSIStorageCapacity StorageClass:sc VolumeAttachment VolumeAttributesClass:vac
	CustomResourceDefinition:crd,crds APIService MutatingWebhookConfiguration ValidatingWebhookConfiguration
	ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy
	MutatingAdmissionPolicyBinding DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice`

// shortNames are the short names of each built-in kind.
var shortNames = func() map[string][]string {
	all := map[string][]string{}
	for _, kind := range strings.Fields(builtin) {
		name, short, _ := strings.Cut(kind, ":")
		all[name] = strings.Split(short, ",")
	}
	return all
}()

// namesOf returns the names by which people know a kind, in lower case: itself, its plural and its short names.
func namesOf(kind string) []string {
	name := strings.ToLower(kind)
	plural := name + "s"
	switch {
	case strings.HasSuffix(name, "endpoints"):
		plural = name
	case strings.HasSuffix(name, "s"):
		plural = name + "es"
	case strings.HasSuffix(name, "y"):
		plural = strings.TrimSuffix(name, "y") + "ies"
	}
	return append([]string{name, plural}, shortNames[kind]...)
}

func isKind(glob, kind string) bool {
	return slices.ContainsFunc(namesOf(kind), func(name string) bool { return fits(strings.ToLower(glob), name) })
}

// Unmatched returns a remark for each pattern of the rules that matches no kind and no manager, neither one in the plan
// nor a well-known one. Such a pattern may be a typing error.
func (r Report) Unmatched(rules []Rule) []string {
	var remarks []string
	for _, rule := range rules {
		what, isKnown := "manager", r.hasManager
		if rule.isAction() {
			what, isKnown = "kind", r.hasKind
		}
		for _, glob := range rule.globs {
			if rule.what != incompleteRule && !isKnown(glob) {
				const remark = "the pattern %q of the rule %s matches no %s of the plan, and no well-known one"
				remarks = append(remarks, fmt.Sprintf(remark, glob, rule.Text, what))
			}
		}
	}
	return remarks
}

func (r Report) hasKind(glob string) bool {
	isOf := func(o Object) bool { return isKind(glob, o.Kind) }
	if slices.ContainsFunc(r.Objects, isOf) {
		return true
	}
	for kind := range shortNames {
		if isKind(glob, kind) {
			return true
		}
	}
	return false
}

func (r Report) hasManager(glob string) bool {
	is := func(name string) bool { return fits(glob, name) }
	return slices.ContainsFunc(ownership.WellKnown(), is) || slices.ContainsFunc(r.Objects, func(o Object) bool {
		for _, field := range o.Fields {
			for _, owner := range field.Owners {
				if is(owner.Name) {
					return true
				}
			}
		}
		return slices.ContainsFunc(o.Lines, func(line Line) bool {
			return slices.ContainsFunc(slices.Concat(line.OwnersBefore, line.OwnersAfter), is)
		})
	})
}

// LosesData reports whether the plan deletes an object with data or with other objects in it.
func (o Object) LosesData() bool {
	deletes := o.Action == Delete || o.Action == Replace
	return deletes && slices.Contains([]string{
		"PersistentVolumeClaim", "PersistentVolume", "VolumeSnapshot", "Namespace", "CustomResourceDefinition",
	}, o.Kind)
}
