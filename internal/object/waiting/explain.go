package waiting

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// explainFor is how long the lists may take that explain a failure.
const explainFor = 10 * time.Second

// mostEvents is how many events an explanation has.
const mostEvents = 3

// Explanation lists the causes in the pods and events of an object why it is not ready. It costs three LISTs at
// most, more for lists of more than one page, and the log of one container if a user asks for it.
type Explanation struct {
	Causes []readiness.Cause
	// Events are the newest warnings, the newest first.
	Events []readiness.Event
	// Log is the last output of the container of a cause; nil if the user did not ask for it, or no container has run.
	Log *Log
	// Hidden reports why pods, events or a log could not be read.
	Hidden []string
}

// explain asks for the pods and events of an object that is not ready. A user who interrupts the apply gets no
// explanation.
func explain(ctx context.Context, api cluster.Interface, live *unstructured.Unstructured, logLines int) Explanation {
	var e Explanation
	if isInterrupted(ctx) {
		return e
	}
	ctx, cancel := cluster.Afterwards(ctx, explainFor)
	defer cancel()
	var pods, parts []*unstructured.Unstructured
	if selector := selectorOf(live); selector != "" {
		pods, parts = e.newPods(ctx, api, live, selector)
		parts = slices.Concat(pods, parts, claimsOf(pods))
	} else if live.GetKind() == "Pod" && live.GetAPIVersion() == "v1" {
		pods = []*unstructured.Unstructured{live}
		parts = claimsOf(pods)
	}
	warnings := cluster.ListQuery{
		APIVersion: "v1", Kind: "Event", Namespace: live.GetNamespace(), FieldSelector: "type=Warning",
	}
	events := e.list(ctx, api, warnings, func(event *unstructured.Unstructured) (bool, error) {
		about, _, _ := unstructured.NestedString(event.Object, "involvedObject", "name")
		named := func(part *unstructured.Unstructured) bool { return part.GetName() == about }
		return named(live) || slices.ContainsFunc(parts, named), nil
	})
	e.Causes = readiness.PodsTrouble(pods, events, nil, time.Now()).Causes
	e.Events = readiness.Warnings(live, parts, events, e.Causes, mostEvents)
	id := manifest.IdentityOf(live)
	for i := range e.Causes {
		e.Causes[i].Message = cluster.Show(ctx, id, cluster.RemarkOn(id, e.Causes[i].Message))
	}
	for i := range e.Events {
		e.Events[i].Text = shown(ctx, id, e.Events[i].Text)
	}
	if logLines > 0 {
		e.readLog(ctx, api, id, logLines)
	}
	return e
}

func claimsOf(pods []*unstructured.Unstructured) []*unstructured.Unstructured {
	var claims []*unstructured.Unstructured
	for _, pod := range pods {
		volumes, _, _ := unstructured.NestedSlice(pod.Object, "spec", "volumes")
		for _, item := range volumes {
			volume, _ := item.(map[string]any)
			name, has, _ := unstructured.NestedString(volume, "persistentVolumeClaim", "claimName")
			if !has {
				continue
			}
			claim := &unstructured.Unstructured{Object: map[string]any{}}
			claim.SetKind("PersistentVolumeClaim")
			claim.SetName(name)
			claims = append(claims, claim)
		}
	}
	return claims
}

// shown returns a sentence without those words of a controller that must not be shown. These words follow a colon.
func shown(ctx context.Context, id manifest.Identity, text string) string {
	head, said, found := strings.Cut(strings.Join(strings.Fields(text), " "), ": ")
	if !found {
		return text
	}
	if show := cluster.Show(ctx, id, cluster.RemarkOn(id, said)); show != said {
		return head + ": " + show
	}
	return text
}

// selectorOf returns the label selector of a workload's pods; "" for an object without pods.
func selectorOf(live *unstructured.Unstructured) string {
	fields, has, err := unstructured.NestedMap(live.Object, "spec", "selector")
	if !has || err != nil {
		return ""
	}
	var selector metav1.LabelSelector
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &selector) != nil ||
		len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		return ""
	}
	return metav1.FormatLabelSelector(&selector)
}

// newPods returns the pods of the newest template of a workload, and the ReplicaSet of a Deployment that creates them.
func (e *Explanation) newPods(
	ctx context.Context, api cluster.Interface, live *unstructured.Unstructured, selector string,
) (pods, sets []*unstructured.Unstructured) {
	query := cluster.ListQuery{APIVersion: "v1", Kind: "Pod", Namespace: live.GetNamespace(), LabelSelector: selector}
	revision, _, _ := unstructured.NestedString(live.Object, "status", "updateRevision")
	template := live.GetAnnotations()["deprecated.daemonset.template.generation"]
	switch {
	case live.GetKind() == "Deployment":
		found := cluster.ListQuery{
			APIVersion: live.GetAPIVersion(), Kind: "ReplicaSet", Namespace: live.GetNamespace(),
			LabelSelector: selector,
		}
		newest := newestOf(live, e.list(ctx, api, found, nil))
		if newest == nil {
			return nil, nil
		}
		sets = append(sets, newest)
		query.LabelSelector += ",pod-template-hash=" + newest.GetLabels()["pod-template-hash"]
	case revision != "":
		query.LabelSelector += ",controller-revision-hash=" + revision
	case live.GetKind() == "DaemonSet" && template != "":
		query.LabelSelector += ",pod-template-generation=" + template
	}
	return e.list(ctx, api, query, nil), sets
}

// newestOf returns the ReplicaSet of the newest revision of a Deployment; nil if it has none.
func newestOf(deployment *unstructured.Unstructured, sets []*unstructured.Unstructured) *unstructured.Unstructured {
	revision := func(set *unstructured.Unstructured) int {
		n, _ := strconv.Atoi(set.GetAnnotations()["deployment.kubernetes.io/revision"])
		return n
	}
	var newest *unstructured.Unstructured
	for _, set := range sets {
		if owner := metav1.GetControllerOf(set); owner == nil || owner.UID != deployment.GetUID() {
			continue
		}
		if newest == nil || revision(set) > revision(newest) {
			newest = set
		}
	}
	return newest
}

// list returns the objects that keep keeps, those of the first pages if a later one cannot be read. A nil keep keeps
// all.
func (e *Explanation) list(
	ctx context.Context, api cluster.Interface, query cluster.ListQuery,
	keep func(*unstructured.Unstructured) (bool, error),
) []*unstructured.Unstructured {
	var read []*unstructured.Unstructured
	note := func(object *unstructured.Unstructured) (bool, error) {
		if keep != nil {
			if kept, err := keep(object); err != nil || !kept {
				return false, err
			}
		}
		read = append(read, object)
		return true, nil
	}
	found, err := cluster.ListAll(ctx, api, query, cluster.Selection{Keep: note})
	switch {
	case err == nil:
		return found.Objects
	case len(read) == 0:
		e.Hidden = append(e.Hidden, fmt.Sprintf("Objects of the kind %s could not be listed: %s", query.Kind, err))
	}
	return read
}

const (
	// MostLogLines is how many lines of a log an explanation has at most.
	MostLogLines = 100
	// longestLogLine is how many characters a line of a log has at most.
	longestLogLine = 300
)

// Log is the end of the output of a container.
type Log struct {
	Pod, Container string
	// Previous is true for the run before the present one.
	Previous bool
	Lines    []string
}

// readLog reads the end of the log of the first cause that has one. Secret values of the object are not in it.
func (e *Explanation) readLog(ctx context.Context, api cluster.Interface, of manifest.Identity, lines int) {
	at := slices.IndexFunc(e.Causes, func(c readiness.Cause) bool { return c.Output != readiness.NoOutput })
	if at < 0 {
		return
	}
	cause := e.Causes[at]
	log := &Log{Pod: cause.Pod, Container: cause.Container, Previous: cause.Output == readiness.PreviousRun}
	query := cluster.LogQuery{
		Namespace: of.Namespace, Pod: cause.Pod, Container: cause.Container, Previous: log.Previous,
		Lines: min(lines, MostLogLines),
	}
	text, err := api.Logs(ctx, query)
	if err != nil {
		e.Hidden = append(e.Hidden, "The log of pod "+cause.Pod+" could not be read: "+err.Error())
		return
	}
	toSee := "run " + query.Kubectl()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		log.Lines = append(log.Lines, cluster.Show(ctx, of, cluster.Remark{Text: printable(line), ToSee: toSee}))
	}
	e.Log = log
}

// escapes are the sequences that colour a terminal or move its cursor.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// printable returns a line without what a terminal would not print, and without its end if it is long.
func printable(line string) string {
	line = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r == '\uFFFD' {
			return -1
		}
		return r
	}, escapes.ReplaceAllString(line, ""))
	if all := []rune(line); len(all) > longestLogLine {
		return string(all[:longestLogLine]) + "..."
	}
	return line
}
