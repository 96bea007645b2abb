// Package testcluster runs a real Kubernetes control plane for acceptance tests and the demo: etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler, compiled from nested Go modules, with kwok instead
// of a kubelet. Deployments roll out, jobs complete, autoscalers scale and namespaces go away as they do on a
// cluster, and the audit log counts every request. Only Go modules are downloaded, no container engine is
// needed, and all servers listen on the loopback interface only.
//
// Everything about the server's behaviour is tested on this control plane, with RBAC.
//
// # Sharing
//
// make test starts one control plane with cmd/cluster, and the tests of most packages attach to it: [EnvDir] names its
// directory. Without that variable, the tests of a package start a control plane of their own.
//
// # Versions
//
// K8SCONNECT_TEST_KUBERNETES=1.35 runs another version of the control plane, and K8SCONNECT_TEST_CLI=tofu or
// terraform-1.16 another CLI than Terraform 1.11. Each is a nested module below servers. The folder servers/kubernetes
// has the version that tests use by default. Builds are cached, and are removed from the cache if they were not used
// for a month.
package testcluster
