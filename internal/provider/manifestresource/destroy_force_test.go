package manifestresource_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

const forced = "force_destroy = true\n  timeouts { delete = \"3s\" }"

// An object that a finalizer holds goes without it once the timeout has run out, and a warning says so.
func TestForceDestroy(t *testing.T) {
	s := newStory(t)
	const target = "v1 ConfigMap web"
	s.run(
		resource.TestStep{Config: s.config(configMap, forced)},
		resource.TestStep{
			PreConfig: func() {
				s.as("guardian").patch(target, `{"metadata":{"finalizers":["example.com/hold","example.com/backup"]}}`)
				s.provider.take()
			},
			Config: s.providerBlock(),
			Check: lives(s.expectGone(target), func(*terraform.State) error {
				return s.warned("Finalizers Removed", s.expand("ConfigMap NS/web (v1)"), "example.com/hold, example.com/backup")
			}),
		},
	)
}

// The error of a deletion that is held says what the object reports of itself.
func TestHeldObjectShowsConditions(t *testing.T) {
	s := newStory(t)
	const target = "apps/v1 Deployment web"
	s.run(
		resource.TestStep{Config: s.config(deployment, `timeouts { delete = "3s" }`), Check: eventually("the Deployment has a condition", func() bool {
			_, has := s.live(target).Object["status"].(map[string]any)["conditions"]
			return has
		})},
		resource.TestStep{
			PreConfig: func() { s.as("guardian").patch(target, holding) }, Config: s.providerBlock(),
			ExpectError: saying("Deletion Held Back", s.expand("Deployment NS/web (apps/v1) could not be deleted"),
				"finalizers example.com/hold", "Progressing=True", "force_destroy = true"),
		},
		resource.TestStep{
			PreConfig: func() { s.as("guardian").patch(target, `{"metadata":{"finalizers":null}}`) },
			Config:    s.providerBlock(), Check: s.expectGone(target),
		},
	)
}

// Whoever may delete an object and not patch it cannot force it.
func TestForceDestroyForbidden(t *testing.T) {
	s := newStory(t)
	const target = "v1 ConfigMap web"
	user := s.namespace + "-limited"
	limited := fmt.Sprintf("cluster = { kubeconfig = %q }", s.kubeconfig(s.addUser(user, "limited")))
	grantConfigMaps(s, user, `["create", "patch", "get", "delete", "watch"]`)
	s.run(
		resource.TestStep{Config: s.config(configMap, limited, forced)},
		resource.TestStep{
			PreConfig: func() {
				s.as("guardian").patch(target, holding)
				grantConfigMaps(s, user, `["get", "delete", "watch"]`)
			},
			Config: s.providerBlock(),
			ExpectError: saying("Forbidden", s.expand("ConfigMap NS/web (v1) could not be deleted by force"),
				"its finalizers could not be removed", "cannot patch resource", "Grant the connection's user the verb that is named"),
		},
		resource.TestStep{
			PreConfig: func() { s.as("guardian").patch(target, `{"metadata":{"finalizers":null}}`) },
			Config:    s.providerBlock(), Check: s.expectGone(target),
		},
	)
}

// A definition cannot go before the objects of its kind, and a namespace not before what is in it: force
// does not lose objects out of sight, and the error says which remain.
func TestForceSparesWhatHoldsObjects(t *testing.T) {
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
			target: "v1 Namespace NS-inner", managed: innerNamespace, others: widgetDefinition,
			says: []string{
				"Namespace NS-inner (v1) could not be deleted by force", "finalizers kubernetes", "NamespaceContentRemaining=True",
				"widgets.NS.example.com has 1 resource instances", "example.com/hold in 1 resource instances",
			},
		},
		"a definition": {
			target: "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", managed: widgetDefinition, others: innerNamespace,
			says: []string{
				"CustomResourceDefinition widgets.NS.example.com (apiextensions.k8s.io/v1) could not be deleted by force",
				"finalizers customresourcecleanup.apiextensions.k8s.io", "Terminating=True", "InstanceDeletion",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			t.Cleanup(s.dropDefinition)
			const stuck = "NS.example.com/v1 Widget NS-inner/stuck"
			config := s.config(test.managed, "force_destroy = true\n  timeouts { delete = \"12s\" }")
			says := []string{"Deletion Held Back"}
			for _, text := range test.says {
				says = append(says, s.expand(text))
			}
			s.run(
				resource.TestStep{PreConfig: func() { s.as("kubectl").create(test.others) }, Config: config},
				resource.TestStep{
					PreConfig: func() {
						must(t, eventually("the kind is served", func() bool { return !unserved(s, "NS.example.com/v1", "widgets") })(nil))
						s.as("kubectl").create(inNamespace)
					},
					Config: s.providerBlock(), ExpectError: saying(says...),
				},
				resource.TestStep{
					PreConfig: func() {
						s.live(test.target)
						s.as("guardian").patch(stuck, `{"metadata":{"finalizers":null}}`)
					},
					Config: s.providerBlock(), Check: s.expectGone(test.target),
				},
			)
			if name == "a definition" {
				s.as("kubectl").remove("v1 Namespace NS-inner")
			}
		})
	}
}

// unserved reports whether discovery lacks a resource.
func unserved(s *story, groupVersion, plural string) bool {
	list, err := s.typed.Discovery().ServerResourcesForGroupVersion(s.expand(groupVersion))
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

// Nothing can be created in a namespace that is being deleted: the create waits for it to come back, and
// the error says what is the matter.
func TestCreateInTerminatingNamespace(t *testing.T) {
	s := newStory(t)
	const namespace, stuck = "v1 Namespace NS-inner", "v1 ConfigMap NS-inner/stuck"
	s.as("kubectl").create(innerNamespace)
	s.as("kubectl").create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stuck, namespace: NS-inner, finalizers: [example.com/hold]}\n")
	s.as("kubectl").remove(namespace)
	s.run(
		resource.TestStep{
			Config:      s.config("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS-inner}\n", `timeouts { create = "2s" }`),
			ExpectError: saying("Namespace Terminating", s.expand("ConfigMap NS-inner/web (v1) could not be created"), "is being terminated", "Wait until the namespace is gone"),
		},
		resource.TestStep{
			PreConfig: func() { s.as("guardian").patch(stuck, `{"metadata":{"finalizers":null}}`) },
			Config:    s.providerBlock(), Check: eventually("the namespace is gone", func() bool { return s.gone(namespace) }),
		},
	)
}

// An object that somebody else has deleted and that still stands is shown as it is, with a warning.
func TestObjectBeingDeleted(t *testing.T) {
	s := newStory(t)
	const target = "v1 ConfigMap web"
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			PreConfig: func() {
				s.as("guardian").patch(target, holding)
				s.as("kubectl").remove(target)
				s.provider.take()
			},
			Config: s.config(configMap), PlanOnly: true,
		},
		resource.TestStep{
			PreConfig: func() {
				must(s.t, s.warned("Object Being Deleted", s.expand("ConfigMap NS/web (v1) was deleted at "), "finalizers example.com/hold"))
				s.as("guardian").patch(target, `{"metadata":{"finalizers":null}}`)
			},
			Config: s.config(configMap), Check: s.expectLive(target, map[string]any{"data.colour": "red"}),
		},
	)
}
