package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The field managers of the story.
const (
	ours       = "k8sconnect"
	autoscaler = "kube-controller-manager"
	creator    = "kubectl-create"
	editor     = "kubectl-edit"
)

// The values of spec.replicas: the one in scenes/web.tf, and the one that the autoscaler of scenes/autoscaler.tf sets.
const (
	replicas = "spec.replicas"
	declared = 2
	scaled   = 4
)

func (s *story) applyDeployment(ctx context.Context) error {
	s.print.caption(`
For every field of an object, the API server records in metadata.managedFields who set it: the
field's managers, also called its owners. This provider is the field manager "k8sconnect", and it
shows that record in the plan.

An object is plain Kubernetes YAML in HCL. This Deployment has 2 replicas.`)
	for _, file := range []string{"provider.tf", "web.tf"} {
		if err := s.add(file); err != nil {
			return err
		}
	}
	if _, err := s.tf.run(ctx, initView, "init"); err != nil {
		return err
	}
	s.print.caption(`
Before the Deployment exists, the plan shows who will own each of its fields (field_ownership),
which fields will have several owners (co_owners: none), and the values as the API server will
store them (managed_state), because the provider sends the object to the API server as a dry-run.`)
	planned, err := s.tf.plan(ctx)
	if err != nil {
		return err
	}
	_, after := planned.of("web")
	if err := expect("the planned owner of "+replicas, ours, after.FieldOwnership[replicas]); err != nil {
		return err
	}
	if err := s.tf.applyPlan(ctx); err != nil {
		return err
	}
	live, err := s.cluster.settled(ctx, "web")
	if err != nil {
		return err
	}
	return s.showOwner(live, declared, ours)
}

func (s *story) autoscalerTakes(ctx context.Context) error {
	s.print.caption(`
A HorizontalPodAutoscaler wants at least 4 replicas. The provider creates it. Kubernetes' own
autoscaling controller, a part of kube-controller-manager, then scales the Deployment.`)
	if err := s.add("autoscaler.tf"); err != nil {
		return err
	}
	if _, err := s.tf.run(ctx, resultView, "apply", "-auto-approve"); err != nil {
		return err
	}
	s.print.caption("Waiting for the autoscaler to act ...")
	live, err := s.cluster.await(ctx, "web", "the autoscaler has not scaled it", func(d *appsv1.Deployment) done {
		return done(*d.Spec.Replicas != declared && d.Status.ObservedGeneration == d.Generation)
	})
	if err != nil {
		return err
	}
	return s.showOwner(live, scaled, autoscaler)
}

func (s *story) planShowsTransfer(ctx context.Context) error {
	s.print.caption(`
web.tf still says 2 replicas. An apply would set 4 back to 2 and take the field from the
autoscaler, which would take it again, and so on. The plan shows this before it happens: the owner
before and after (field_ownership), the value before and after (managed_state), and a warning that
says how to avoid it.`)
	planned, err := s.tf.plan(ctx)
	if err != nil {
		return err
	}
	before, after := planned.of("web")
	return errors.Join(
		expect("the present owner of "+replicas, autoscaler, before.FieldOwnership[replicas]),
		expect("the planned owner of "+replicas, ours, after.FieldOwnership[replicas]),
		expect("the present value of "+replicas, fmt.Sprint(scaled), before.ManagedState[replicas]),
		expect("the planned value of "+replicas, fmt.Sprint(declared), after.ManagedState[replicas]),
		planned.expectText("Warning: Field Ownership Conflict", `ignore_fields = ["spec.replicas"]`),
	)
}

func (s *story) ignoreResolves(ctx context.Context) error {
	s.print.caption("The demo does not apply this plan. Instead it adds the line from the warning to web.tf:")
	before, err := scene("web.tf")
	if err != nil {
		return err
	}
	text, err := scene("web_ignoring.tf")
	if err != nil {
		return err
	}
	s.print.line("")
	s.print.block(addedLines(before, text))
	if err := s.work.write("web.tf", text); err != nil {
		return err
	}
	s.print.caption(`
Now the plan leaves the field to its owner. It changes only the state:
managed_state lists the fields that this resource manages, and spec.replicas is no longer among them
("4" -> null). The Deployment on the cluster keeps its 4 replicas.`)
	planned, err := s.tf.plan(ctx)
	if err != nil {
		return err
	}
	_, after := planned.of("web")
	if err := errors.Join(
		expect("the planned owner of "+replicas, autoscaler, after.FieldOwnership[replicas]),
	); err != nil {
		return err
	}
	if err := s.applyUntouched(ctx); err != nil {
		return err
	}
	s.print.caption("The same value and the same owner before and after. The next plan has nothing to do:")
	return s.emptyPlan(ctx)
}

// applyUntouched applies the plan and shows the autoscaler's field before and after.
func (s *story) applyUntouched(ctx context.Context) error {
	before, err := s.cluster.settled(ctx, "web")
	if err != nil {
		return err
	}
	if err := s.showOwner(before, scaled, autoscaler); err != nil {
		return err
	}
	if err := s.tf.applyPlan(ctx); err != nil {
		return err
	}
	after, err := s.cluster.settled(ctx, "web")
	if err != nil {
		return err
	}
	return s.showOwner(after, scaled, autoscaler)
}

// emptyPlan shows a plan that has no changes.
func (s *story) emptyPlan(ctx context.Context) error {
	planned, err := s.tf.plan(ctx)
	if err != nil {
		return err
	}
	return errors.Join(planned.expectEmpty(), planned.expectText("No changes."))
}

func (s *story) importDeployment(ctx context.Context) error {
	s.print.caption(`
Somebody creates a Deployment with kubectl and edits it later. (The demo needs no kubectl: it sends
the same requests under the manager names that kubectl uses, kubectl-create and kubectl-edit.)`)
	before, err := s.createWithKubectl(ctx)
	if err != nil {
		return err
	}
	if err := s.generate(ctx); err != nil {
		return err
	}
	s.print.caption(`
The body contains what people wrote, without the server's defaults (JSON is also YAML). The plan of
the import shows that k8sconnect takes over these fields from kubectl create, so that a field which
later leaves the body leaves the object too. kubectl-create keeps the defaults. (take_over_managers
lists the managers whose fields are taken over.) kubectl edit is not in that list: the image will
have two owners, as co_owners and a warning show. No value changes: managed_state is not in this plan.`)
	if err := s.planImport(ctx); err != nil {
		return err
	}
	if err := s.tf.applyPlan(ctx); err != nil {
		return err
	}
	after, err := s.cluster.settled(ctx, "cart")
	if err != nil {
		return err
	}
	if err := s.showOwner(after, declared, ours); err != nil {
		return err
	}
	s.print.fact("deployment/cart: generation %d before the import, %d after it; a change of its spec would count",
		before.Generation, after.Generation)
	if before.Generation != after.Generation {
		return errors.New("the import changed the spec of the Deployment cart")
	}
	s.print.caption("The second plan is empty:")
	return s.emptyPlan(ctx)
}

// generate makes the CLI write the resource block of cart.tf.
func (s *story) generate(ctx context.Context) error {
	s.print.caption(`
An import block imports the Deployment. There is no resource block yet, so the import block names
the provider, and the CLI writes the resource block:`)
	naming, err := scene("import_generating.tf")
	if err != nil {
		return err
	}
	s.print.file("import.tf", naming)
	if err := s.work.write("import.tf", naming); err != nil {
		return err
	}
	if _, err := s.tf.run(ctx, importView, "plan", "-generate-config-out=cart.tf"); err != nil {
		return err
	}
	generated, err := s.work.read("cart.tf")
	if err != nil {
		return err
	}
	s.print.file("cart.tf", withoutComments(generated))
	s.print.caption("Once the resource block exists, the CLI does not accept the argument provider. The demo " +
		"removes it:")
	return s.add("import.tf")
}

// createWithKubectl creates the Deployment of scenes/cart.yaml and edits its image, as kubectl does, and returns the
// Deployment.
func (s *story) createWithKubectl(ctx context.Context) (*appsv1.Deployment, error) {
	const image = "redis:8.0"
	manifest, err := scene("cart.yaml")
	if err != nil {
		return nil, err
	}
	s.print.file("cart.yaml", manifest)
	s.print.command("kubectl create -f cart.yaml")
	if err := s.cluster.kubectlCreate(ctx, manifest); err != nil {
		return nil, err
	}
	s.print.command("kubectl edit deployment cart   # the image becomes " + image)
	if err := s.cluster.kubectlEdit(ctx, "cart", "redis", image); err != nil {
		return nil, err
	}
	return s.cluster.settled(ctx, "cart")
}

// planImport shows the plan of the import and checks the transfers in it.
func (s *story) planImport(ctx context.Context) error {
	const (
		image   = `spec.template.spec.containers[name="redis"].image`
		history = "spec.revisionHistoryLimit"
	)
	planned, err := s.tf.plan(ctx)
	if err != nil {
		return err
	}
	before, after := planned.of("cart")
	errs := []error{
		planned.expectText("Warning: Field Ownership Change",
			"the apply shares a field that others own with the same value:"),
		expect("the planned owner of a default", creator, after.FieldOwnership[history]),
		expect("the present owner of "+replicas, creator, before.FieldOwnership[replicas]),
		expect("the planned owner of "+replicas, ours, after.FieldOwnership[replicas]),
		expect("the present owner of the image", editor, before.FieldOwnership[image]),
		expect("the planned owner of the image", ours, after.FieldOwnership[image]),
	}
	if owners := after.CoOwners[image]; len(after.CoOwners) != 1 || !slices.Equal(owners, []string{ours, editor}) {
		errs = append(errs, fmt.Errorf("the planned co_owners are %q, expected %s and %s of the image and no others",
			after.CoOwners, ours, editor))
	}
	return errors.Join(errs...)
}

func (s *story) destroy(ctx context.Context) error {
	if _, err := s.tf.run(ctx, resultView, "destroy", "-auto-approve"); err != nil {
		return err
	}
	for _, name := range []string{"web", "cart"} {
		_, err := s.cluster.deployments().Get(ctx, name, metav1.GetOptions{})
		if !apierrors.IsNotFound(err) {
			return errors.Join(fmt.Errorf("the Deployment %s is still there", name), err)
		}
	}
	s.print.fact("deployment/web, deployment/cart and the autoscaler are gone from the cluster")
	return nil
}
