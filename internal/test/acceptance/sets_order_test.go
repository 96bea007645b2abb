package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	accountManifest = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: app, namespace: NS}\n"
	servicePort80   = "apiVersion: v1\nkind: Service\nmetadata: {name: app, namespace: NS}\nspec: {ports: [{port: 80}]}\n"
)

// A set may have more Pods than places, whose account sorts after them, and needs one apply.
func TestSetOfManyPodsAndTheirAccount(t *testing.T) {
	s := newSet(t)
	manifests := map[string]string{"z": accountManifest}
	for i := range 25 {
		name := fmt.Sprintf("pod-%d", i)
		manifests[name] = "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: NS}\n" +
			"spec: {serviceAccountName: app, containers: [{name: app, image: app}]}\n"
	}
	s.has(manifests)
	s.expect(s.Do("apply", "-auto-approve"), "1 added", "not", "Dependency Not Ready Yet")
	s.settled()
	s.Do("destroy", "-auto-approve")
	s.gone("v1 Pod pod-0", "v1 Pod pod-24", "v1 ServiceAccount app")
}

// Objects that wait until they are ready hold no place: what makes them ready may come after them in the set.
func TestSetAppliesAllBeforeItWaits(t *testing.T) {
	s := newSet(t)
	manifests := map[string]string{"service": servicePort80}
	var names []string
	for i := range 25 {
		names = append(names, fmt.Sprintf("waits-%d", i))
	}
	for name, text := range configMaps("1", names...) {
		manifests[name] = text
	}
	s.has(manifests, `wait = { fields = { "metadata.labels.go" = "yes" } }`, "timeouts {\n    create = \"60s\"\n  }")
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Await("the Service is there", func() bool { return !s.Gone("v1 Service app") })
		for _, name := range append(names, "") {
			target := "v1 ConfigMap " + name
			if name == "" {
				target = "v1 Service app"
			}
			s.As("controller").Patch(target, `{"metadata": {"labels": {"go": "yes"}}}`)
		}
	}()
	s.expect(s.Do("apply", "-auto-approve"), "1 added")
	<-done
	s.settled()
}

const (
	jobKind = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tasks.NS.example.com}\nspec:\n" +
		"  group: NS.example.com\n  scope: Namespaced\n  names: {kind: Task, plural: tasks, singular: task}\n  versions:\n" +
		"  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n"
	task     = "apiVersion: NS.example.com/v1\nkind: Task\nmetadata: {name: one, namespace: NS, finalizers: [example.com/cleanup]}\n"
	operator = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator, namespace: NS}\nspec:\n  replicas: 0\n" +
		"  selector: {matchLabels: {app: operator}}\n  template:\n    metadata: {labels: {app: operator}}\n" +
		"    spec: {serviceAccountName: app, containers: [{name: operator, image: operator}]}\n"
	taskTarget = "NS.example.com/v1 Task one"
)

// A custom resource is gone before what runs its controller goes, whatever the keys are. As long as it cannot go, the
// controller stays, which its roles tell, and the other objects leave.
func TestSetDeletesCustomResourcesBeforeTheirController(t *testing.T) {
	s := newSet(t)
	manifests := map[string]string{
		"a": operator, "b": jobKind, "z": task, "account": accountManifest,
		"role": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: tasks, namespace: NS}\nrules: [{apiGroups: [NS.example.com], resources: [tasks], verbs: ['*']}]\n",
		"binding": "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: tasks, namespace: NS}\n" +
			"subjects: [{kind: ServiceAccount, name: app, namespace: NS}]\nroleRef: {kind: Role, name: tasks, apiGroup: rbac.authorization.k8s.io}\n",
		"other": strings.NewReplacer("name: operator", "name: other", "serviceAccountName: app, ", "").Replace(operator),
		"quota": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: quota, namespace: NS}\nspec: {hard: {pods: \"9\"}}\n",
	}
	s.has(manifests, "timeouts {\n    delete = \"8s\"\n  }")
	s.Do("apply", "-auto-approve")
	s.settled()
	out := s.Exits(story.Refused, "destroy", "-auto-approve")
	s.expect(out, "Deletion Blocked", "example.com/cleanup", "Objects Kept", "Its controller or its server may be among these objects", "Deployment NS/operator", "ServiceAccount NS/app",
		"RoleBinding NS/tasks", "Role NS/tasks")
	_, kept, _ := strings.Cut(out, "Error: ")
	s.expect(kept, "not", "Deployment NS/other (")
	s.gone("v1 ResourceQuota quota", "apps/v1 Deployment other")
	if s.Gone("apps/v1 Deployment operator") || s.Gone("v1 ServiceAccount app") {
		t.Error("the controller is gone, and its custom resource is there")
	}
	s.has(manifests, "timeouts {\n    delete = \"60s\"\n  }")
	s.Do("apply", "-auto-approve")
	uid := s.uid(taskTarget)
	done := make(chan bool)
	go func() {
		s.Await("the custom resource is being deleted", func() bool { return s.Live(taskTarget).GetDeletionTimestamp() != nil })
		there := !s.Gone("apps/v1 Deployment operator")
		s.As("operator").JSONPatch(taskTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
		done <- there
	}()
	s.Do("destroy", "-auto-approve")
	if !<-done {
		t.Errorf("the controller of %s had gone before it", uid)
	}
	s.gone("apps/v1 Deployment operator", "v1 ServiceAccount app")
}

// A user who may not bind any role applies a role and its binding, of one name, in one apply: in a set, and as two
// resources in order.
func TestRoleAndItsBindingInOneApply(t *testing.T) {
	t.Parallel()
	const rbac = "apiVersion: rbac.authorization.k8s.io/v1\n"
	role := rbac + "kind: Role\nmetadata: {name: NAME, namespace: NS}\nrules: [{apiGroups: [\"\"], resources: [configmaps], verbs: [get]}]\n"
	binding := rbac + "kind: RoleBinding\nmetadata: {name: b, namespace: NS}\nsubjects: [{kind: ServiceAccount, name: app, namespace: NS}]\n" +
		"roleRef: {kind: Role, name: NAME, apiGroup: rbac.authorization.k8s.io}\n"
	for name, role := range map[string]string{"of another name": strings.ReplaceAll(role, "NAME", "reader"), "of one name": strings.ReplaceAll(role, "NAME", "b")} {
		binding := strings.ReplaceAll(binding, "NAME", map[bool]string{true: "b", false: "reader"}[name == "of one name"])
		all := []string{"get", "list", "create", "patch", "delete"}
		permitted := map[string][]string{"roles": all, "rolebindings": all, "configmaps": {"get"}, "serviceaccounts": {"get"}}
		t.Run("in a set, "+name, func(t *testing.T) {
			s := newSet(t)
			s.cluster = s.Limited("tenant", permitted)
			s.has(map[string]string{"a": binding, "b": role})
			s.expect(s.Do("apply", "-auto-approve"), "1 added")
			s.settled()
			s.Do("destroy", "-auto-approve")
		})
		t.Run("as resources, "+name, func(t *testing.T) {
			s := newSet(t)
			s.ConfigureProvider(s.Limited("tenant", permitted), s.Manifest("role", role), s.Manifest("binding", binding, "depends_on = [k8sconnect_manifest.role]"))
			s.expect(s.Do("apply", "-auto-approve"), "2 added", "not", "Dependency Not Ready Yet")
			s.settled()
			s.Do("destroy", "-auto-approve")
		})
	}
}

// A set can be replaced on request, and so can each other resource.
func TestReplacedOnRequest(t *testing.T) {
	t.Parallel()
	trigger := func(value string) string {
		return "resource \"terraform_data\" \"trigger\" {\n  input = \"" + value + "\"\n}\n"
	}
	const after = "lifecycle {\n    replace_triggered_by = [terraform_data.trigger]\n  }"
	for name, block := range map[string]func(*story.Workspace) (address, block string){
		"a set": func(w *story.Workspace) (string, string) {
			return "k8sconnect_manifests.test", "resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    web = <<-YAML\n" +
				w.Expand(story.ConfigMap) + "\n    YAML\n  }\n  " + after + "\n}\n"
		},
		"a manifest": func(w *story.Workspace) (string, string) {
			return story.Address, w.Manifest("test", story.ConfigMap, after)
		},
		"a patch": func(w *story.Workspace) (string, string) {
			return "k8sconnect_patch.test", w.PatchBlock("test", "v1 ConfigMap kube-root-ca.crt", "metadata: {annotations: {n: x}}", after)
		},
		"a merge patch": func(w *story.Workspace) (string, string) {
			return "k8sconnect_patch.test", w.TypedPatchBlock("test", "v1 ConfigMap kube-root-ca.crt", "merge", `{"metadata": {"annotations": {"n": "x"}}}`, after)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := story.New(t).HostedWorkspace()
			w.Await("the namespace has its ConfigMap", func() bool { return !w.Gone("v1 ConfigMap kube-root-ca.crt") })
			address, resource := block(w)
			w.Configure(resource, trigger("one"))
			w.Do("apply", "-auto-approve")
			expect := func(args ...string) {
				t.Helper()
				if out := w.Do(append(args, "-auto-approve")...); !strings.Contains(out, "1 destroyed") {
					t.Errorf("%v replaced nothing:\n%s", args, out)
				}
				w.Do("plan", "-detailed-exitcode")
			}
			expect("apply", "-replace="+address)
			w.Do("taint", address)
			expect("apply")
			w.Configure(resource, trigger("two"))
			expect("apply")
			w.Do("destroy", "-auto-approve")
		})
	}
}

// A set whose manifests change is replaced on request: new objects, keys that are about other objects, objects under
// other keys. What leaves is deleted, and a patch follows its object.
func TestReplacedOnRequestWithChanges(t *testing.T) {
	t.Parallel()
	web, log := configMap("web", "1"), configMap("log", "1")
	for name, c := range map[string]struct {
		now  map[string]string
		gone []string
	}{
		"a new object":                   {map[string]string{"web": web, "log": log, "new": configMap("new", "1")}, nil},
		"a key about another object":     {map[string]string{"web": web, "log": configMap("new", "1")}, []string{"v1 ConfigMap log"}},
		"an object under another key":    {map[string]string{"web": web, "other": log}, nil},
		"two objects exchange keys":      {map[string]string{"web": log, "log": web}, nil},
		"an object that leaves":          {map[string]string{"web": web}, []string{"v1 ConfigMap log"}},
		"another value, and none of log": {map[string]string{"web": configMap("web", "2"), "new": configMap("new", "1")}, []string{"v1 ConfigMap log"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			patch := s.PatchBlock("team", "v1 ConfigMap web", "metadata: {labels: {team: blue}}", "depends_on = [k8sconnect_manifests.test]")
			story.Must(t, os.WriteFile(filepath.Join(s.Dir, "patch.tf"), []byte(patch), 0o600))
			s.has(map[string]string{"web": web, "log": log})
			s.Do("apply", "-auto-approve")
			before := s.uid("v1 ConfigMap web")
			s.has(c.now)
			s.Do("apply", "-auto-approve", "-replace=k8sconnect_manifests.test")
			s.settled()
			if s.uid("v1 ConfigMap web") == before {
				t.Error("the object was not replaced")
			}
			s.gone(c.gone...)
			if team := s.Live("v1 ConfigMap web").GetLabels()["team"]; team != "blue" {
				t.Errorf("the label of the patch is %q", team)
			}
			s.Do("destroy", "-auto-approve")
			s.gone("v1 ConfigMap web", "v1 ConfigMap log", "v1 ConfigMap new")
		})
	}
}

// A plan that deletes or replaces a definition or a namespace lists what goes with it and whose that is. A set does not
// delete a definition with objects of other managers, unless it is told to.
func TestWhatGoesAlong(t *testing.T) {
	t.Parallel()
	const foreign = "apiVersion: NS.example.com/v1\nkind: Task\nmetadata: {name: theirs, namespace: NS}\nspec: {size: 1}\n"
	t.Run("with a definition", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", jobKind))
		s.Do("apply", "-auto-approve")
		s.Await("the kind is served", func() bool { return s.Gone("NS.example.com/v1 Task theirs") })
		s.As("bob").Create(foreign)
		told := []string{"Deleted Too: CustomResourceDefinition tasks.NS.example.com", "deletes with it 1 object that this resource does not have", "Task NS/theirs (bob, "}
		s.expect(s.Do("plan", "-destroy"), told...)
		s.Configure(s.Manifest("test", strings.Replace(jobKind, "scope: Namespaced", "scope: Cluster", 1)))
		s.expect(s.Do("plan"), append(told, "Immutable Field")...)
		s.Configure(s.Manifest("test", jobKind))
		s.Do("destroy", "-auto-approve")
	})
	t.Run("with a definition of a set", func(t *testing.T) {
		s := newSet(t)
		s.has(map[string]string{"kind": jobKind, "ours": strings.Replace(task, ", finalizers: [example.com/cleanup]", "", 1)})
		s.Do("apply", "-auto-approve")
		s.As("bob").Create(foreign)
		out := s.Exits(story.Refused, "destroy", "-auto-approve")
		s.expect(out, "Object Protected", "and 1 of them may be of others", "Task NS/theirs (bob, ", "set delete_protection = false", "not", "Task NS/one (")
		s.has(map[string]string{"kind": jobKind}, "delete_protection = false")
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("destroy", "-auto-approve"), "Deleted Too", "1 destroyed")
	})
	t.Run("with a definition of a set whose objects cannot be listed", func(t *testing.T) {
		s := newSet(t)
		s.has(map[string]string{"kind": jobKind})
		s.Do("apply", "-auto-approve")
		const rules = "rules: [{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: ['*']}]"
		s.As("kubectl").CreateUntilEnd("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n" + rules + "\n")
		s.As("kubectl").CreateUntilEnd("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: NS}\n" +
			"roleRef: {kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: NS}\nsubjects: [{kind: ServiceAccount, name: blind, namespace: NS}]\n")
		s.cluster = s.Limited("blind", map[string][]string{"configmaps": {"get"}})
		s.has(map[string]string{"kind": jobKind})
		s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Object Protected", "could not list all of them", "cannot list resource")
		s.cluster = ""
		s.has(map[string]string{"kind": jobKind})
	})
	t.Run("with a namespace", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n"))
		s.Do("apply", "-auto-approve")
		s.As("bob").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs, namespace: NS-gone}\ndata: {a: b}\n")
		s.As("kubectl").CreateUntilEnd("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n" +
			"rules: [{apiGroups: [''], resources: [namespaces], verbs: ['*']}]\n")
		s.As("kubectl").CreateUntilEnd("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: NS}\n" +
			"roleRef: {kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: NS}\nsubjects: [{kind: ServiceAccount, name: blind, namespace: NS}]\n")
		s.ConfigureProvider(s.Limited("blind", map[string][]string{"configmaps": {"get"}}), s.Manifest("test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n"))
		s.expect(s.Do("plan", "-destroy"), "Deleted Too: Namespace NS-gone", "could not list all of them", "cannot list resource")
		s.Configure(s.Manifest("test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n"))
		s.expect(s.Do("destroy", "-auto-approve"), "Deleted Too: Namespace NS-gone", "1 object that this resource does not have", "ConfigMap NS-gone/theirs (bob, ",
			"not", "kube-root-ca.crt")
	})
	t.Run("with a namespace that has objects of other resources", func(t *testing.T) {
		s := newSet(t)
		space := s.Manifest("space", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-gone}\n")
		account := s.Manifest("bot", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: bot, namespace: NS-gone}\n", "depends_on = [k8sconnect_manifest.space]")
		kept := s.Manifest("kept", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: kept, namespace: NS-gone}\n", "depends_on = [k8sconnect_manifest.space]",
			`on_destroy = "release"`)
		s.Configure(space, account)
		s.Do("apply", "-auto-approve")
		s.expect(s.Do("plan", "-destroy"), "2 to destroy", "not", "Deleted Too")
		s.Configure(space, account, kept)
		s.Do("apply", "-auto-approve")
		told := []string{"Deleted Too: Namespace NS-gone", "1 object that this resource does not have", "ServiceAccount NS-gone/kept", "not", "NS-gone/bot (no owner", "NS-gone/bot (before"}
		s.expect(s.Do("plan", "-destroy"), told...)
		s.Configure()
		s.expect(s.Do("plan"), told...)
	})
}

// A Job that its TTL has removed is created again, and the plan says why.
func TestJobThatItsTTLRemoves(t *testing.T) {
	s := newSet(t)
	s.has(map[string]string{"job": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec:\n  ttlSecondsAfterFinished: 0\n" +
		"  template: {spec: {restartPolicy: Never, containers: [{name: once, image: once}]}}\n"})
	s.Do("apply", "-auto-approve")
	s.As("ttl").Remove("batch/v1 Job once")
	s.expect(s.Do("plan"), "Job Removed by Its TTL: Job NS/once", "spec.ttlSecondsAfterFinished: 0", "1 to change")
}

// A replacement whose new object a policy refuses is refused by its plan, and not after the old object is gone.
func TestReplacementThatAPolicyRefuses(t *testing.T) {
	t.Parallel()
	const job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: web, namespace: NS}\nspec:\n  suspend: true\n  template:\n" +
		"    spec: {restartPolicy: Never, containers: [{name: web, image: web}]}\n"
	const policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: labels.NS}\nspec:\n" +
		"  failurePolicy: Fail\n  matchConstraints:\n    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}\n" +
		"    resourceRules: [{apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs]}]\n" +
		"  validations: [{expression: \"has(object.metadata.labels) && 'team' in object.metadata.labels\", message: \"a team is needed\"}]\n"
	const binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: labels.NS}\n" +
		"spec: {policyName: labels.NS, validationActions: [Deny]}\n"
	changed := strings.Replace(job, "image: web", "image: \"web:2\"", 1)
	allowed := strings.Replace(changed, "namespace: NS}", "namespace: NS, labels: {team: a}}", 1)
	for name, configure := range map[string]func(s *set, body string){
		"a manifest": func(s *set, body string) { s.Configure(s.Manifest("test", body)) },
		"in a set":   func(s *set, body string) { s.has(map[string]string{"web": body}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			configure(s, job)
			s.Do("apply", "-auto-approve")
			uid := s.uid("batch/v1 Job web")
			s.As("kubectl-create").CreateUntilEnd(policy)
			s.As("kubectl-create").CreateUntilEnd(binding)
			probe := s.Parse(strings.Replace(job, "name: web", "name: probe", 1))
			s.Await("the policy refuses", func() bool {
				_, err := s.ResourceOf(probe).Create(t.Context(), probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
				return err != nil
			})
			s.settled()
			configure(s, changed)
			s.expect(s.Exits(story.Refused, "plan"), "a team is needed", "Job NS/web")
			if name == "a manifest" {
				configure(s, job)
				s.expect(s.Exits(story.Refused, "plan", "-replace="+story.Address), "a team is needed")
			}
			if s.uid("batch/v1 Job web") != uid {
				t.Error("the Job was replaced")
			}
			configure(s, allowed)
			s.Do("apply", "-auto-approve")
			if s.uid("batch/v1 Job web") == uid {
				t.Error("the Job was not replaced")
			}
			s.settled()
		})
	}
}

// -replace plans a set twice, and the second plan adopts what the first one has adopted.
func TestSetThatIsReplacedAdopts(t *testing.T) {
	s := newSet(t)
	s.has(map[string]string{"one": configMap("one", "1")})
	s.Do("apply", "-auto-approve")
	s.As("kubectl").Apply(strings.ReplaceAll(configMap("two", "1"), "NS", s.Namespace))
	before := s.uid("v1 ConfigMap two")
	s.has(map[string]string{"one": configMap("one", "1"), "two": configMap("two", "2")}, "adopt_existing = true")
	s.Do("apply", "-auto-approve", "-replace=k8sconnect_manifests.test")
	s.settled()
	if s.uid("v1 ConfigMap two") != before {
		t.Error("the object was not adopted")
	}
}
