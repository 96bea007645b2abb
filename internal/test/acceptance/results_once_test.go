package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// migration is a Job that completes at once. TTL stands for fields of its spec.
const migration = `
apiVersion: batch/v1
kind: Job
metadata: {name: migration, namespace: NS}
spec:
  TTL
  template: {spec: {restartPolicy: Never, containers: [{name: app, image: "migrate:1"}]}}
`

// removedAfter returns the migration with a ttlSecondsAfterFinished; "" for none.
func removedAfter(seconds string) string {
	if seconds != "" {
		seconds = "ttlSecondsAfterFinished: " + seconds
	}
	return strings.Replace(migration, "TTL", seconds, 1)
}

const (
	migrated  = "batch/v1 Job migration"
	otherMap  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: NS}\ndata: {a: VALUE}\n"
	failsSoon = "backoffLimit: 0\n  activeDeadlineSeconds: 1\n  suspend: false"
)

// once are the ways to say that a Job runs once. configure writes the configuration of the Job and an unrelated object.
var once = map[string]func(s *set, job, other string, arguments ...string){
	"a manifest": func(s *set, job, other string, arguments ...string) {
		s.Configure(s.Manifest("test", job, append(arguments, "once = true")...), s.Manifest("other", other))
	},
	"a rule for a manifest": func(s *set, job, other string, arguments ...string) {
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`+"\n  rules = [{ kinds = [\"*\"], once = true }]",
			s.Manifest("test", job, arguments...), s.Manifest("other", other))
	},
	"a set": func(s *set, job, other string, arguments ...string) {
		s.has(map[string]string{"job": job, "other": other}, append(arguments, "once = true")...)
	},
	"a rule of a set": func(s *set, job, other string, arguments ...string) {
		s.has(map[string]string{"job": job, "other": other},
			append(arguments, `rules = [{ kinds = ["batch/Job"], once = true }]`)...)
	},
}

// awaitGone waits until the Job is gone.
func (s *set) awaitGone(target string) {
	s.T.Helper()
	story.Must(s.T, story.Eventually(target+" is gone", func() bool { return s.Gone(target) })(nil))
}

// awaitCompleted waits until the Job is complete.
func (s *set) awaitCompleted(target string) {
	s.T.Helper()
	complete := s.ExpectJSONPath(target, map[string]string{`{.status.conditions[?(@.type=="Complete")].status}`: "True"})
	story.Must(s.T, story.Eventually(target+" is complete", func() bool { return complete(nil) == nil })(nil))
}

// A Job that runs once and was seen complete stays done when its TTL has removed it, whatever else is applied. A changed
// manifest runs it again, and a destroy finds nothing to do.
func TestJobThatRunsOnce(t *testing.T) {
	t.Parallel()
	for name, configure := range once {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			with := func(job, value string) {
				configure(s, job, strings.Replace(otherMap, "VALUE", value, 1), "wait = {}")
			}
			with(removedAfter("0"), "one")
			s.expect(s.Do("apply", "-auto-approve"), "not", "Job Not Waited For")
			s.awaitGone(migrated)
			s.settled()
			s.Do("apply", "-refresh-only", "-auto-approve")
			s.settled()
			s.Do("plan", "-detailed-exitcode", "-refresh=false")

			with(removedAfter("0"), "two")
			s.expect(s.Do("apply", "-auto-approve"), "1 changed, 0 destroyed", "not", "Job Runs Again", "Job Removed by Its TTL")
			s.gone(migrated)
			s.settled()

			changed := strings.Replace(removedAfter(""), "migrate:1", "migrate:2", 1)
			with(changed, "two")
			s.expect(s.Do("apply", "-auto-approve"), "Job Runs Again: Job NS/migration (batch/v1)", "was complete, and is gone", "has changed since")
			uid := s.uid(migrated)
			s.settled()

			s.As("bob").Remove(migrated)
			s.awaitGone(migrated)
			s.settled()
			s.Do("apply", "-auto-approve", "-replace="+addressOf(name))
			if again := s.uid(migrated); again == uid {
				t.Errorf("the Job has the uid %s of the run before", uid)
			}
			s.settled()

			s.As("bob").Remove(migrated)
			s.awaitGone(migrated)
			s.expect(s.Do("destroy", "-auto-approve"), "destroyed", "not", "Warning: Job")
		})
	}
}

// addressOf returns the address of the resource of a way.
func addressOf(way string) string {
	if strings.Contains(way, "set") {
		return "k8sconnect_manifests.test"
	}
	return story.Address
}

// A Job that was not seen complete has not run: it is created again, and the plan says why.
func TestJobThatRunsOnceUnseen(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a manifest", "a rule of a set"} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			once[name](s, removedAfter("0"), otherMap)
			s.expect(s.Do("apply", "-auto-approve"), "Job Not Waited For: Job NS/migration (batch/v1)", "Add wait = {} next to once.")
			s.awaitGone(migrated)
			s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), "Job Not Seen Complete: Job NS/migration (batch/v1)", "is gone. It was not seen complete",
				"not", "Job Removed by Its TTL")

			// A refresh sees it complete, too.
			once[name](s, removedAfter(""), otherMap)
			s.Do("apply", "-auto-approve")
			s.awaitCompleted(migrated)
			s.Do("apply", "-refresh-only", "-auto-approve")
			s.As("bob").Remove(migrated)
			s.awaitGone(migrated)
			s.settled()
		})
	}
}

// A Job that failed has not run. The apply after the failure replaces it.
func TestJobThatRunsOnceAndFails(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a manifest", "a set"} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			failing := strings.NewReplacer("TTL", failsSoon, "restartPolicy: Never", "restartPolicy: Never, nodeSelector: {none: here}").Replace(migration)
			once[name](s, failing, otherMap, "wait = {}")
			out, err := s.Try("apply", "-auto-approve")
			if err == nil {
				t.Fatalf("the apply has not failed:\n%s", out)
			}
			s.expect(out, "Object Not Ready", "the next apply replaces the object")
			uid := s.uid(migrated)
			once[name](s, removedAfter(""), otherMap, "wait = {}")
			s.Do("apply", "-auto-approve")
			if again := s.uid(migrated); again == uid {
				t.Errorf("the Job has the uid %s of the run that failed", uid)
			}
			s.settled()
		})
	}
	t.Run("and is gone", func(t *testing.T) {
		s := newSet(t)
		failing := strings.NewReplacer("TTL", failsSoon, "restartPolicy: Never", "restartPolicy: Never, nodeSelector: {none: here}").Replace(migration)
		once["a manifest"](s, failing, otherMap, `wait = { on_failure = "report" }`)
		s.expect(s.Do("apply", "-auto-approve"), "Object Not Ready")
		s.As("bob").Remove(migrated)
		s.awaitGone(migrated)
		s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), "Job Not Seen Complete")
	})
}

// Other arguments of a Job that is done may change. Without once, it runs again, and new exports have nothing to read.
func TestJobThatRunsOnceChanges(t *testing.T) {
	s := newSet(t)
	with := func(arguments ...string) { s.Configure(s.Manifest("test", removedAfter("0"), arguments...)) }
	with("once = true", "wait = {}", `on_destroy = "release"`, "delete_protection = true", `exports = { done = "status.succeeded" }`)
	s.Do("apply", "-auto-approve")
	s.awaitGone(migrated)
	with("once = true", `wait = { logs = 3 }`, `on_conflict = "fail"`, `field_manager = "shop"`, `exports = { done = "status.succeeded" }`)
	s.expect(s.Do("apply", "-auto-approve"), "1 changed", "not", "Warning: Job")
	s.gone(migrated)
	s.settled()
	with("once = true", `exports = { failed = "status.failed" }`)
	s.expect(s.Exits(story.Refused, "plan"), "Job Is Gone", "nothing more of it can be exported")
	with("once = true")
	s.Do("apply", "-auto-approve")
	s.settled()
	with("once = false")
	s.expect(s.Do("plan"), "Job Runs Again", "It is no longer to run once", "1 to add, 0 to change, 1 to destroy")
	with()
	s.expect(s.Do("apply", "-auto-approve"), "Job Runs Again", "1 added")

	s.Configure(s.Manifest("test", story.ConfigMap, "once = true"))
	s.expect(s.Exits(story.Refused, "validate"), "once is for Jobs (batch), which end, and yaml_body has a ConfigMap.")
}

// A Job whose manifest is not known in the plan does not run again if it turns out to be the same.
func TestJobThatRunsOnceAndIsUnknown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a manifest", "a set"} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			with := func(input, tag string) {
				once[name](s, strings.Replace(removedAfter("0"), "migrate:1", "migrate:${terraform_data.tag.output}", 1), otherMap, "wait = {}")
				story.Must(t, os.WriteFile(filepath.Join(s.Dir, "tag.tf"),
					[]byte("resource \"terraform_data\" \"tag\" {\n  input = \""+tag+"\"\n  triggers_replace = \""+input+"\"\n}\n"), 0o600))
			}
			with("a", "1")
			s.Do("apply", "-auto-approve")
			s.awaitGone(migrated)
			s.settled()
			with("b", "1")
			s.expect(s.Do("apply", "-auto-approve"), "not", "Job Runs Again")
			s.gone(migrated)
			s.settled()
			with("c", "2")
			s.expect(s.Do("apply", "-auto-approve"), "Job Runs Again", "1 changed")
			s.awaitGone(migrated)
			s.settled()
		})
	}
}

// Without a refresh, too, a changed Job runs again.
func TestJobThatRunsOnceWithoutRefresh(t *testing.T) {
	s := newSet(t)
	with := func(image string) {
		s.Configure(s.Manifest("test", strings.Replace(removedAfter("0"), "migrate:1", image, 1), "once = true", "wait = {}"))
	}
	with("migrate:1")
	s.Do("apply", "-auto-approve")
	s.awaitGone(migrated)
	s.Do("apply", "-refresh-only", "-auto-approve")
	with("migrate:2")
	s.expect(s.Do("apply", "-auto-approve", "-refresh=false"), "Job Runs Again", "1 changed")
	s.awaitGone(migrated)
	s.settled()
}

// A Job that another client has run and that is imported counts as done.
func TestJobThatRunsOnceAndIsImported(t *testing.T) {
	s := newSet(t)
	s.As("kubectl").Apply(removedAfter(""))
	s.awaitCompleted(migrated)
	s.Configure(s.ImportBlock("apiVersion=batch/v1,kind=Job,namespace=NS,name=migration"), s.Manifest("test", removedAfter(""), "once = true", "wait = {}"))
	s.Do("apply", "-auto-approve")
	s.settled()
	s.As("bob").Remove(migrated)
	s.awaitGone(migrated)
	s.settled()
}

// A refresh of a Job that is done is one GET, and one that is there costs what any object does.
func TestRequestsOfAJobThatRunsOnce(t *testing.T) {
	s := story.New(t)
	w := &set{Workspace: s.HostedWorkspace()}
	const get, created, tried, watch = "get jobs NS/migration 200", "patch jobs NS/migration 201", "patch jobs NS/migration dry-run 201", "watch jobs NS/migration 200"
	for _, argument := range []string{"once = true", "once = false"} {
		w.Configure(s.Manifest("test", removedAfter(""), argument, "wait = {}"))
		w.ExpectCost("plan of a create with "+argument, []string{tried}, "plan", "-out=plan")
		w.ExpectCost("create with "+argument, []string{tried, created, watch}, "apply", "plan")
		w.ExpectCost("plan without changes and "+argument, []string{get}, "plan", "-detailed-exitcode")
		if argument == "once = true" {
			w.As("bob").Remove(migrated)
			w.awaitGone(migrated)
			w.ExpectCost("plan of a Job that is gone", []string{"get jobs NS/migration 404"}, "plan", "-detailed-exitcode")
			w.ExpectCost("plan of a destroy of a Job that is gone", []string{"get jobs NS/migration 404"}, "plan", "-destroy", "-out=plan")
			if objects, _ := w.Cost("apply", "plan"); len(objects) > 0 {
				t.Errorf("the destroy of a Job that is gone sends %q", objects)
			}
		}
	}
}
