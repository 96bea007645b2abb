// Package testcluster runs a real Kubernetes control plane for acceptance tests and the demo: etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler, compiled from nested Go modules, with kwok
// instead of a kubelet. Deployments roll out, jobs complete, autoscalers scale and namespaces go
// away as they do on a cluster, and the audit log counts every request. Nothing is downloaded but Go
// modules, no container engine is needed, and everything listens on the loopback interface.
package testcluster
