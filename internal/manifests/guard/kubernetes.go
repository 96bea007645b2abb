package guard

import "strings"

// controllers are the controllers of kube-controller-manager and of the cloud's controller manager, by the names of
// their ServiceAccounts in kube-system. The autoscaler is not among them: it writes to the subresource scale.
var controllers = []string{
	"attachdetach-controller", "certificate-controller", "cloud-controller-manager",
	"clusterrole-aggregation-controller", "cronjob-controller", "daemon-set-controller",
	"deployment-controller", "device-taint-eviction-controller", "disruption-controller",
	"endpoint-controller", "endpointslice-controller", "endpointslicemirroring-controller",
	"ephemeral-volume-controller", "expand-controller", "generic-garbage-collector", "job-controller",
	"kube-apiserver-serving-clustertrustbundle-publisher", "legacy-service-account-token-cleaner",
	"namespace-controller", "node-controller", "persistent-volume-binder", "pod-garbage-collector",
	"podcertificaterequestcleaner", "podgroup-protection-controller", "pv-protection-controller",
	"pvc-protection-controller", "replicaset-controller", "replication-controller",
	"resource-claim-controller", "resourcepoolstatusrequest-controller", "resourcequota-controller",
	"root-ca-cert-publisher", "route-controller", "selinux-warning-controller", "service-account-controller",
	"service-cidrs-controller", "service-controller", "statefulset-controller",
	"storage-version-garbage-collector", "storage-version-migrator-controller",
	"ttl-after-finished-controller", "ttl-controller", "validatingadmissionpolicy-status-controller",
	"volumeattributesclass-protection-controller",
}

// controlPlaneUsers and controlPlaneGroups are patterns for who keeps the cluster running: garbage collection, the end
// of a namespace, taints of nodes, rules of aggregated ClusterRoles. If one of them is refused, it tries for ever.
var (
	controlPlaneUsers = `^system:(?:apiserver|kube-controller-manager|kube-scheduler|cloud-controller-manager|` +
		`serviceaccount:kube-system:(?:` + strings.Join(controllers, "|") + `))$`
	controlPlaneGroups = `^system:nodes$`
)
