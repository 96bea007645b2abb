package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/loopback"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// race measures contenders on one control plane: all contenders run a phase before the next phase begins.
type race struct {
	ctx        context.Context
	cli        testcluster.CLI
	plane      *testcluster.ControlPlane
	typed      *kubernetes.Clientset
	dynamic    dynamic.Interface
	contenders []contender
	phases     []phase
	// dir is the directory of the workspaces.
	dir string
	// states stores the states if the CLI does not keep them in files.
	states *loopback.States
	// distances are the proxies that make the API server appear far away, by the delay in one direction.
	distances map[time.Duration]*loopback.Distance
	// report gets each measurement as it is made.
	report func(measurement)
}

// measurement is the cost of one phase for one contender.
type measurement struct {
	Contender string `json:"contender"`
	Phase     string `json:"phase"`
	// Workload is the name of the workload, which Size counts.
	Workload string `json:"workload"`
	Size     int    `json:"size"`
	Round    int    `json:"round"`
	// Delay is the time that bytes need to the API server, and as long back.
	Delay time.Duration `json:"delay_ns"`
	cost
	// Requests are the numbers of requests in the API server's audit log, by verb, with dry-runs separate; "discovery"
	// counts requests that name no resource.
	Requests map[string]int `json:"requests"`
	// WrongDiffs is the number of objects with a wrong planned action.
	WrongDiffs int `json:"wrong_diffs"`
	// StateBytes and PrivateBytes are the sizes of the state, and of the private state in it, after the command.
	StateBytes   int `json:"state_bytes"`
	PrivateBytes int `json:"private_bytes"`
}

// start finds the CLI and starts the control plane, which the caller stops.
func (r *race) start() (err error) {
	if r.cli, err = testcluster.TerraformCLI(r.ctx, os.Stderr); err != nil {
		return err
	}
	if r.plane, err = testcluster.Start(r.ctx, testcluster.Options{Progress: os.Stderr}); err != nil {
		return err
	}
	admin := r.plane.RESTConfig()
	r.distances = map[time.Duration]*loopback.Distance{}
	r.typed, r.dynamic = kubernetes.NewForConfigOrDie(admin), dynamic.NewForConfigOrDie(admin)
	return nil
}

// runAll runs every workload that has sizes. A round measures every contender near to the API server and far away: a
// machine that becomes slower makes all of them slower.
func (r *race) runAll(o options) error {
	for _, load := range workloads {
		for _, size := range o.sizes[load.Name] {
			for round := range o.rounds {
				for _, delay := range o.delays {
					if err := r.run(trial{load, size, round + 1, delay}); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// trial is one round of all phases.
type trial struct {
	workload
	size, round int
	// delay is the time that bytes need to the API server.
	delay time.Duration
}

// run runs all phases of every contender once. The clients take minutes for many objects if the API
// server is far away, so they run in the first round only.
func (r *race) run(t trial) error {
	var workspaces []*workspace
	for _, c := range r.contenders {
		if c.isClient() && t.round > 1 {
			continue
		}
		w, err := r.open(c, t)
		if err != nil {
			return fmt.Errorf("prepare %s: %w", c.Name, err)
		}
		workspaces = append(workspaces, w)
	}
	for _, p := range r.phases {
		for _, w := range workspaces {
			m, err := r.measure(p, w)
			if err != nil {
				return fmt.Errorf("%s, %s of %d %s: %w", w.Name, p.Name, t.size, t.Name, err)
			}
			m.Workload, m.Size, m.Round, m.Delay = t.Name, t.size, t.round, t.delay
			r.report(m)
		}
	}
	for _, w := range workspaces {
		if err := os.RemoveAll(w.dir); err != nil {
			return err
		}
	}
	return nil
}

// open creates a namespace, a user and a directory for a contender, and validates the configuration with the CLI.
func (r *race) open(c contender, t trial) (*workspace, error) {
	name := fmt.Sprintf("%s-%s-%d-%d-%d", c.slug(), t.Name, t.size, t.round, t.delay.Milliseconds())
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := r.typed.CoreV1().Namespaces().Create(r.ctx, namespace, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	if t.definition != "" {
		if err := r.define(placed(t.definition, name)); err != nil {
			return nil, err
		}
	}
	kubeconfig, err := r.kubeconfig(c, t.delay)
	if err != nil {
		return nil, err
	}
	w := &workspace{
		contender: c, dir: filepath.Join(r.dir, name), cli: r.cli, namespace: name, user: c.slug(),
		objects: t.objects(t.size, name), states: r.states,
	}
	return w, w.prepare(r.ctx, kubeconfig)
}

// define creates a CustomResourceDefinition and waits until its kind is served.
func (r *race) define(definition string) error {
	var parsed unstructured.Unstructured
	if err := yaml.Unmarshal([]byte(definition), &parsed.Object); err != nil {
		return err
	}
	definitions := r.dynamic.Resource(schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	})
	if _, err := definitions.Create(r.ctx, &parsed, metav1.CreateOptions{}); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(r.ctx, pollInterval, definitionTimeout, true,
		func(context.Context) (bool, error) {
			group, _, _ := unstructured.NestedString(parsed.Object, "spec", "group")
			plural, _, _ := unstructured.NestedString(parsed.Object, "spec", "names", "plural")
			served, err := r.plane.Serves(group+"/v1", plural)
			return served && err == nil, nil // For a group that does not exist yet, Serves returns an error.
		})
}

const (
	pollInterval      = 100 * time.Millisecond
	definitionTimeout = time.Minute
)

// kubeconfig returns a kubeconfig for a user of the contender's own, and for an API server that is far away.
func (r *race) kubeconfig(c contender, delay time.Duration) ([]byte, error) {
	user, err := r.plane.User(c.slug(), "system:masters")
	if err != nil {
		return nil, err
	}
	if delay > 0 {
		far := r.distances[delay]
		if far == nil {
			server, err := url.Parse(user.Host)
			if err != nil {
				return nil, err
			}
			if far, err = loopback.NewDistance(server.Host, delay); err != nil {
				return nil, err
			}
			r.distances[delay] = far
		}
		user.Host = "https://" + far.Address()
	}
	return testcluster.KubeconfigOf(user)
}

// stop ends the control plane and the proxies in front of it.
func (r *race) stop() error {
	err := r.plane.Stop()
	for _, far := range r.distances {
		err = errors.Join(err, far.Close())
	}
	return err
}

// measure runs one phase of one contender.
func (r *race) measure(p phase, w *workspace) (measurement, error) {
	m := measurement{Contender: w.Name, Phase: p.Name}
	if p.prepare != nil {
		if err := p.prepare(r, w); err != nil {
			return m, err
		}
	}
	mark := r.plane.AuditLog().Mark()
	var err error
	if m.cost, err = w.run(r.ctx, p); err != nil {
		return m, err
	}
	requests, err := r.plane.AuditLog().Since(mark)
	if err != nil {
		return m, err
	}
	m.Requests = countRequests(testcluster.Matching(requests, testcluster.ByUser(w.user)))
	if p.plan != "" && m.Errors == 0 && w.Name != helm {
		actions, err := w.actions(r.ctx, p.plan)
		if err != nil {
			return m, err
		}
		m.WrongDiffs = p.wrong(w.objects, actions)
	}
	m.StateBytes, m.PrivateBytes, err = w.stateSize()
	return m, err
}

// countRequests returns the number of requests by verb.
func countRequests(requests []testcluster.Request) map[string]int {
	counts := map[string]int{}
	for _, request := range requests {
		verb := request.Verb
		switch {
		case request.Resource == "":
			verb = discovery
		case request.DryRun == testcluster.DryRunAll:
			verb += " (dry-run)"
		}
		counts[verb]++
	}
	return counts
}

// discovery groups the requests that name no resource: API groups, schemas, versions.
const discovery = "discovery"

// editOne changes one field in the first manifest.
func (r *race) editOne(w *workspace) error { return w.revise("1a", object.isFirst) }

// editAll changes one field in all manifests.
func (r *race) editAll(w *workspace) error {
	return w.revise("2", func(object) bool { return true })
}

// drift changes the same field of a tenth of the live objects, as kubectl edit does. A floor has no live objects: a
// tenth of its configuration changes instead.
func (r *race) drift(w *workspace) error {
	if w.idle() {
		return w.revise("3", object.drifts)
	}
	for _, o := range w.objects {
		if !o.drifts() {
			continue
		}
		patch := fmt.Appendf(nil, `[{"op": "replace", "path": %q, "value": "drifted"}]`, o.revision)
		_, err := o.client(r.dynamic).Patch(r.ctx, o.liveName(), types.JSONPatchType, patch,
			metav1.PatchOptions{FieldManager: "kubectl-edit"})
		if err != nil {
			return fmt.Errorf("change %s: %w", o.liveName(), err)
		}
	}
	return nil
}
