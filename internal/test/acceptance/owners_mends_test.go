package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	oldRoute = "NS.example.com/v1alpha1 Route r"
	newRoute = "NS.example.com/v1 Route r"
)

// entriesOf returns the managedFields of an object, sorted, a line each.
func entriesOf(s *story.Story, target string) []string {
	s.T.Helper()
	var lines []string
	for _, entry := range s.Live(target).GetManagedFields() {
		lines = append(lines, strings.ReplaceAll(fmt.Sprintf("%s %s %s %s%s", entry.Manager, entry.Operation, entry.APIVersion,
			entry.FieldsV1.GetRawBytes(), strings.TrimSuffix(" "+entry.Subresource, " ")), s.Namespace, "NS"))
	}
	slices.Sort(lines)
	return lines
}

// commandFor returns the command of the only finding of a problem.
func commandFor(s *story.Story, problem owners.Problem) string {
	s.T.Helper()
	var commands []string
	for _, f := range (caller{s, story.ControlPlane().RESTConfig()}).overview("-n", s.Namespace).Findings {
		if f.Problem == problem {
			commands = append(commands, f.Mend)
		}
	}
	if len(commands) != 1 {
		s.T.Fatalf("the commands for %s are %q, want one", problem, commands)
	}
	return commands[0]
}

// No command makes the server forget an owner of a custom resource with several claims in a version that is gone, and
// after it, the server takes applies again.
func TestMendsKeepOwners(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		write   func(*story.Story)
		problem owners.Problem
		want    []string
	}{
		"the claims get another version": {
			func(s *story.Story) {
				s.As("flux").Apply(route("v1alpha1", "r", "rules: [{name: a, to: b}]"))
				s.As("helm").Patch(oldRoute, `{"spec":{"words":["x"]}}`)
				s.As("helm").Patch(newRoute, `{"spec":{"meant":[{}]}}`)
				s.As("tool").Patch(oldRoute, `{"metadata":{"labels":{"a":"b"}}}`)
			},
			owners.Unserved,
			[]string{
				`flux Apply NS.example.com/v1 {"f:spec":{".":{},"f:rules":{}}}`,
				`helm Update NS.example.com/v1 {"f:spec":{"f:meant":{},"f:words":{}}}`,
				`tool Update NS.example.com/v1 {"f:metadata":{"f:labels":{".":{},"f:a":{}}}}`,
			},
		},
		"a claim beside them ends": {
			func(s *story.Story) {
				s.As("kubectl-create").Create(route("v1", "r", "words: [x]"))
				s.As("flux").Apply(route("v1alpha1", "r", "words: [x]"))
				s.As("tool").Patch(oldRoute, `{"spec":{"rules":[]}}`)
			},
			owners.Shared,
			[]string{
				`flux Apply NS.example.com/v1 {"f:spec":{".":{},"f:words":{}}}`,
				`tool Update NS.example.com/v1 {"f:spec":{"f:rules":{}}}`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			installRoutes(s)
			test.write(s)
			dropOldRoutes(s)
			mend(s, commandFor(s, test.problem))
			if diff := cmp.Diff(test.want, entriesOf(s, newRoute)); diff != "" {
				t.Errorf("managedFields (-want +got):\n%s", diff)
			}
			if err := applyRoute(s); err != nil {
				t.Errorf("an apply afterwards: %v", err)
			}
		})
	}
}

// A command ends no other claim of the same manager, if a write since has turned the order of the two.
func TestMendsOfTheSameEntry(t *testing.T) {
	t.Parallel()
	const settings = "v1 ConfigMap once"
	for name, test := range map[string]struct {
		target       string
		write, since func(*story.Story)
	}{
		"through a subresource": {
			settings,
			func(s *story.Story) {
				s.As("kubectl-create").Create(story.ConfigMapIn("once", "data: {a: x, b: x}"))
				at := s.Live(settings).GetManagedFields()[0].Time.UTC().Format(time.RFC3339)
				entry := `{"manager":"kubectl-create","operation":"Update","apiVersion":"v1","time":"` + at + `",` +
					`"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{}}},"subresource":"status"}`
				editManagedFields(s, "once", `[{"op":"add","path":"/metadata/managedFields/-","value":`+entry+`}]`)
				s.As("flux").Apply(story.ConfigMapIn("once", "data: {a: x}"))
			},
			func(s *story.Story) { s.As("kubectl-create").Patch(settings, `{"data":{"c":"x"}}`) },
		},
		"in another version": {
			newRoute,
			func(s *story.Story) {
				installRoutes(s)
				s.As("kubectl-create").Create(route("v1", "r", "words: [x]"))
				s.As("kubectl-create").Patch(oldRoute, `{"spec":{"rules":[]}}`)
				s.As("flux").Apply(route("v1", "r", "words: [x]"))
			},
			func(s *story.Story) { s.As("kubectl-create").Patch(newRoute, `{"spec":{"meant":[]}}`) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			test.write(s)
			command := commandFor(s, owners.Shared)
			time.Sleep(time.Second) // Times of entries have whole seconds.
			test.since(s)
			before := entriesOf(s, test.target)
			if err := try(s, command); !apierrors.IsInvalid(err) {
				t.Errorf("the command after the write: %v", err)
			}
			if diff := cmp.Diff(before, entriesOf(s, test.target)); diff != "" {
				t.Errorf("managedFields (-before +after):\n%s", diff)
			}
			mend(s, commandFor(s, owners.Shared))
			if after := entriesOf(s, test.target); len(before) != 3 || len(after) != 2 {
				t.Errorf("managedFields are %q after a command that was made since, and were %q", after, before)
			}
		})
	}
}
