package acceptance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// untouched remembers an object as it is on the server, managedFields and resourceVersion included.
type untouched struct {
	*story.Story
	target string
	seen   string
}

func (u *untouched) see() {
	text, err := json.Marshal(u.Live(u.target).Object)
	story.Must(u.T, err)
	u.seen = string(text)
}

func (u *untouched) check(*terraform.State) error {
	text, err := json.Marshal(u.Live(u.target).Object)
	if err == nil && string(text) != u.seen {
		err = fmt.Errorf("%s was\n%s\nand is\n%s", u.target, u.seen, text)
	}
	return err
}

const (
	createdConfigMap = "v1 ConfigMap web"
	created          = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS, labels: {team: ours}}, data: {colour: red, size: large}}"
)

// An object that another client creates while the apply begins is left alone: no value, no owner and no version of it changes. That
// holds for equal values, for fields that it lacks, and for the same field manager.
func TestCreatedMeanwhile(t *testing.T) {
	t.Parallel()
	const service = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {selector: {app: web}, ports: [{port: 80}]}}"
	const role = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: NS}, rules: []}"
	bob := func(body string) func(*story.Story) { return func(s *story.Story) { s.As("bob").Apply(body) } }
	for name, tc := range map[string]struct {
		target, body string
		arguments    []string
		meanwhile    func(*story.Story)
		says         []string
	}{
		"with other values": {
			meanwhile: bob("{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: blue, z: theirs}}"),
			says:      []string{`Another client created it after the plan. Its field managers: "bob".`},
		},
		"with equal values": {meanwhile: bob(created), says: []string{`Its field managers: "bob".`}},
		"with fewer fields": {
			meanwhile: bob("{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: red}}"),
			says:      []string{`Its field managers: "bob".`},
		},
		"without fields": {
			meanwhile: func(s *story.Story) {
				s.As("kubectl-create").Create("{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}}")
			},
			says: []string{"Another client created it after the plan."},
		},
		"by kubectl create": {
			meanwhile: func(s *story.Story) { s.As("kubectl-create").Create(created) },
			says:      []string{`Its field managers: "kubectl-create".`},
		},
		"by the same manager": {
			meanwhile: func(s *story.Story) { s.As(story.Us).Apply(created) },
			says:      []string{"by the field manager of this resource: another run of this configuration may have created it."},
		},
		"by the same manager, with other values": {
			meanwhile: func(s *story.Story) {
				s.As(story.Us).Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: blue}}")
			},
			says: []string{"another run of this configuration may have created it."},
		},
		"with on_conflict": {
			arguments: []string{`on_conflict = "fail"`}, meanwhile: bob(created), says: []string{`Its field managers: "bob".`},
		},
		"with initial values": {
			arguments: []string{`ignore_fields = ["data.size"]`}, meanwhile: bob(created), says: []string{`Its field managers: "bob".`},
		},
		"a Service": {
			target: "v1 Service web", body: service, meanwhile: bob(service), says: []string{`Its field managers: "bob".`},
		},
		"a ClusterRole": {
			target: "rbac.authorization.k8s.io/v1 ClusterRole NS", body: role, meanwhile: bob(role), says: []string{`Its field managers: "bob".`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			theirs := untouched{Story: s, target: createdConfigMap}
			body := created
			if tc.target != "" {
				theirs.target, body = s.Expand(tc.target), tc.body
			}
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.Provider.BeforeApply(func() {
							tc.meanwhile(s)
							theirs.see()
						})
					},
					Config: s.Config(body, tc.arguments...),
					ExpectError: story.Saying(slices.Concat(
						[]string{"Object Already Exists", "is not in this state, so it was not touched."}, tc.says, []string{"import {", "Or set adopt_existing = true"})...),
				},
				resource.TestStep{Config: s.ProviderBlock(), Check: theirs.check},
			)
			s.As("bob").Remove(theirs.target)
		})
	}
}

// With adopt_existing, an object that another client creates while the apply begins is adopted if that changes none of its values.
// Otherwise the apply ends, and names what the adoption would change. The next plan shows it, and adopts.
func TestCreatedMeanwhileAndAdopted(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		by, theirs string
		// says is what the apply refuses; nil if it adopts.
		says []string
	}{
		"equal values": {by: "bob", theirs: created},
		"fewer fields": {by: "bob", theirs: "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: red}}"},
		"other values": {
			by: "bob", theirs: "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {colour: blue, z: theirs}}",
			says: []string{`data.colour: "blue" -> "red", owned by "bob"`},
		},
		"another value": {
			by: "bob", theirs: "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {size: small}}",
			says: []string{`data.size: "small" -> "large", owned by "bob"`},
		},
		"the same manager": {by: story.Us, theirs: created, says: []string{"so the plan does not show what its adoption changes"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			theirs := untouched{Story: s, target: createdConfigMap}
			config := s.Config(created, story.Adopting)
			first := resource.TestStep{
				PreConfig: func() {
					s.Provider.BeforeApply(func() {
						s.As(tc.by).Apply(tc.theirs)
						theirs.see()
					})
				},
				Config: config,
			}
			adopted := story.LiveChecks(
				s.ExpectLive(createdConfigMap, map[string]any{"data.colour": "red", "data.size": "large"}),
			)
			if tc.says == nil {
				first.Check = story.LiveChecks(adopted, s.ExpectOwners(createdConfigMap, "data.colour", "bob", story.Us), func(*terraform.State) error {
					return s.Warned("Applied With Warnings", "Another client created the object after the plan", "changed none of its values")
				})
				s.Run(first)
				return
			}
			first.ExpectError = story.Saying(slices.Concat([]string{"Object Changed Since the Plan", "another client created the object after the plan"}, tc.says, []string{"Plan again"})...)
			s.Run(
				first,
				resource.TestStep{Config: s.ProviderBlock(), Check: theirs.check},
				resource.TestStep{Config: config, Check: adopted},
			)
		})
	}
}
