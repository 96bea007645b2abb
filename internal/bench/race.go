package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

// race measures contenders beside each other on one control plane: each phase of all of them, before the next one.
type race struct {
	ctx        context.Context
	cli        testcluster.CLI
	plane      *testcluster.ControlPlane
	typed      *kubernetes.Clientset
	dynamic    dynamic.Interface
	contenders []contender
	phases     []phase
	// dir is where the workspaces are.
	dir string
	// report gets each measurement as it is made.
	report func(measurement)
}

// measurement is what one phase cost one contender.
type measurement struct {
	Contender string `json:"contender"`
	Phase     string `json:"phase"`
	Objects   int    `json:"objects"`
	Round     int    `json:"round"`
	cost
	// Requests counts the API server's audit log by verb, dry-runs apart; "discovery" is what names no resource.
	Requests map[string]int `json:"requests"`
	// WrongDiffs are the objects whose planned action is not what it has to be.
	WrongDiffs int `json:"wrong_diffs"`
	// StateBytes and PrivateBytes are the size of the state, and of the private state in it, after the command.
	StateBytes   int `json:"state_bytes"`
	PrivateBytes int `json:"private_bytes"`
}

// run lets every contender manage count objects through all phases, once.
func (r *race) run(count, round int) error {
	var workspaces []*workspace
	for _, c := range r.contenders {
		w, err := r.open(c, count, round)
		if err != nil {
			return fmt.Errorf("prepare %s: %w", c.Name, err)
		}
		workspaces = append(workspaces, w)
	}
	for _, p := range r.phases {
		for _, w := range workspaces {
			m, err := r.measure(p, w)
			if err != nil {
				return fmt.Errorf("%s, %s of %d objects: %w", w.Name, p.Name, count, err)
			}
			m.Objects, m.Round = count, round
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

// open makes a namespace, a user and a directory for a contender, and lets the CLI validate the configuration.
func (r *race) open(c contender, count, round int) (*workspace, error) {
	name := fmt.Sprintf("%s-%d-%d", c.slug(), count, round)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := r.typed.CoreV1().Namespaces().Create(r.ctx, namespace, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	kubeconfig, err := r.kubeconfig(c)
	if err != nil {
		return nil, err
	}
	w, err := newWorkspace(r.dir, c, r.cli, name, count, kubeconfig)
	if err != nil {
		return nil, err
	}
	return w, w.validate(r.ctx)
}

func (r *race) kubeconfig(c contender) ([]byte, error) {
	user, err := r.plane.User(c.slug(), "system:masters")
	if err != nil {
		return nil, err
	}
	return testcluster.KubeconfigOf(user)
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
	if m.cost, err = w.run(r.ctx, p.args...); err != nil {
		return m, err
	}
	requests, err := r.plane.AuditLog().Since(mark)
	if err != nil {
		return m, err
	}
	m.Requests = countRequests(testcluster.Matching(requests, testcluster.ByUser(w.user)))
	if p.plan != "" && m.Errors == 0 {
		actions, err := w.actions(r.ctx, p.plan)
		if err != nil {
			return m, err
		}
		m.WrongDiffs = p.wrong(w.objects, actions)
	}
	m.StateBytes, m.PrivateBytes, err = w.stateSize()
	return m, err
}

// countRequests counts by verb.
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

// discovery stands for the requests that name no resource: API groups, schemas, versions.
const discovery = "discovery"

// editAll changes one field in all manifests.
func (r *race) editAll(w *workspace) error {
	return w.revise("2", func(object) bool { return true })
}

// drift changes the same field of a tenth of the live objects, as kubectl edit does. The floor has no live objects: a
// tenth of its configuration changes instead.
func (r *race) drift(w *workspace) error {
	if w.Name == floor {
		return w.revise("3", object.drifts)
	}
	patch := []byte(`{"metadata":{"labels":{"revision":"drifted"}}}`)
	for _, o := range w.objects {
		if !o.drifts() {
			continue
		}
		objects := r.dynamic.Resource(o.sample().resource).Namespace(w.namespace)
		_, err := objects.Patch(r.ctx, o.Name(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "kubectl-edit"})
		if err != nil {
			return fmt.Errorf("change %s: %w", o.Name(), err)
		}
	}
	return nil
}
