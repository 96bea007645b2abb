package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	web          = "apps/v1 Deployment web"
	keptTarget   = "v1 ConfigMap kept"
	widgetTarget = "NS.example.com/v1 Widget web"

	ourDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: shop}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1"}]}
`
	ourConfigMap  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: NS}, data: {a: "1", b: "2"}}`
	ourAutoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: NS}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}, minReplicas: 1, maxReplicas: 4}
`
)

// ours applies objects of several kinds as the owner.
func (g guarded) ours() {
	g.T.Helper()
	g.As("k8sconnect").Create(story.WidgetDefinition)
	g.T.Cleanup(g.DropDefinition)
	for _, body := range []string{ourDeployment, ourConfigMap, ourAutoscaler} {
		g.As("k8sconnect").Apply(body)
	}
	var err error
	for range 600 { // The kind is served soon.
		if err = g.by("k8sconnect", nil).apply(story.WidgetHere); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	g.T.Fatal(err)
}

// What takes or removes a field of ours is refused, whatever kind, version, verb or way it takes.
func TestGuardRefuses(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny, Source: "github.com/example/shop"})
	g.ours()
	edit, none := g.by("kubectl-edit", nil), g.by("", nil)
	const clear = `[{"op": "replace", "path": "/metadata/managedFields", "value": %s}]`
	entry := func(change func(entry map[string]any)) func(*unstructured.Unstructured) {
		return func(object *unstructured.Unstructured) {
			entries, _, _ := unstructured.NestedSlice(object.Object, "metadata", "managedFields")
			for _, one := range entries {
				if one := one.(map[string]any); one["manager"] == "k8sconnect" {
					change(one)
				}
			}
			story.Must(t, unstructured.SetNestedSlice(object.Object, entries, "metadata", "managedFields"))
		}
	}
	for what, write := range map[string]struct {
		err  error
		says []string
	}{
		"an edit": {edit.merge(web, `{"spec": {"replicas": 5}}`), []string{
			`"kubectl-edit" (`, ") changes fields of Deployment " + g.Namespace + `/web that "k8sconnect" owns: spec.replicas. ` +
				"Change them in github.com/example/shop, or leave them to other managers there (ignore_fields).",
		}},
		"a strategic patch": {edit.patch(types.StrategicMergePatchType, web,
			`{"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "nginx:2"}]}}}}`),
			[]string{`owns: spec.template.spec.containers[name="app"].image.`}},
		"a strategic patch with $retainKeys": {edit.patch(types.StrategicMergePatchType, web,
			`{"spec": {"template": {"spec": {"$setElementOrder/containers": [], "containers": [{"name": "app", "$patch": "delete"}, {"name": "b", "image": "b"}]}}}}`), nil},
		"a patch that replaces all": {edit.patch(types.StrategicMergePatchType, web,
			`{"metadata": {"labels": {"$patch": "replace"}}}`), []string{"metadata.labels.team"}},
		"a forced apply":      {g.by("flux", nil).apply(strings.Replace(ourDeployment, "nginx:1", "nginx:3", 1)), []string{`"flux" (`}},
		"a put":               {edit.put(web, func(object *unstructured.Unstructured) { object.SetLabels(nil) }), []string{"metadata.labels.team"}},
		"an empty list":       {edit.json(web, fmt.Sprintf(clear, "[]")), []string{"owns: "}},
		"an empty entry":      {edit.json(web, fmt.Sprintf(clear, "[{}]")), nil},
		"an entry of another": {edit.put(web, entry(func(one map[string]any) { one["manager"] = "kubectl-edit" })), nil},
		"another operation":   {edit.put(web, entry(func(one map[string]any) { one["operation"] = "Update" })), nil},
		"a smaller entry": {edit.put(web, entry(func(one map[string]any) {
			one["fieldsV1"] = map[string]any{"f:spec": map[string]any{"f:replicas": map[string]any{}}}
		})), nil},
		"a larger entry": {edit.put(web, entry(func(one map[string]any) {
			one["fieldsV1"].(map[string]any)["f:spec"].(map[string]any)["f:paused"] = map[string]any{}
		})), nil},
		"a write without a manager":  {none.merge(web, `{"spec": {"replicas": 5}}`), nil},
		"a manager with a like name": {g.by("k8sconnec", nil).merge(keptTarget, `{"data": {"a": "9"}}`), nil},
		"a value of a ConfigMap":     {edit.merge(keptTarget, `{"data": {"a": "9"}}`), []string{"owns: data.a."}},
		"a value that goes":          {edit.merge(keptTarget, `{"data": null}`), nil},
		"a value of a Widget":        {edit.merge(widgetTarget, `{"spec": null}`), nil},
		"another version":            {edit.merge("autoscaling/v1 HorizontalPodAutoscaler web", `{"spec": {"maxReplicas": 9}}`), []string{"spec.maxReplicas"}},
		"a dry-run":                  {edit.merge(keptTarget, `{"data": {"a": "9"}}`, metav1.DryRunAll), nil},
	} {
		refused(t, what, write.err, write.says...)
	}
	if got := g.Live(web).GetLabels()["team"]; got != "shop" {
		t.Errorf("the label is %q", got)
	}
}

// What takes nothing of ours passes, and so does what we do ourselves.
func TestGuardLetsPass(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny})
	g.ours()
	edit, us := g.by("kubectl-edit", nil), g.by("k8sconnect", nil)
	restart := `{"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "now"}}}}}`
	controller := g.user("kube-controller-manager",
		rest.ImpersonationConfig{UserName: "system:serviceaccount:kube-system:namespace-controller", Groups: []string{"system:masters"}}, nil)
	node := g.user("kubelet", rest.ImpersonationConfig{UserName: "system:node:a", Groups: []string{"system:nodes", "system:masters"}}, nil)
	for _, write := range []struct {
		what string
		err  error
	}{
		{"another label", edit.merge(web, `{"metadata": {"labels": {"other": "label"}}}`)},
		{"an equal value", edit.merge(web, `{"spec": {"replicas": 2}}`)},
		{"an equal value of another applier", g.by("flux", nil).apply(ourDeployment)},
		{"an apply with nothing", g.by("flux", nil).apply(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}}`)},
		{"the status", edit.patch(types.MergePatchType, web, `{"status": {"observedGeneration": 1}}`, "status")},
		{"a finalizer", edit.merge(keptTarget, `{"metadata": {"finalizers": ["example.com/a"]}}`)},
		{"a finalizer that goes", edit.merge(keptTarget, `{"metadata": {"finalizers": null}}`)},
		{"a restart", edit.patch(types.StrategicMergePatchType, web, restart)},
		{"another container", edit.patch(types.StrategicMergePatchType, web,
			`{"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "log:1"}]}}}}`)},
		{"an autoscaler", g.by("kube-controller-manager", nil).patch(types.MergePatchType, web, `{"spec": {"replicas": 3}}`, "scale")},
		{"a controller of Kubernetes", controller.merge(keptTarget, `{"data": {"a": "9"}}`)},
		{"a node", node.merge(keptTarget, `{"data": {"b": "9"}}`)},
		{"our apply", us.apply(strings.Replace(ourDeployment, "nginx:1", "nginx:4", 1))},
		{"our dry-run", g.by("k8sconnect-plan", nil).apply(ourConfigMap, metav1.DryRunAll)},
		{"our update", us.merge(keptTarget, `{"data": {"a": "3"}}`)},
		{"our release", us.json(keptTarget, `[{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}]`)},
		{"a write to what we have released", edit.merge(keptTarget, `{"data": {"a": "4"}}`)},
		{"a deletion", edit.remove(keptTarget)},
	} {
		passes(t, write.what, write.err)
	}
	g.As("k8sconnect").Apply(`{apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: NS, finalizers: [example.com/ours]}}`)
	refused(t, "our finalizer", edit.merge("v1 ConfigMap held", `{"metadata": {"finalizers": null}}`), "metadata.finalizers")
	passes(t, "its deletion", edit.remove("v1 ConfigMap held"))
	passes(t, "our finalizer of an object that goes", edit.merge("v1 ConfigMap held", `{"metadata": {"finalizers": null}}`))
}

// A guard of additions finds what other managers add to an object of ours, whatever way it takes, at any depth.
func TestGuardOfAdditions(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny, Additions: true, ExemptUsers: []string{"break-glass"}, Source: "github.com/example/shop"})
	g.ours()
	us, edit := g.by("k8sconnect", nil), g.by("kubectl-edit", nil)
	exempt := g.user("operator", rest.ImpersonationConfig{UserName: "break-glass", Groups: []string{"system:masters"}}, nil)
	const pod = `{apiVersion: v1, kind: Pod, metadata: {name: idle, namespace: NS}, spec: {nodeName: "", nodeSelector: {no: "where"}, containers: [{name: app, image: "nginx:1"}]}}`
	const cron = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: night, namespace: NS}
spec:
  schedule: "0 0 31 2 *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "nginx:1", env: [{name: A, value: a}]}]}}}}
`
	passes(t, "our pod", us.apply(pod))
	passes(t, "our CronJob", us.apply(cron))
	inPod := func(spec string) string { return `{"spec": {"template": {"spec": ` + spec + `}}}` }
	strategic := func(w guardedWriter, target, body string) error {
		return w.patch(types.StrategicMergePatchType, target, body)
	}
	for what, write := range map[string]struct {
		err  error
		says []string
	}{
		"a label": {edit.merge(web, `{"metadata": {"labels": {"other": "label"}}}`), []string{
			`"kubectl-edit" (`, ") adds to Deployment " + g.Namespace + `/web, of which "k8sconnect" owns fields: metadata.labels.other. ` +
				"Declare them in github.com/example/shop.",
		}},
		"the first annotation": {edit.merge(web, `{"metadata": {"annotations": {"a.example.com/b": "c"}}}`), []string{"metadata.annotations.a.example.com/b"}},
		"a container": {strategic(edit, web, inPod(`{"containers": [{"name": "miner", "image": "m", "securityContext": {"privileged": true}}]}`)),
			[]string{`spec.template.spec.containers[name="miner"].`}},
		"a variable of ours": {strategic(edit, web, inPod(`{"containers": [{"name": "app", "env": [{"name": "LD_PRELOAD", "value": "x"}]}]}`)),
			[]string{`spec.template.spec.containers[name="app"].env[name="LD_PRELOAD"].`}},
		"the network of the host": {edit.merge(web, inPod(`{"hostNetwork": true}`)), []string{"spec.template.spec.hostNetwork"}},
		"a privilege": {strategic(edit, web, inPod(`{"containers": [{"name": "app", "securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}}]}`)),
			[]string{`containers[name="app"].securityContext.capabilities.add.`}},
		"a default that somebody sets": {edit.merge(web, `{"spec": {"paused": true}}`), []string{"spec.paused"}},
		"another applier":              {g.by("flux", nil).apply(strings.Replace(ourDeployment, "team: shop", "tier: front", 1)), []string{"metadata.labels.tier"}},
		"deep in a CronJob": {strategic(edit, "batch/v1 CronJob night", `{"spec": {"jobTemplate": `+
			inPod(`{"containers": [{"name": "app", "env": [{"name": "B", "value": "b"}]}]}`)+`}}`), []string{`env[name="B"].`}},
		"deeper than the guard compares": {strategic(edit, "batch/v1 CronJob night", `{"spec": {"jobTemplate": `+
			inPod(`{"containers": [{"name": "app", "env": [{"name": "A", "value": null, "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}]}`)+`}}`), nil},
		"a value of a ConfigMap":   {edit.merge(keptTarget, `{"data": {"c": "9"}}`), []string{"adds to ConfigMap " + g.Namespace + "/kept", "data.c."}},
		"binary data":              {edit.merge(keptTarget, `{"binaryData": {"c": "OQ=="}}`), []string{"binaryData.c."}},
		"a finalizer":              {edit.merge(keptTarget, `{"metadata": {"finalizers": ["example.com/a"]}}`), []string{`metadata.finalizers[="example.com/a"]`}},
		"a custom resource":        {edit.merge(widgetTarget, `{"spec": {"size": 5}}`), []string{"spec.size"}},
		"a debugger":               {edit.patch(types.StrategicMergePatchType, "v1 Pod idle", `{"spec": {"ephemeralContainers": [{"name": "dbg", "image": "d"}]}}`, "ephemeralcontainers"), []string{`spec.ephemeralContainers[name="dbg"].`}},
		"a dry-run":                {edit.merge(keptTarget, `{"data": {"c": "9"}}`, metav1.DryRunAll), nil},
		"a value that we own, too": {edit.merge(keptTarget, `{"data": {"a": "9", "c": "9"}}`), []string{"changes fields"}},
	} {
		refused(t, what, write.err, write.says...)
	}
	restart := `{"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "now"}}}}}`
	for _, write := range []struct {
		what string
		err  error
	}{
		{"an equal value", edit.merge(web, `{"spec": {"replicas": 2}}`)},
		{"an equal value of another applier", g.by("flux", nil).apply(ourDeployment)},
		{"the status", edit.patch(types.MergePatchType, web, `{"status": {"observedGeneration": 1}}`, "status")},
		{"a restart", strategic(edit, web, restart)},
		{"an autoscaler", g.by("kube-controller-manager", nil).patch(types.MergePatchType, web, `{"spec": {"replicas": 3}}`, "scale")},
		{"an exempt user", exempt.merge(web, `{"metadata": {"labels": {"seen": "1"}}}`)},
		{"a value that another manager added", edit.merge(web, `{"metadata": {"labels": {"seen": "2"}}}`)},
		{"a removal of it", edit.merge(web, `{"metadata": {"labels": {"seen": null}}}`)},
		{"our own addition", us.merge(keptTarget, `{"data": {"c": "9"}}`)},
		{"our release", us.json(keptTarget, `[{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}]`)},
		{"an addition to what we have released", edit.merge(keptTarget, `{"data": {"d": "4"}}`)},
	} {
		passes(t, write.what, write.err)
	}
}

// Without a prefix in common, the names that the provider derives from a field manager are owners, too.
func TestGuardOfOtherManagers(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny, FieldManagers: []string{"payments"}})
	pay, edit := g.by("payments", nil), g.by("kubectl-edit", nil)
	passes(t, "an apply", pay.apply(ourConfigMap))
	passes(t, "a dry-run of a plan", g.by("payments-plan", nil).apply(strings.Replace(ourConfigMap, `"1"`, `"9"`, 1), metav1.DryRunAll))
	refused(t, "an apply in the name of a dry-run", g.by("payments-plan", nil).apply(strings.Replace(ourConfigMap, `"1"`, `"9"`, 1)))
	rename := func(w guardedWriter, from, to string) error {
		return w.put(keptTarget, func(object *unstructured.Unstructured) {
			entries := object.GetManagedFields()
			entries[slices.IndexFunc(entries, func(e metav1.ManagedFieldsEntry) bool { return e.Manager == from })].Manager = to
			object.SetManagedFields(entries)
		})
	}
	passes(t, "an unfinished replacement", rename(g.by("payments+unfinished", nil), "payments", "payments+unfinished"))
	refused(t, "an edit of an unfinished one", edit.merge(keptTarget, `{"data": {"a": "9"}}`), `"payments+unfinished" owns`)
	passes(t, "its end", rename(pay, "payments+unfinished", "payments"))
	refused(t, "a rename to a manager that no guard knows", rename(g.by("billing", nil), "payments", "billing"), `"billing" (`)
	passes(t, "a hand-over by the owner", rename(pay, "payments", "flux"))
	passes(t, "an edit after it", edit.merge(keptTarget, `{"data": {"a": "9"}}`))
}

// If users are named, the name of the manager is not enough, and deletions know their owner.
func TestGuardOfUsers(t *testing.T) {
	g := installGuard(t, guard.Options{
		Mode: guard.Deny, Delete: guard.Deny, OwnerUsers: []string{"ci-*"}, OwnerGroups: []string{"platform"},
		ExemptUsers: []string{"break-glass"}, ExemptGroups: []string{"on-call"},
	})
	as := func(user, manager string, groups ...string) guardedWriter {
		return g.user(manager, rest.ImpersonationConfig{UserName: user, Groups: append(groups, "system:masters")}, nil)
	}
	passes(t, "our apply", as("ci-1", "k8sconnect").apply(ourConfigMap))
	passes(t, "our apply, by group", as("jane", "k8sconnect", "platform").apply(strings.Replace(ourConfigMap, `"1"`, `"2"`, 1)))
	change := `{"data": {"a": "9"}}`
	refused(t, "another user under our name", as("joe", "k8sconnect").merge(keptTarget, change), `"k8sconnect" (joe)`)
	refused(t, "our user under another name", as("ci-1", "kubectl-edit").merge(keptTarget, change))
	refused(t, "a user whose name goes on", as("xci-1", "k8sconnect").merge(keptTarget, change))
	passes(t, "an exempt user", as("break-glass", "kubectl-edit").merge(keptTarget, change))
	passes(t, "an exempt group", as("joe", "kubectl-edit", "on-call").merge(keptTarget, `{"data": {"b": "9"}}`))

	passes(t, "our apply again", as("ci-1", "k8sconnect").apply(ourConfigMap))
	refused(t, "a deletion", as("joe", "").remove(keptTarget), "joe deletes ConfigMap "+g.Namespace+`/kept, of which "k8sconnect" owns fields.`)
	client, _ := as("joe", "").at(keptTarget)
	refused(t, "a deletion of all", client.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
	refused(t, "an owner that is deleted soon", as("joe", "x").merge(keptTarget,
		`{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "x"}]}}`), "an owner, with which it would be deleted")
	passes(t, "a deletion of what is not ours", as("joe", "").remove("v1 ConfigMap kube-root-ca.crt"))
	passes(t, "garbage collection", as("system:serviceaccount:kube-system:generic-garbage-collector", "").remove(keptTarget))
	passes(t, "our apply of another object", as("ci-1", "k8sconnect").apply(ourConfigMap))
	passes(t, "our destroy", as("ci-1", "").remove(keptTarget))
}

// Others do not let the cluster delete a Job of ours after it has finished, or sooner than it would.
func TestGuardOfFinishedJobs(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny, Delete: guard.Deny, OwnerUsers: []string{"ci-*"}, ExemptUsers: []string{"break-glass"}})
	as := func(user, manager string) guardedWriter {
		return g.user(manager, rest.ImpersonationConfig{UserName: user, Groups: []string{"system:masters"}}, nil)
	}
	const job, target = "{apiVersion: batch/v1, kind: Job, metadata: {name: once, namespace: NS}, spec: {suspend: true, " +
		"template: {spec: {restartPolicy: Never, containers: [{name: once, image: once}]}}}}", "batch/v1 Job once"
	lives := func(seconds string) string { return `{"spec": {"ttlSecondsAfterFinished": ` + seconds + `}}` }
	passes(t, "our apply", as("ci-1", "k8sconnect").apply(job))
	refused(t, "the end of our Job", as("joe", "x").merge(target, lives("0")),
		`"x" (joe) sets spec.ttlSecondsAfterFinished of Job `+g.Namespace+`/once, with which it would be deleted, and "k8sconnect" owns fields of it.`)
	passes(t, "another field", as("joe", "x").merge(target, `{"spec": {"backoffLimit": 2}}`))
	passes(t, "an exempt user", as("break-glass", "x").merge(target, lives("100")))
	refused(t, "an earlier end", as("joe", "x").merge(target, lives("99")))
	passes(t, "a later end", as("joe", "x").merge(target, lives("101")))
	passes(t, "no end", as("joe", "x").merge(target, lives("null")))
	passes(t, "our end", as("ci-1", "k8sconnect").apply(strings.Replace(job, "suspend: true", "suspend: true, ttlSecondsAfterFinished: 60", 1)))
	refused(t, "another end than ours", as("joe", "x").merge(target, lives("90")), "owns: spec.ttlSecondsAfterFinished.")
	theirs := strings.Replace(job, "name: once, namespace", "name: theirs, namespace", 1)
	passes(t, "a Job of others", as("joe", "x").apply(theirs))
	passes(t, "its end", as("joe", "x").merge("batch/v1 Job theirs", lives("0")))
}

// Objects that are named are not scaled by others, autoscalers among them.
func TestGuardOfScale(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny, Scale: []string{"apps/Deployment/NS/web"}})
	g.As("k8sconnect").Apply(ourDeployment)
	g.As("k8sconnect").Apply(strings.Replace(ourDeployment, "name: web", "name: free", 1))
	autoscaler := g.user("kube-controller-manager", rest.ImpersonationConfig{
		UserName: "system:serviceaccount:kube-system:horizontal-pod-autoscaler", Groups: []string{"system:masters"},
	}, nil)
	scale := func(w guardedWriter, target string, replicas int) error {
		return w.patch(types.MergePatchType, target, fmt.Sprintf(`{"spec": {"replicas": %d}}`, replicas), "scale")
	}
	refused(t, "kubectl scale", scale(g.by("kubectl", nil), web, 5), " sets the replicas of deployments "+g.Namespace+"/web. ")
	refused(t, "an autoscaler", scale(autoscaler, web, 5))
	passes(t, "the same number", scale(autoscaler, web, 2))
	passes(t, "our own scale", scale(g.by("k8sconnect", nil), web, 3))
	passes(t, "another object", scale(autoscaler, "apps/v1 Deployment free", 5))
}

// A guard that warns refuses nothing, and tells whoever writes.
func TestGuardWarns(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Warn})
	g.As("k8sconnect").Apply(ourConfigMap)
	warned := &warnings{}
	passes(t, "an edit", g.by("kubectl-edit", warned).merge(keptTarget, `{"data": {"a": "9"}}`))
	if len(warned.texts) != 1 || !strings.Contains(warned.texts[0], "changes fields of ConfigMap "+g.Namespace+`/kept that "k8sconnect" owns: data.a.`) {
		t.Errorf("warnings: %q", warned.texts)
	}
	warned.texts = nil
	passes(t, "another field", g.by("kubectl-edit", warned).merge(keptTarget, `{"data": {"c": "9"}}`))
	if len(warned.texts) > 0 {
		t.Errorf("warnings about a field of others: %q", warned.texts)
	}
}

// A guard that only audits refuses nothing and warns nobody.
func TestGuardAudits(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Audit})
	g.As("k8sconnect").Apply(ourConfigMap)
	warned := &warnings{}
	passes(t, "an edit", g.by("kubectl-edit", warned).merge(keptTarget, `{"data": {"a": "9"}}`))
	if len(warned.texts) > 0 {
		t.Errorf("warnings: %q", warned.texts)
	}
	binding := g.Live("admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding guard-NS")
	if actions, _, _ := unstructured.NestedStringSlice(binding.Object, "spec", "validationActions"); !slices.Equal(actions, []string{"Audit"}) {
		t.Errorf("validationActions: %q", actions)
	}
}

// The message about 5000 fields is cut, and the guard decides about them as about one.
func TestGuardOfManyFields(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny})
	data := make([]string, 5000)
	for i := range data {
		data[i] = fmt.Sprintf("key-%04d: \"1\"", i)
	}
	body := "{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: NS}, data: {" + strings.Join(data, ", ") + "}}"
	passes(t, "our apply", g.by("k8sconnect", nil).apply(body))
	edit := g.by("kubectl-edit", nil)
	passes(t, "a field of others", edit.merge(keptTarget, `{"data": {"other": "1"}}`))
	refused(t, "one of them", edit.merge(keptTarget, `{"data": {"key-4711": "2"}}`), "owns: data.key-4711.")
	refused(t, "all of them", edit.merge(keptTarget, `{"data": null}`), "owns: data.")
	refused(t, "all with other values", edit.apply(strings.ReplaceAll(body, `"1"`, `"2"`)))
}

// Strings with quotes, backslashes and the signs of expressions are names and nothing else.
func TestGuardOfHostileStrings(t *testing.T) {
	hostile := `") || true || ("\"'$.*+?{}|^` + "`"
	glob := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(hostile)
	g := installGuard(t, guard.Options{
		Mode: guard.Deny, FieldManagers: []string{"k8sconnect*", glob}, ExemptUsers: []string{glob, "[a-c]]*"},
		ExemptGroups: []string{glob}, Kinds: []string{"Config[L-N]ap", glob[:8]}, Scale: []string{"apps/Deployment/NS/" + glob}, Source: hostile,
	})
	passes(t, "an apply of a manager with such a name", g.by(hostile, nil).apply(ourConfigMap))
	refused(t, "an edit", g.by("kubectl-edit", nil).merge(keptTarget, `{"data": {"a": "9"}}`), "in "+hostile+", or leave")
	exempt := rest.ImpersonationConfig{UserName: "b]-1", Groups: []string{"system:masters"}}
	passes(t, "a user of a class of characters", g.user("x", exempt, nil).merge(keptTarget, `{"data": {"a": "9"}}`))
}

// The policy names the controllers of Kubernetes by the names that the server gives them.
func TestGuardKnowsControllers(t *testing.T) {
	s := story.New(t)
	roles, err := s.Typed.RbacV1().ClusterRoles().List(t.Context(), metav1.ListOptions{LabelSelector: "kubernetes.io/bootstrapping=rbac-defaults"})
	story.Must(t, err)
	manifests, err := guard.Manifests(guard.Options{Name: "a", Mode: guard.Deny, FieldManagers: []string{"a"}})
	story.Must(t, err)
	policy := strings.Join(slices.Sorted(func(yield func(string) bool) {
		for _, text := range manifests {
			if !yield(text) {
				return
			}
		}
	}), "")
	found := 0
	for _, role := range roles.Items {
		if name, is := strings.CutPrefix(role.Name, "system:controller:"); is && name != "horizontal-pod-autoscaler" {
			if found++; !strings.Contains(policy, "|"+name+"|") && !strings.Contains(policy, "(?:"+name+"|") && !strings.Contains(policy, "|"+name+")") {
				t.Errorf("the policy does not name %s", name)
			}
		}
	}
	if found < 30 {
		t.Errorf("the server has %d controllers", found)
	}
}

// A policy that changes a field of ours changes it with the next write of anybody. managedFields do not record what
// admission changes: the field stays ours, and the guard lets the write pass.
func TestGuardBesideAMutatingPolicy(t *testing.T) {
	g := installGuard(t, guard.Options{Mode: guard.Deny})
	edit, us := g.by("kubectl-edit", nil), g.by("k8sconnect", nil)
	passes(t, "our apply", us.apply(strings.Replace(ourConfigMap, "namespace: NS", `namespace: NS, labels: {stamp: "no"}`, 1)))
	g.InstallStamp()
	passes(t, "another label", edit.merge(keptTarget, `{"metadata": {"labels": {"by": "kubectl"}}}`))
	live := g.Live(keptTarget)
	if got := live.GetLabels()["stamp"]; got != "yes" {
		t.Errorf("the policy has not changed the label: %q", got)
	}
	story.Must(t, g.ExpectOwners(keptTarget, "metadata.labels.stamp", "k8sconnect")(nil))
	refused(t, "a value of ours", edit.merge(keptTarget, `{"data": {"a": "9"}}`), "owns: data.a.")
	refused(t, "the label of ours", edit.merge(keptTarget, `{"metadata": {"labels": {"stamp": null}}}`), "owns: metadata.labels.stamp.")
}
