package report

import (
	"regexp"
	"slices"
	"strings"
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

func fits(glob, name string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(name)
}
