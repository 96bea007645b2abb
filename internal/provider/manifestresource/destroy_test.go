package manifestresource_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An object that somebody else's finalizer holds is waited for, stays in the state when the timeout runs
// out, and goes once the finalizer is removed.
func TestDestroyWaitsForFinalizer(t *testing.T) {
	s := newStory(t)
	const target = "v1 ConfigMap web"
	config := s.config(configMap, `timeouts { delete = "3s" }`)
	var began time.Time
	s.run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				s.as("guardian").patch(target, `{"metadata":{"finalizers":["example.com/hold"]}}`)
				began = time.Now()
			},
			Config:  s.providerBlock(),
			Destroy: true,
			ExpectError: saying("Deletion Held Back", s.expand("ConfigMap NS/web (v1) could not be deleted"),
				"finalizers example.com/hold"),
		},
		resource.TestStep{
			PreConfig: func() {
				if waited := time.Since(began); waited < 3*time.Second {
					t.Errorf("the destroy gave up after %s", waited)
				}
			},
			Config: s.providerBlock(),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionDestroy), meanwhile(func() {
				if s.live(target).GetDeletionTimestamp() == nil {
					t.Error("the object was not deleted")
				}
				s.as("guardian").patch(target, `{"metadata":{"finalizers":null}}`)
			})),
			Check: s.expectGone(target),
		},
	)
}

// A destroy that a finalizer holds goes on as soon as the finalizer is removed.
func TestDestroyResumesWithFinalizer(t *testing.T) {
	s := newStory(t)
	const target = "v1 ConfigMap web"
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			PreConfig: func() {
				s.as("guardian").patch(target, `{"metadata":{"finalizers":["example.com/hold"]}}`)
				go func() {
					time.Sleep(4 * time.Second)
					s.as("guardian").patch(target, `{"metadata":{"finalizers":null}}`)
				}()
			},
			Config: s.providerBlock(),
			Check:  s.expectGone(target),
		},
	)
}

// A Job takes its pods along, which a DELETE of a Job leaves behind by default.
func TestDestroyedJobTakesPods(t *testing.T) {
	s := newStory(t)
	pods := func() int {
		list, err := s.typed.CoreV1().Pods(s.namespace).List(t.Context(), metav1.ListOptions{})
		must(t, err)
		return len(list.Items)
	}
	s.run(
		resource.TestStep{Config: s.config(job), Check: eventually("the Job has a pod", func() bool { return pods() > 0 })},
		resource.TestStep{Config: s.providerBlock(), Check: lives(s.expectGone("batch/v1 Job web"),
			eventually("the pods of the Job are gone", func() bool { return pods() == 0 }))},
	)
}

// What is gone already is destroyed: an object deleted after the plan, and one whose definition went.
func TestDestroyOfWhatIsGone(t *testing.T) {
	const definition = "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com"
	for name, gone := range map[string]struct {
		body string
		// before and meanwhile are deleted before and after the plan of the destroy.
		before, meanwhile string
		plan              plancheck.PlanCheck
	}{
		"the object, before the plan":     {body: widgetHere, before: "NS.example.com/v1 Widget web", plan: plancheck.ExpectEmptyPlan()},
		"the object, after the plan":      {body: widgetHere, meanwhile: "NS.example.com/v1 Widget web", plan: expectAction(plancheck.ResourceActionDestroy)},
		"its definition, before the plan": {body: widgetHere, before: definition, plan: plancheck.ExpectEmptyPlan()},
		"its definition, after the plan":  {body: widgetHere, meanwhile: definition, plan: expectAction(plancheck.ResourceActionDestroy)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			remove := func(target string) {
				if target == "" {
					return
				}
				s.as("kubectl").remove(target)
				must(t, eventually(target+" is gone", func() bool { return s.gone(target) })(nil))
			}
			s.as("kubectl").create(widgetDefinition)
			t.Cleanup(s.dropDefinition)
			s.run(
				resource.TestStep{Config: s.config(gone.body)},
				resource.TestStep{
					PreConfig:        func() { remove(gone.before) },
					Config:           s.providerBlock(),
					ConfigPlanChecks: checks(gone.plan, meanwhile(func() { remove(gone.meanwhile) })),
					Check:            s.expectGone("NS.example.com/v1 Widget web"),
				},
			)
		})
	}
}

// An object that somebody else has recreated since the plan is not ours to delete: ours is gone.
func TestDestroySparesRecreatedObject(t *testing.T) {
	s := newStory(t)
	anew := s.sight("v1 ConfigMap web")
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			Config: s.providerBlock(),
			ConfigPlanChecks: checks(meanwhile(func() {
				s.as("kubectl").remove(anew.target)
				s.as("kubectl").create(configMap)
				must(t, anew.see(nil))
			})),
			Check: lives(anew.expectKept, func(*terraform.State) error {
				return s.warned("Object Created Anew", "the object of this resource is gone", "was not touched")
			}),
		},
	)
}

// So it is when the object is tainted, which Terraform destroys without private state.
func TestTaintSparesRecreatedObject(t *testing.T) {
	s := newStory(t)
	anew := s.sight("v1 ConfigMap web")
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			Taint:  []string{address},
			Config: s.config(configMap),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionReplace), meanwhile(func() {
				s.as("kubectl").remove(anew.target)
				s.as("kubectl").create(configMap)
				must(t, anew.see(nil))
			})),
			ExpectError: saying("Object Already Exists", s.expand("ConfigMap NS/web (v1)"), "was not touched"),
		},
		resource.TestStep{Config: s.providerBlock(), Check: anew.expectKept},
	)
}

// Forbidden is not gone: a user who may not read or delete an object is told so, and the object stays.
func TestDestroyForbidden(t *testing.T) {
	for name, allowed := range map[string]struct {
		verbs string
		says  []string
	}{
		"to read":   {`["create", "patch"]`, []string{"Forbidden", "could not be read", "cannot get resource", "configmaps"}},
		"to delete": {`["create", "patch", "get"]`, []string{"Forbidden", "could not be deleted", "cannot delete resource", "configmaps"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			const target = "v1 ConfigMap web"
			user := s.namespace + "-limited"
			limited := fmt.Sprintf("cluster = { kubeconfig = %q }", s.kubeconfig(s.addUser(user, "limited")))
			const all = `["create", "patch", "get", "delete", "watch"]`
			grantConfigMaps(s, user, all)
			s.run(
				resource.TestStep{Config: s.config(configMap, limited)},
				resource.TestStep{
					PreConfig:   func() { grantConfigMaps(s, user, allowed.verbs) },
					Config:      s.providerBlock(),
					ExpectError: saying(allowed.says...),
				},
				resource.TestStep{
					PreConfig: func() {
						s.live(target)
						grantConfigMaps(s, user, all)
					},
					Config: s.providerBlock(),
					Check:  s.expectGone(target),
				},
			)
		})
	}
}

// grantConfigMaps sets what a user may do to ConfigMaps of the story's namespace.
func grantConfigMaps(s *story, user, verbs string) {
	s.t.Helper()
	s.as("kubectl").apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: limited, namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: " + verbs + "}]\n")
	s.as("kubectl").apply("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n" +
		"metadata: {name: limited, namespace: NS}\nsubjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: " + user + "}]\n" +
		"roleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: limited}\n")
}
