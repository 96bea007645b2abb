package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

// bench is a workspace and a namespace for some cells, with the proxy between.
type bench struct {
	*workspace
	proxy     *proxy
	namespace string
	objects   dynamic.ResourceInterface
	cells     []cell
	// connection is oneConnection where nothing else is set.
	connection connection
	// doors are those of the cells' own connections, where connections are to be refused.
	doors map[string]*door
	// repairs are what is done about objects that exist and are not in the state.
	repairs map[string]repair
	// problems are what went wrong in each cell.
	problems map[string][]string
}

// connection says whose connection a resource uses.
type connection string

const (
	// oneConnection is the provider's, for all resources.
	oneConnection connection = ""
	// ownConnection is one of each resource's own.
	ownConnection connection = "own"
)

// repair is a way to get an object into the state.
type repair string

const (
	imported repair = "imported"
	adopted  repair = "adopted"
)

func newBench(t *testing.T, speaking protocol, cells []cell) *bench {
	t.Helper()
	config := controlPlane.RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	must(t, err)
	namespace, err := typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "faults-"}}, metav1.CreateOptions{})
	must(t, err)
	t.Cleanup(func() {
		_ = typed.CoreV1().Namespaces().Delete(context.Background(), namespace.Name, metav1.DeleteOptions{})
	})
	p := newProxy(t, speaking)
	return &bench{
		workspace: newWorkspace(t, p.kubeconfig(t)),
		proxy:     p,
		namespace: namespace.Name,
		objects:   untyped.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(namespace.Name),
		cells:     cells,
		repairs:   map[string]repair{},
		problems:  map[string][]string{},
	}
}

// turns bounds how many commands keep the processors busy at the same time; the timeouts of the resources
// are for faults, not for a crowd.
var turns = make(chan struct{}, 2)

// run runs a command without faults.
func (b *bench) run(args ...string) outcome {
	b.t.Helper()
	turns <- struct{}{}
	defer func() { <-turns }()
	return b.command(16, args...)
}

// runFaulty runs a command with all resources at once, whose faults take their time side by side. The
// turn of others comes when all faults have been met.
func (b *bench) runFaulty(args ...string) outcome {
	b.t.Helper()
	turns <- struct{}{}
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	go func() {
		defer func() { <-turns }()
		b.proxy.awaitMet(ctx)
	}()
	return b.command(len(b.cells), args...)
}

func (b *bench) problem(c cell, format string, args ...any) {
	b.problems[c.object()] = append(b.problems[c.object()], fmt.Sprintf(format, args...))
}

// report makes each cell a subtest of its own.
func (b *bench) report() {
	for _, c := range b.cells {
		b.t.Run(c.object(), func(t *testing.T) {
			for _, problem := range b.problems[c.object()] {
				t.Error(problem)
			}
		})
	}
}

// lastingTimeout lets an operation that fails for as long as it tries end before a stall does.
func lastingTimeout() string { return (stall * 2 / 3).String() }

// configureAs writes the configuration that chosen picks of each cell's operation.
func (b *bench) configureAs(chosen func(operation) *config) (resources int) {
	b.t.Helper()
	all, imports := map[string]resource{}, map[string]string{}
	for _, c := range b.cells {
		wanted := chosen(c.operation)
		if wanted == nil {
			continue
		}
		one := resource{Body: body(b.namespace, c.object(), wanted.data), Ignore: wanted.ignore}
		if wanted.manager != "" {
			one.Manager = &wanted.manager
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
			imports[c.object()] = identity(b.namespace, c.object()).ID()
		}
	}
	b.configure(all, imports)
	return len(all)
}

func before(o operation) *config { return o.before }
func after(o operation) *config  { return o.after }

// setUp brings about the objects and the state that the operations start from.
func (b *bench) setUp() {
	b.t.Helper()
	if b.configureAs(before) > 0 {
		b.mustRun("apply", "-auto-approve")
	}
	for _, c := range b.cells {
		if c.created != "" {
			b.create(c.object(), c.created)
		}
		b.patch(c.object(), c.others)
	}
	b.configureAs(after)
}

// mustRun is run for a command that has to succeed.
func (b *bench) mustRun(args ...string) outcome {
	b.t.Helper()
	out := b.run(args...)
	for _, key := range out.failed() {
		b.t.Errorf("%v: %s: %v", args, key, out.errors(key))
	}
	if b.t.Failed() {
		b.t.FailNow()
	}
	return out
}

// create is kubectl create.
func (b *bench) create(name, data string) {
	b.t.Helper()
	object := &unstructured.Unstructured{}
	text, err := yaml.YAMLToJSON([]byte(body(b.namespace, name, data)))
	must(b.t, err)
	must(b.t, json.Unmarshal(text, object))
	_, err = b.objects.Create(b.t.Context(), object, metav1.CreateOptions{FieldManager: "kubectl-create"})
	must(b.t, err)
}

func (b *bench) patch(name string, writes []write) {
	b.t.Helper()
	for _, w := range writes {
		_, err := b.objects.Patch(b.t.Context(), name, types.MergePatchType, []byte(w.patch), metav1.PatchOptions{FieldManager: w.manager})
		must(b.t, err)
	}
}

// meanwhile has others write between the plan and the apply.
func (b *bench) meanwhile() {
	b.t.Helper()
	for _, c := range b.cells {
		b.patch(c.object(), c.operation.meanwhile)
	}
}

// live are the objects on the server by their names.
func (b *bench) live() map[string]unstructured.Unstructured {
	b.t.Helper()
	list, err := b.objects.List(b.t.Context(), metav1.ListOptions{})
	must(b.t, err)
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
	const patience = 2 * time.Second
	for ; ctx.Err() == nil; time.Sleep(patience / 8) {
		list, err := b.objects.List(ctx, metav1.ListOptions{})
		if err != nil {
			continue
		}
		for _, object := range list.Items {
			deleted := object.GetDeletionTimestamp()
			if deleted == nil || time.Since(deleted.Time) < patience {
				continue
			}
			_, _ = b.objects.Patch(ctx, object.GetName(), types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{FieldManager: "guardian"})
		}
	}
}

// arm arms the cells of a phase.
func (b *bench) arm(in phase) {
	for _, c := range b.cells {
		switch d := b.doors[c.object()]; {
		case c.phase != in:
		case d != nil:
			d.arm(c.arm)
		default:
			b.proxy.arm(c.object(), c.arm)
		}
	}
}

// disarm ends the faults of a phase, each of which must have been played.
func (b *bench) disarm(in phase) {
	for _, c := range b.cells {
		if c.phase != in {
			continue
		}
		if d := b.doors[c.object()]; d != nil {
			if !d.disarm() {
				b.problem(c, "the connection was never refused")
			}
			continue
		}
		if err := b.proxy.disarm(c.object()); err != nil {
			b.problem(c, "%v", err)
		}
	}
}
