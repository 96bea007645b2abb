package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Values that a resource leaves outlive what another resource of the same apply removes next to them.
func TestValuesStayBesideAPatch(t *testing.T) {
	t.Parallel()
	const object = "v1 ConfigMap settings"
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, labels: {app: one}}\ndata: {a: \"1\"}"
	const added = "metadata: {annotations: {n: x}, labels: {tier: gold}}\ndata: {z: z}"
	const left = "metadata: {annotations: {n: x}}"
	manifest := func(s *set, arguments ...string) string {
		return s.Manifest("base", body, arguments...)
	}
	members := func(s *set, arguments string) string {
		return fmt.Sprintf("resource \"k8sconnect_manifests\" \"base\" {\n  manifests = { a = <<-YAML\n%s\nYAML\n  }\n  %s\n}\n", s.Expand(body), arguments)
	}
	after := func(s *set, address, fields string, arguments ...string) string {
		return s.PatchBlock("test", object, fields, append(arguments, "depends_on = ["+address+"]")...)
	}
	const ignored = `ignore_fields = ["metadata.labels.app", "data.a"]`
	for name, tt := range map[string]struct{ before, then func(*set) []string }{
		"a manifest is released and a patch leaves": {
			func(s *set) []string {
				return []string{manifest(s, `on_destroy = "release"`), after(s, "k8sconnect_manifest.base", added)}
			},
			func(*set) []string { return nil },
		},
		"they leave at once": {
			func(s *set) []string {
				return []string{manifest(s, `on_destroy = "release"`), after(s, "terraform_data.made", added), "resource \"terraform_data\" \"made\" {}"}
			},
			func(*set) []string { return nil },
		},
		"a manifest ignores, and a patch loses fields": {
			func(s *set) []string { return []string{manifest(s), after(s, "k8sconnect_manifest.base", added)} },
			func(s *set) []string {
				return []string{manifest(s, ignored), after(s, "k8sconnect_manifest.base", left)}
			},
		},
		"a rule of a set ignores, and a patch loses fields": {
			func(s *set) []string { return []string{members(s, ""), after(s, "k8sconnect_manifests.base", added)} },
			func(s *set) []string {
				return []string{members(s, `rules = [{ kinds = ["*"], `+ignored+" }]"), after(s, "k8sconnect_manifests.base", left)}
			},
		},
		"a set is released and a patch leaves": {
			func(s *set) []string {
				return []string{members(s, `on_destroy = "release"`), after(s, "k8sconnect_manifests.base", added)}
			},
			func(*set) []string { return nil },
		},
		"two patches leave, and one keeps its values": {
			func(s *set) []string {
				return []string{
					s.PatchBlock("kept", object, "metadata: {labels: {app: one}}\ndata: {a: \"1\"}", `on_destroy = "release"`, "depends_on = [k8sconnect_patch.test]"),
					s.PatchBlock("test", object, added),
				}
			},
			func(*set) []string { return nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			first := tt.before(s)
			switch name {
			case "two patches leave, and one keeps its values":
				s.As("kubectl").Create(story.ConfigMapIn("settings", ""))
			case "they leave at once":
				s.Configure(first...)
				s.Do("apply", "-auto-approve", "-target=k8sconnect_manifest.base")
			}
			s.Configure(first...)
			s.Do("apply", "-auto-approve")
			s.settled()
			s.Configure(tt.then(s)...)
			s.Do("apply", "-auto-approve")
			live := s.Live(object)
			got := fmt.Sprint(live.GetLabels(), live.Object["data"])
			if diff := cmp.Diff("map[app:one] map[a:1]", got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			s.settled()
		})
	}
}

// A patch that leaves, and restores values, does not remove a list item in which a patch that leaves before it has left
// a value.
func TestPatchesOfOneItemThatLeaveTogether(t *testing.T) {
	s := newSet(t)
	const object = "v1 Service web"
	s.As("kubectl").Create(s.Expand("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {app: web}, ports: [{name: web, port: 80}]}\n"))
	item := s.PatchBlock("item", object, "spec: {sessionAffinity: ClientIP, ports: [{port: 443, protocol: TCP, name: tls}]}", `on_destroy = "restore"`)
	s.Configure(item)
	s.Do("apply", "-auto-approve")
	s.Configure(item, s.PatchBlock("value", object, "spec: {ports: [{port: 443, protocol: TCP, appProtocol: https}]}", `on_destroy = "release"`, "depends_on = [k8sconnect_patch.item]"))
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Configure()
	s.Do("apply", "-auto-approve")
	spec, _ := s.Live(object).Object["spec"].(map[string]any)
	var got []string
	ports, _ := spec["ports"].([]any)
	for _, port := range ports {
		fields, _ := port.(map[string]any)
		got = append(got, fmt.Sprint(fields["port"], " ", fields["appProtocol"]))
	}
	if diff := cmp.Diff([]string{"80 <nil>", "443 https"}, got); diff != "" || spec["sessionAffinity"] != "None" {
		t.Errorf("sessionAffinity %v, ports -want +got:\n%s", spec["sessionAffinity"], diff)
	}
}
