package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const forced = "force_destroy = true\n  timeouts { delete = \"3s\" }"

// An object that a finalizer holds goes without it once the timeout has run out, and a warning says so.
func TestForceDestroy(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, forced)},
		resource.TestStep{
			PreConfig: func() {
				s.As("guardian").Patch(target, `{"metadata":{"finalizers":["example.com/hold","example.com/backup"]}}`)
				s.Provider.Take()
			},
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(s.ExpectGone(target), func(*terraform.State) error {
				return s.Warned("Finalizers Removed", s.Expand("ConfigMap NS/web (v1)"), "example.com/hold, example.com/backup")
			}),
		},
	)
}

// The error of a deletion that is held says what the object reports of itself.
func TestHeldObjectShowsConditions(t *testing.T) {
	s := story.New(t)
	const target = "apps/v1 Deployment web"
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, `timeouts { delete = "3s" }`), Check: story.Eventually("the Deployment has a condition", func() bool {
			_, has := s.Live(target).Object["status"].(map[string]any)["conditions"]
			return has
		})},
		resource.TestStep{
			PreConfig: func() { s.As("guardian").Patch(target, holding) }, Config: s.ProviderBlock(),
			ExpectError: story.Saying("Deletion Blocked", s.Expand("Deployment NS/web (apps/v1) could not be deleted"),
				"the finalizer example.com/hold (set by guardian)", "Progressing=True", "force_destroy = true"),
		},
		resource.TestStep{
			PreConfig: func() { s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`) },
			Config:    s.ProviderBlock(), Check: s.ExpectGone(target),
		},
	)
}

// A user who may delete an object but not patch it cannot use force_destroy.
func TestForceDestroyForbidden(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	user := s.Namespace + "-limited"
	limited := fmt.Sprintf("cluster = { kubeconfig = %q }", s.Kubeconfig(s.AddUser(user, "limited")))
	grantConfigMaps(s, user, `["create", "patch", "get", "delete", "watch"]`)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, limited, forced)},
		resource.TestStep{
			PreConfig: func() {
				s.As("guardian").Patch(target, holding)
				grantConfigMaps(s, user, `["get", "delete", "watch"]`)
			},
			Config: s.ProviderBlock(),
			ExpectError: story.Saying("Forbidden", s.Expand("ConfigMap NS/web (v1) could not be deleted by force"),
				"its finalizers could not be removed", "cannot patch resource", "Grant the connection's user the verb in the message"),
		},
		resource.TestStep{
			PreConfig: func() { s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`) },
			Config:    s.ProviderBlock(), Check: s.ExpectGone(target),
		},
	)
}

// A definition cannot be deleted before the objects of its kind, nor a namespace before its contents.
// force_destroy leaves no objects behind unnoticed, and the error names those that remain.
func TestForceSparesWhatHoldsObjects(t *testing.T) {
	t.Parallel()
	inNamespace := `
apiVersion: NS.example.com/v1
kind: Widget
metadata: {name: stuck, namespace: NS-inner, finalizers: [example.com/hold]}
`
	for name, test := range map[string]struct {
		target string
		// managed is the resource that is destroyed, others is made by others before the object in it.
		managed, others string
		says            []string
	}{
		"a namespace": {
			target: "v1 Namespace NS-inner", managed: story.InnerNamespace, others: story.WidgetDefinition,
			says: []string{
				"Namespace NS-inner (v1) could not be deleted by force", "NamespaceContentRemaining=True",
				"widgets.NS.example.com has 1 resource instances", "example.com/hold in 1 resource instances", "Repair the controllers of the finalizers",
			},
		},
		"a definition": {
			target: "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", managed: story.WidgetDefinition, others: story.InnerNamespace,
			says: []string{
				"CustomResourceDefinition widgets.NS.example.com (apiextensions.k8s.io/v1) could not be deleted by force",
				"the finalizer customresourcecleanup.apiextensions.k8s.io", "Terminating=True", "InstanceDeletion", "kubectl get widgets.NS.example.com --all-namespaces",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			t.Cleanup(s.DropDefinition)
			const stuck = "NS.example.com/v1 Widget NS-inner/stuck"
			config := s.Config(test.managed, "force_destroy = true\n  timeouts { delete = \"30s\" }")
			says := []string{"Deletion Blocked"}
			for _, text := range test.says {
				says = append(says, s.Expand(text))
			}
			s.Run(
				resource.TestStep{PreConfig: func() { s.As("kubectl").Create(test.others) }, Config: config},
				resource.TestStep{
					PreConfig: func() {
						s.Await("the kind is served", func() bool { return !unserved(s, "NS.example.com/v1", "widgets") })
						s.As("kubectl").Create(inNamespace)
					},
					Config: s.ProviderBlock(), ExpectError: story.Saying(says...),
				},
				resource.TestStep{
					PreConfig: func() {
						s.Live(test.target)
						s.As("guardian").Patch(stuck, `{"metadata":{"finalizers":null}}`)
						// The namespace controller may look again only after more than the timeout of the resource.
						s.Await(test.target+" is gone", func() bool { return s.Gone(test.target) })
					},
					Config: s.ProviderBlock(), Check: s.ExpectGone(test.target),
				},
			)
			if name == "a definition" {
				s.As("kubectl").Remove("v1 Namespace NS-inner")
			}
		})
	}
}

// unserved reports whether discovery lacks a resource.
func unserved(s *story.Story, groupVersion, plural string) bool {
	list, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand(groupVersion))
	if err != nil {
		return true
	}
	for _, served := range list.APIResources {
		if served.Name == plural {
			return false
		}
	}
	return true
}

// An object that another client has deleted and that still stands is shown as it is, with a warning.
func TestObjectBeingDeleted(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			PreConfig: func() {
				s.As("guardian").Patch(target, holding)
				s.As("kubectl").Remove(target)
				s.Provider.Take()
			},
			Config: s.Config(story.ConfigMap), PlanOnly: true,
		},
		resource.TestStep{
			PreConfig: func() {
				story.Must(s.T, s.Warned("Object Being Deleted", s.Expand("ConfigMap NS/web (v1) was deleted at "), "the finalizer example.com/hold (set by guardian)", "Repair the controller"))
				s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`)
			},
			Config: s.Config(story.ConfigMap), Check: s.ExpectLive(target, map[string]any{"data.colour": "red"}),
		},
	)
}
