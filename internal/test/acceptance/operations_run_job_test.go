package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const cronJob = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: NS}
spec:
  schedule: "0 3 1 1 *"
  jobTemplate:
    metadata: {labels: {team: shop}, annotations: {note: hello}}
    spec:
      backoffLimit: 3
      template: {spec: {restartPolicy: Never, containers: [{name: app, image: "busybox:1.36"}]}}
`

// stuck is a Job whose pods find no node.
const stuck = `
apiVersion: batch/v1
kind: Job
metadata: {name: stuck, namespace: NS}
spec: {template: {spec: {restartPolicy: Never, nodeSelector: {none: here}, containers: [{name: app, image: "busybox:1.36"}]}}}
`

// text returns the argument yaml_body.
func (i invoker) text(body string) string { return "yaml_body = <<-YAML\n" + i.Expand(body) + "\nYAML" }

// jobs returns the Jobs, by age.
func (i invoker) jobs() []batchv1.Job {
	i.T.Helper()
	list, err := i.Typed.BatchV1().Jobs(i.Namespace).List(i.T.Context(), metav1.ListOptions{})
	story.Must(i.T, err)
	slices.SortFunc(list.Items, func(a, b batchv1.Job) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	return list.Items
}

// Each run makes a new Job of the CronJob's template, as kubectl create job --from does: a GET, a PATCH and a WATCH.
func TestRunJobOfCronJob(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	owner := i.As("alice").Apply(cronJob)
	i.Configure(i.action("run_job", "nightly", `cron_job = { namespace = "NS", name = "nightly" }`))
	for range 2 {
		var progress []string
		objects, _ := i.CostOf(func() { progress = i.invoke("run_job.nightly") })
		for at := range objects {
			objects[at] = suffix.ReplaceAllString(objects[at], "-SUFFIX")
		}
		i.expect("the requests", []string{"get cronjobs NS/nightly 200", "patch jobs NS/nightly-SUFFIX 201", "watch jobs NS/nightly-SUFFIX 200"}, objects)
		i.expect("the progress", []string{"Started Job NS/nightly-SUFFIX (batch/v1)", "0 of 1 pods have succeeded.", "1 of 1 pods have succeeded."}, progress)
	}
	jobs := i.jobs()
	if len(jobs) != 2 || jobs[0].Name == jobs[1].Name {
		t.Fatalf("there are %d Jobs", len(jobs))
	}
	controller := true
	for _, job := range jobs {
		for what, diff := range map[string]string{
			"owner":       cmp.Diff([]metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", Name: "nightly", UID: owner.GetUID(), Controller: &controller}}, job.OwnerReferences),
			"labels":      cmp.Diff("shop", job.Labels["team"]),
			"annotations": cmp.Diff(map[string]string{"note": "hello", "cronjob.kubernetes.io/instantiate": "manual"}, job.Annotations),
			"retries":     cmp.Diff(int32(3), *job.Spec.BackoffLimit),
			"image":       cmp.Diff("busybox:1.36", job.Spec.Template.Spec.Containers[0].Image),
		} {
			if diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", what, job.Name, diff)
			}
		}
	}
}

// A Job of a manifest has its fields, a name of its own, and stays as long as the action says.
func TestRunJobOfManifest(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	object := `manifest = { apiVersion = "batch/v1", kind = "Job", metadata = { name = "hcl", namespace = "NS" }, spec = { template = { spec = { restartPolicy = "Never", containers = [{ name = "app", image = "busybox:1.36" }] } } } }`
	i.Configure(
		i.action("run_job", "kept", i.text(story.Job)),
		i.action("run_job", "hcl", object, "ttl_seconds_after_finished = 3600"),
		i.action("run_job", "started", i.text(strings.Replace(stuck, "name: stuck", "generateName: stuck-", 1)), "wait = false"),
	)
	i.invoke("run_job.kept")
	i.invoke("run_job.hcl")
	i.expect("the progress without a wait", []string{"Started Job NS/stuck-SUFFIX (batch/v1)"}, i.invoke("run_job.started"))
	ttl := map[string]any{}
	for _, job := range i.jobs() {
		name := suffix.ReplaceAllString(job.Name, "-SUFFIX")
		ttl[name] = nil
		if job.Spec.TTLSecondsAfterFinished != nil {
			ttl[name] = *job.Spec.TTLSecondsAfterFinished
		}
	}
	if diff := cmp.Diff(map[string]any{"web-SUFFIX": nil, "hcl-SUFFIX": int32(3600), "stuck-SUFFIX": nil}, ttl); diff != "" {
		t.Errorf("how long the Jobs stay (-want +got):\n%s", diff)
	}
}

// A Job that fails, that takes too long, or that has no CronJob is an error with its reason.
func TestRunJobThatFails(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(
		i.action("run_job", "failing", i.text(strings.Replace(stuck, "spec: {template:", "spec: {activeDeadlineSeconds: 1, template:", 1))),
		i.action("run_job", "slow", i.text(stuck), "timeouts {\n invoke = \"20s\"\n}"),
		i.action("run_job", "gone", i.text(stuck)),
		i.action("run_job", "absent", `cron_job = { namespace = "NS", name = "absent" }`),
		i.action("run_job", "nowhere", i.text(strings.Replace(stuck, "namespace: NS", "namespace: NS-absent", 1))),
		i.action("run_job", "invalid", i.text(strings.Replace(stuck, "restartPolicy: Never", "restartPolicy: Always", 1))),
	)
	i.says(i.refuses("run_job.failing"), "Job Failed", "Job NS/stuck-SUFFIX (batch/v1) has failed (DeadlineExceeded).", "kubectl logs job.v1.batch/stuck-SUFFIX -n NS", "It starts a new Job.")
	i.says(i.refuses("run_job.slow"), "Job Not Complete", "Job NS/stuck-SUFFIX (batch/v1) was not complete after", "It goes on.", "Unschedulable: ", "nodes are available: ", "raise the timeouts")
	deleted := make(chan error)
	go func() {
		i.Await("the next Job runs", func() bool { return len(i.jobs()) == 3 })
		last := i.jobs()[2]
		deleted <- i.Typed.BatchV1().Jobs(i.Namespace).Delete(i.T.Context(), last.Name, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)})
	}()
	i.says(i.refuses("run_job.gone"), "Job Gone", "Job NS/stuck-SUFFIX (batch/v1) was deleted before the provider saw its end. The provider does not know whether it succeeded.", "Its last message: ")
	story.Must(t, <-deleted)
	i.says(i.refuses("run_job.absent"), "Object Not Found", "CronJob NS/absent (batch/v1) could not be read", "Correct cron_job")
	i.says(i.refuses("run_job.nowhere"), "Namespace Not Found", "Create the namespace first")
	i.says(i.refuses("run_job.invalid"), "Invalid Object", "restartPolicy")
	if jobs := i.jobs(); len(jobs) != 2 {
		t.Errorf("there are %d Jobs", len(jobs))
	}
}
