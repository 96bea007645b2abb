package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The configuration that Terraform generates for an import is the manifest that its author wrote, with
// the values of now, and the apply changes none of them.
func TestGeneratedConfiguration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(*story.Story)
		// manifest is what the author would have written.
		manifest string
		// replicas are the owners of spec.replicas after the apply.
		replicas []string
	}{
		"kubectl create": {
			make:     provenances["kubectl create"].make,
			manifest: story.Deployment,
			replicas: []string{"k8sconnect"},
		},
		"kubectl apply, then scaled": {
			make: func(s *story.Story) {
				provenances["kubectl apply, client side"].make(s)
				s.As("kubectl").Scale(story.Web, 5)
			},
			manifest: strings.Replace(story.Deployment, "replicas: 3", "replicas: 5", 1),
			replicas: []string{"k8sconnect", "kubectl"},
		},
		"kubectl apply, server side": {
			make:     provenances["kubectl apply, server side"].make,
			manifest: story.Deployment,
			replicas: []string{"k8sconnect", "kubectl"},
		},
		"kubectl apply, server side, then scaled": {
			make: func(s *story.Story) {
				provenances["kubectl apply, server side"].make(s)
				s.As("kubectl").Scale(story.Web, 5)
			},
			manifest: strings.Replace(story.Deployment, "replicas: 3", "replicas: 5", 1),
			replicas: []string{"k8sconnect", "kubectl"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			test.make(s)
			s.AwaitRollouts()
			before := s.Live(story.Web).Object["spec"]
			w := s.Workspace()
			w.Generate(story.WebID)
			s.CompareGenerated(w, test.manifest)

			w.Do("plan", "-out=first")
			w.ExpectSaved("first", story.ExpectOnly(story.ManagedState), plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate))
			w.ExpectSaved("first", s.ExpectPrediction(test.manifest))
			if out := w.Do("apply", "first"); strings.Contains(out, "Warning: Object Changed") {
				t.Errorf("the apply warned:\n%s", out)
			}
			if diff := cmp.Diff(before, s.Live(story.Web).Object["spec"]); diff != "" {
				t.Errorf("the spec after the import (-before +after):\n%s", diff)
			}
			w.ExpectState("spec.replicas", strings.Join(test.replicas, " "))
			story.Must(t, s.ExpectOwners(story.Web, "spec.replicas", test.replicas...)(nil))

			objects, _ := w.Cost("plan", "-out=second")
			w.ExpectSaved("second", plancheck.ExpectEmptyPlan())
			if diff := cmp.Diff([]string{"get deployments NS/web 200"}, objects); diff != "" {
				t.Errorf("requests of a plan without changes (-want +got):\n%s", diff)
			}
			w.Do("destroy", "-auto-approve")
			if !s.Gone(story.Web) {
				t.Error("the Deployment is still there")
			}
		})
	}
}

const (
	// batch is a Job whose default of completions is 1 only without parallelism.
	batch = `
apiVersion: batch/v1
kind: Job
metadata: {name: web, namespace: NS}
spec:
  suspend: true
  parallelism: 2
  completions: 1
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}
`
	longName = "a-name-that-has-no-room-for-what-a-dry-run-adds-to-a"
	// nightly is a CronJob with the longest name of one.
	nightly = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: ` + longName + `, namespace: NS}
spec:
  schedule: "0 3 * * *"
  suspend: true
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}}}
`
)

// The configuration is complete if no manager owns the object's content, and lacks the defaults whatever the name is.
func TestGeneratedContent(t *testing.T) {
	t.Parallel()
	clear := func(target string) func(*story.Story) {
		return func(s *story.Story) { s.As("velero").StripManagedFields(target, "[{}]") }
	}
	after := func(steps ...func(*story.Story)) func(*story.Story) {
		return func(s *story.Story) {
			for _, step := range steps {
				step(s)
			}
		}
	}
	for name, test := range map[string]generated{
		"of kubectl apply, then cleared": {
			make: after(func(s *story.Story) {
				s.As("kubectl-client-side-apply").ApplyClientSide(ancient)
				s.As("kubectl-edit").Patch("v1 ConfigMap web", `{"data":{"later":"x"}}`)
			}, clear("v1 ConfigMap web")),
			target: "v1 ConfigMap web", id: ancientID, want: ancient,
		},
		"of kubectl create, then cleared and labelled": {
			make: after(provenances["kubectl create"].make, (*story.Story).AwaitRollouts, clear(story.Web), func(s *story.Story) {
				s.As("rancher").Patch(story.Web, `{"metadata":{"labels":{"team":"shop"}}}`)
			}),
			target: story.Web, id: story.WebID,
			want: strings.Replace(story.Deployment, "name: web,", "name: web, labels: {team: shop},", 1),
		},
		"released by a destroy": {
			make: func(s *story.Story) {
				w := s.HostedWorkspace()
				w.Configure(s.Manifest("test", story.Deployment, `on_destroy = "release"`))
				w.Do("apply", "-auto-approve")
				w.Do("destroy", "-auto-approve")
			},
			target: story.Web, id: story.WebID, want: story.Deployment,
		},
		"whose default depends on another field": {
			make:   func(s *story.Story) { s.As("kubectl-create").Create(batch) },
			target: "batch/v1 Job web", id: "apiVersion=batch/v1,kind=Job,namespace=NS,name=web", want: batch,
		},
		"with the longest name": {
			make:   func(s *story.Story) { s.As("helm").Create(nightly) },
			target: "batch/v1 CronJob " + longName, id: "apiVersion=batch/v1,kind=CronJob,namespace=NS,name=" + longName,
			want: nightly,
		},
	} {
		t.Run(name, func(t *testing.T) { test.check(t) })
	}
}

// An object that was written in another version than that of the import may have fields that this version does not have.
func TestGeneratedFromAnotherVersion(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-client-side-apply").ApplyClientSide(`
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: NS}
spec: {maxReplicas: 5, targetCPUUtilizationPercentage: 80, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`)
	w := s.HostedWorkspace()
	w.Generate("apiVersion=autoscaling/v2,kind=HorizontalPodAutoscaler,namespace=NS,name=web")
	text, err := os.ReadFile(filepath.Join(w.Dir, "generated.tf"))
	story.Must(t, err)
	want := `# Left out, because the object has no such field in autoscaling/v2: spec.targetCPUUtilizationPercentage, ` +
		`which \"kubectl-client-side-apply\" has written in autoscaling/v1.\n`
	if !strings.Contains(string(text), want) {
		t.Errorf("no comment %s in:\n%s", want, text)
	}
}
