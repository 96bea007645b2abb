package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scenes are the configurations that the story writes, and the manifest that kubectl creates.
//
//go:embed scenes
var scenes embed.FS

// introduction describes the demo to a reader who has never seen the provider.
const introduction = `
This demo runs the provider k8sconnect on a real Kubernetes API server with its real controllers.
The CLI prints the commands' output; plans leave out unchanged attributes. Lines that begin
with => show what the demo reads from the cluster directly, without the provider.`

// summary lists what the reader has seen.
const summary = `a Deployment was applied, an autoscaler took spec.replicas from it, the plan showed
what an apply would take back, ignore_fields settled it without touching the value, a Deployment
made with kubectl was imported without touching its spec, and everything was destroyed.`

// story is the demo's state between its scenes.
type story struct {
	print   *printer
	work    *workspace
	tf      *terraform
	cluster *demoCluster
}

func newStory(print *printer, work *workspace, cluster *demoCluster) *story {
	return &story{print: print, work: work, cluster: cluster, tf: &terraform{
		print: print,
		path:  work.cli.Path,
		name:  string(work.cli.Product),
		dir:   work.dir(),
		env:   work.environment(os.Environ(), cluster.kubeconfig, cluster.namespace),
	}}
}

// play shows the scenes in order and stops at the first one that fails its checks.
func (s *story) play(ctx context.Context) error {
	s.print.caption(introduction)
	all := []struct {
		title string
		play  func(context.Context) error
	}{
		{"Apply a Deployment", s.applyDeployment},
		{"An autoscaler takes over spec.replicas", s.autoscalerTakes},
		{"The next plan shows what an apply would do to it", s.planShowsTransfer},
		{"ignore_fields leaves the field to its owner", s.ignoreResolves},
		{"Import a Deployment that kubectl created", s.importDeployment},
		{"Destroy everything", s.destroy},
	}
	for i, scene := range all {
		s.print.heading(i+1, scene.title)
		if err := scene.play(ctx); err != nil {
			return fmt.Errorf("scene %d, %q: %w", i+1, scene.title, err)
		}
	}
	return nil
}

// scene returns the content of a file below scenes/.
func scene(name string) (string, error) {
	text, err := scenes.ReadFile("scenes/" + name)
	return string(text), err
}

// add adds a file of the scenes to the configuration and shows it.
func (s *story) add(name string) error {
	text, err := scene(name)
	if err != nil {
		return err
	}
	s.print.file(name, text)
	return s.work.write(name, text)
}

// showOwner shows the value and the owners of a Deployment's spec.replicas, and checks both.
func (s *story) showOwner(deployment *appsv1.Deployment, replicas int32, managers ...string) error {
	owners, err := ownersOfReplicas(deployment)
	if err != nil {
		return err
	}
	s.print.fact("deployment/%s: spec.replicas = %d, owned by %s",
		deployment.Name, *deployment.Spec.Replicas, describe(owners))
	if *deployment.Spec.Replicas != replicas {
		return fmt.Errorf("spec.replicas of the Deployment %s is %d, expected %d",
			deployment.Name, *deployment.Spec.Replicas, replicas)
	}
	var names []string
	for _, owner := range owners {
		names = append(names, owner.Manager)
	}
	slices.Sort(names)
	if !slices.Equal(names, managers) {
		return fmt.Errorf("spec.replicas of the Deployment %s is owned by %s, expected %s",
			deployment.Name, describe(owners), strings.Join(managers, " and "))
	}
	return nil
}

// expect returns an error if a plan does not show what the scene explains.
func expect(what, want, got string) error {
	if want != got {
		return fmt.Errorf("%s is %q, expected %q", what, got, want)
	}
	return nil
}

// ownersOfReplicas returns the managers of a Deployment's spec.replicas from its managedFields. It does not use
// the provider's own code, because the demo checks that code.
func ownersOfReplicas(deployment *appsv1.Deployment) ([]metav1.ManagedFieldsEntry, error) {
	var owners []metav1.ManagedFieldsEntry
	for _, entry := range deployment.ManagedFields {
		if entry.FieldsV1 == nil {
			continue
		}
		text, err := json.Marshal(entry.FieldsV1)
		if err != nil {
			return nil, err
		}
		var fields struct {
			Spec map[string]json.RawMessage `json:"f:spec"`
		}
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, err
		}
		if _, ok := fields.Spec["f:replicas"]; ok {
			owners = append(owners, entry)
		}
	}
	return owners, nil
}

// describe returns the owners on one line: "kube-controller-manager (Update, subresource scale)".
func describe(owners []metav1.ManagedFieldsEntry) string {
	if len(owners) == 0 {
		return "nobody"
	}
	texts := make([]string, len(owners))
	for i, owner := range owners {
		how := string(owner.Operation)
		if owner.Subresource != "" {
			how += ", subresource " + owner.Subresource
		}
		texts[i] = owner.Manager + " (" + how + ")"
	}
	return strings.Join(texts, " and ")
}
