package acceptance_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that another client's finalizer holds is waited for, stays in the state when the timeout runs out, and goes
// once the finalizer is removed.
func TestDestroyWaitsForFinalizer(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	config := s.Config(story.ConfigMap, `timeouts { delete = "3s" }`)
	var began time.Time
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				s.As("guardian").Patch(target, `{"metadata":{"finalizers":["example.com/hold"]}}`)
				began = time.Now()
			},
			Config:  s.ProviderBlock(),
			Destroy: true,
			ExpectError: story.Saying("Deletion Blocked", s.Expand("ConfigMap NS/web (v1) could not be deleted"),
				"the finalizer example.com/hold (set by guardian)"),
		},
		resource.TestStep{
			PreConfig: func() {
				if waited := time.Since(began); waited < 3*time.Second {
					t.Errorf("the destroy gave up after %s", waited)
				}
			},
			Config: s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionDestroy), story.Meanwhile(func() {
				if s.Live(target).GetDeletionTimestamp() == nil {
					t.Error("the object was not deleted")
				}
				s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`)
			})),
			Check: s.ExpectGone(target),
		},
	)
}

// A destroy that a finalizer holds goes on as soon as the finalizer is removed.
func TestDestroyResumesWithFinalizer(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			PreConfig: func() {
				s.As("guardian").Patch(target, `{"metadata":{"finalizers":["example.com/hold"]}}`)
				s.OnceSent(1, "delete configmaps", func() { s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`) })
			},
			Config: s.ProviderBlock(),
			Check:  s.ExpectGone(target),
		},
	)
}

// The destroy of a Job deletes its pods, too, which a DELETE of a Job leaves behind by default.
func TestDestroyedJobTakesPods(t *testing.T) {
	s := story.New(t)
	pods := func() int {
		list, err := s.Typed.CoreV1().Pods(s.Namespace).List(t.Context(), metav1.ListOptions{})
		story.Must(t, err)
		return len(list.Items)
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.Job), Check: story.Eventually("the Job has a pod", func() bool { return pods() > 0 })},
		resource.TestStep{Config: s.ProviderBlock(), Check: story.LiveChecks(s.ExpectGone("batch/v1 Job web"),
			story.Eventually("the pods of the Job are gone", func() bool { return pods() == 0 }))},
	)
}

// A destroy of an object that is already gone succeeds: it was deleted after the plan, or its definition was.
func TestDestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	const definition = "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com"
	for name, gone := range map[string]struct {
		body string
		// before and meanwhile are deleted before and after the plan of the destroy.
		before, meanwhile string
		plan              plancheck.PlanCheck
	}{
		"the object, before the plan":     {body: story.WidgetHere, before: "NS.example.com/v1 Widget web", plan: plancheck.ExpectEmptyPlan()},
		"the object, after the plan":      {body: story.WidgetHere, meanwhile: "NS.example.com/v1 Widget web", plan: story.ExpectAction(plancheck.ResourceActionDestroy)},
		"its definition, before the plan": {body: story.WidgetHere, before: definition, plan: plancheck.ExpectEmptyPlan()},
		"its definition, after the plan":  {body: story.WidgetHere, meanwhile: definition, plan: story.ExpectAction(plancheck.ResourceActionDestroy)},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			remove := func(target string) {
				if target == "" {
					return
				}
				s.As("kubectl").Remove(target)
				s.Await(target+" is gone", func() bool { return s.Gone(target) })
			}
			s.As("kubectl").Create(story.WidgetDefinition)
			t.Cleanup(s.DropDefinition)
			s.Run(
				resource.TestStep{Config: s.Config(gone.body)},
				resource.TestStep{
					PreConfig:        func() { remove(gone.before) },
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(gone.plan, story.Meanwhile(func() { remove(gone.meanwhile) })),
					Check:            s.ExpectGone("NS.example.com/v1 Widget web"),
				},
			)
		})
	}
}

// An object that another client has recreated since the plan is not ours to delete: ours is gone.
func TestDestroySparesRecreatedObject(t *testing.T) {
	s := story.New(t)
	successor := s.Sight("v1 ConfigMap web")
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			Config: s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
				s.As("kubectl").Remove(successor.Target)
				s.As("kubectl").Create(story.ConfigMap)
				story.Must(t, successor.See(nil))
			})),
			Check: story.LiveChecks(successor.ExpectKept, func(*terraform.State) error {
				return s.Warned("Object Was Recreated", "the object of this resource is gone", "was not touched")
			}),
		},
	)
}

// The same holds for a tainted object, which Terraform destroys without private state.
func TestTaintSparesRecreatedObject(t *testing.T) {
	s := story.New(t)
	successor := s.Sight("v1 ConfigMap web")
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			Taint:  []string{story.Address},
			Config: s.Config(story.ConfigMap),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionReplace), story.Meanwhile(func() {
				s.As("kubectl").Remove(successor.Target)
				s.As("kubectl").Create(story.ConfigMap)
				story.Must(t, successor.See(nil))
			})),
			ExpectError: story.Saying("Object Already Exists", s.Expand("ConfigMap NS/web (v1)"), "was not touched"),
		},
		resource.TestStep{Config: s.ProviderBlock(), Check: successor.ExpectKept},
	)
}

// Forbidden is not gone: a user who may not read or delete an object is told so, and the object stays.
func TestDestroyForbidden(t *testing.T) {
	t.Parallel()
	for name, allowed := range map[string]struct {
		verbs string
		says  []string
	}{
		"to read":   {`["create", "patch"]`, []string{"Forbidden", "could not be read", "cannot get resource", "configmaps"}},
		"to delete": {`["create", "patch", "get"]`, []string{"Forbidden", "could not be deleted", "cannot delete resource", "configmaps"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const target = "v1 ConfigMap web"
			user := s.Namespace + "-limited"
			limited := fmt.Sprintf("cluster = { kubeconfig = %q }", s.Kubeconfig(s.AddUser(user, "limited")))
			const all = `["create", "patch", "get", "delete", "watch"]`
			grantConfigMaps(s, user, all)
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMap, limited)},
				resource.TestStep{
					PreConfig:   func() { grantConfigMaps(s, user, allowed.verbs) },
					Config:      s.ProviderBlock(),
					ExpectError: story.Saying(allowed.says...),
				},
				resource.TestStep{
					PreConfig: func() {
						s.Live(target)
						grantConfigMaps(s, user, all)
					},
					Config: s.ProviderBlock(),
					Check:  s.ExpectGone(target),
				},
			)
		})
	}
}

// grantConfigMaps sets what a user may do to ConfigMaps of the story's namespace.
func grantConfigMaps(s *story.Story, user, verbs string) {
	s.T.Helper()
	s.As("kubectl").Apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: limited, namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: " + verbs + "}]\n")
	s.As("kubectl").Apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n" +
		"metadata: {name: limited, namespace: NS}\nsubjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: " + user + "}]\n" +
		"roleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: limited}\n")
}
