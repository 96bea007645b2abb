package faults_test

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// lastingTimeout lets an operation that fails for as long as it tries end before a stall does.
func lastingTimeout() string { return (stall * 2 / 3).String() }

// configureAs writes the configuration that chosen picks of each cell's operation.
func (b *bench) configureAs(chosen func(operation) *config) (resources int) {
	b.T.Helper()
	all, imports := map[string]resource{}, map[string]string{}
	for _, c := range b.cells {
		wanted := chosen(c.operation)
		if wanted == nil {
			continue
		}
		one := resource{Way: c.way, Namespace: b.Namespace, Body: body(b.Namespace, c.object(), wanted.data), Ignore: wanted.ignore}
		if c.isPatch() {
			one.Body = fmt.Sprintf(`{"data": %s}`, wanted.data)
		}
		if wanted.manager != "" {
			one.Manager = &wanted.manager
		}
		if wanted.onDestroy != "" {
			one.OnDestroy = &wanted.onDestroy
		}
		if c.duration == lasting {
			timeout := lastingTimeout()
			one.Timeout = &timeout
		}
		if b.connection == ownConnection {
			one.Cluster = b.proxy.cluster(c.object())
			if d := b.doors[c.object()]; d != nil {
				one.Cluster.Host = "https://" + d.address + ownPath + c.object()
			}
		}
		if b.repairs[c.object()] == adopted {
			yes := true
			one.Adopt = &yes
		}
		all[c.object()] = one
		if c.created != "" || b.repairs[c.object()] == imported {
			imports[c.object()] = identity(b.Namespace, c.object()).ID()
		}
	}
	b.configure(all, imports)
	return len(all)
}

func before(o operation) *config { return o.before }
func after(o operation) *config  { return o.after }

// setUp brings about the objects and the state that the operations start from.
func (b *bench) setUp() {
	b.T.Helper()
	for _, c := range b.cells {
		if c.isPatch() {
			b.As("kubectl-create").Create(body(b.Namespace, c.object(), c.target))
		}
	}
	if b.configureAs(before) > 0 {
		b.mustRun("apply", "-auto-approve")
	}
	for _, c := range b.cells {
		if c.created != "" {
			b.As("kubectl-create").Create(body(b.Namespace, c.object(), c.created))
		}
		b.patch(c.object(), c.others)
	}
	b.configureAs(after)
}

// mustRun is run for a command that has to succeed.
func (b *bench) mustRun(args ...string) outcome {
	b.T.Helper()
	out := b.run(args...)
	for _, key := range out.failed() {
		b.T.Errorf("%v: %s: %v", args, key, out.errors(key))
	}
	if b.T.Failed() {
		b.T.FailNow()
	}
	return out
}

func (b *bench) patch(name string, writes []write) {
	b.T.Helper()
	for _, w := range writes {
		b.As(w.manager).Patch("v1 ConfigMap "+name, w.patch)
	}
}

// meanwhile has other managers write between the plan and the apply.
func (b *bench) meanwhile() {
	b.T.Helper()
	for _, c := range b.cells {
		b.patch(c.object(), c.meanwhile)
	}
}

// live returns the objects on the server by their names.
func (b *bench) live() map[string]unstructured.Unstructured {
	b.T.Helper()
	list, err := b.objects.List(b.T.Context(), metav1.ListOptions{})
	story.Must(b.T, err)
	found := map[string]unstructured.Unstructured{}
	for _, object := range list.Items {
		if object.GetName() != "kube-root-ca.crt" {
			found[object.GetName()] = object
		}
	}
	return found
}

// letGo removes the finalizers of objects that have been terminating for a while, until ctx ends.
func (b *bench) letGo(ctx context.Context) {
	objects := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return b.objects.List(ctx, options)
		},
		WatchFuncWithContext: b.objects.Watch,
	}, &unstructured.Unstructured{}, 0, nil)
	_, err := objects.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { b.letGoOf(ctx, object) },
		UpdateFunc: func(_, object any) { b.letGoOf(ctx, object) },
	})
	if err != nil {
		b.T.Error(err)
	}
	objects.RunWithContext(ctx)
}

// letGoOf removes the finalizers of an object in a while if it is terminating, unless another one has its name by then.
func (b *bench) letGoOf(ctx context.Context, object any) {
	const patience = 2 * time.Second
	one, ok := object.(*unstructured.Unstructured)
	if !ok || one.GetDeletionTimestamp() == nil {
		return
	}
	patch := fmt.Appendf(nil, `{"metadata":{"uid":%q,"finalizers":null}}`, one.GetUID())
	time.AfterFunc(patience-time.Since(one.GetDeletionTimestamp().Time), func() {
		_, _ = b.objects.Patch(ctx, one.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "guardian"})
	})
}
