package waiting

import (
	"context"
	"fmt"
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

// Explanation is what the pods and events of an object say of why it is not ready: three LISTs at most.
type Explanation struct {
	Causes []readiness.Cause
	// Events are the newest warnings, the newest first.
	Events []string
	// Hidden says why pods or events could not be listed.
	Hidden []string
}

// explain asks for the pods and events of an object that is not ready. A user who interrupts the apply gets no explanation.
func explain(ctx context.Context, api cluster.Interface, live *unstructured.Unstructured) Explanation {
	var e Explanation
	if ctx.Err() == context.Canceled {
		return e
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), explainFor)
	defer cancel()
	names := []string{live.GetName()}
	if selector := selectorOf(live); selector != "" {
		pods, sets := e.newPods(ctx, api, live, selector)
		e.Causes = readiness.PodsTrouble(pods, 0).Causes
		for _, object := range slices.Concat(pods, sets) {
			names = append(names, object.GetName())
		}
	}
	events := e.list(ctx, api, cluster.ListQuery{APIVersion: "v1", Kind: "Event", Namespace: live.GetNamespace(), FieldSelector: "type=Warning"})
	events = slices.DeleteFunc(events, func(event *unstructured.Unstructured) bool {
		name, _, _ := unstructured.NestedString(event.Object, "involvedObject", "name")
		return !slices.Contains(names, name)
	})
	e.Events = readiness.Warnings(live, events, mostEvents)
	id := manifest.Identity{APIVersion: live.GetAPIVersion(), Kind: live.GetKind(), Namespace: live.GetNamespace(), Name: live.GetName()}
	for i := range e.Causes {
		e.Causes[i].Message = cluster.Show(ctx, id, cluster.RemarkOn(id, e.Causes[i].Message))
	}
	for i := range e.Events {
		e.Events[i] = shown(ctx, id, e.Events[i])
	}
	return e
}

// shown returns a sentence with what may be shown of the words of a controller in it. They follow a colon.
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
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &selector) != nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		return ""
	}
	return metav1.FormatLabelSelector(&selector)
}

// newPods returns the pods of the newest template of a workload, and the ReplicaSet of a Deployment that creates them.
func (e *Explanation) newPods(ctx context.Context, api cluster.Interface, live *unstructured.Unstructured, selector string) (pods, sets []*unstructured.Unstructured) {
	query := cluster.ListQuery{APIVersion: "v1", Kind: "Pod", Namespace: live.GetNamespace(), LabelSelector: selector}
	revision, _, _ := unstructured.NestedString(live.Object, "status", "updateRevision")
	switch {
	case live.GetKind() == "Deployment":
		found := cluster.ListQuery{APIVersion: live.GetAPIVersion(), Kind: "ReplicaSet", Namespace: live.GetNamespace(), LabelSelector: selector}
		newest := newestOf(live, e.list(ctx, api, found))
		if newest == nil {
			return nil, nil
		}
		sets = append(sets, newest)
		query.LabelSelector += ",pod-template-hash=" + newest.GetLabels()["pod-template-hash"]
	case revision != "":
		query.LabelSelector += ",controller-revision-hash=" + revision
	}
	return e.list(ctx, api, query), sets
}

// newestOf returns the ReplicaSet of the newest revision of a Deployment; nil where it has none.
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

func (e *Explanation) list(ctx context.Context, api cluster.Interface, query cluster.ListQuery) []*unstructured.Unstructured {
	page, err := api.List(ctx, query)
	if err != nil {
		e.Hidden = append(e.Hidden, fmt.Sprintf("Objects of the kind %s could not be listed: %s", query.Kind, err))
	}
	return page.Objects
}
