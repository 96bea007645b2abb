// Package hooks runs the hooks of a chart before and after what an apply or a destroy does to the objects of its set:
// by weight and name, each created, waited for if it is a Job or a Pod, and deleted as its policies ask.
//
// # A run that was cut off
//
// A hook carries the name of its operation in an annotation. So the next run of the same operation finds what one has
// started that was killed or that failed: it waits for a hook that goes on, and does not run again what has ended well.
// The attribute revision counts the operations that have ended well, and so gives a later one another name. A destroy
// takes the names away, since the next installation counts from the beginning, and so does an apply from the hooks that
// leave the configuration.
//
// # A release of Helm
//
// A set can take over a release. Its plan adopts those objects of the release that the set has, its create runs no
// hooks, and in the end what Helm has stored of the release is deleted.
package hooks

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
)

// Operation is what hooks run for.
type Operation struct {
	Runner
	// does is its name in the events of hooks: install, upgrade or delete.
	does string
	// id tells the operation apart from others of the same set.
	id string
	// now is plan, or state for a destroy.
	plan, state, now *Set
	// isOpen is true while it is not known which hooks run.
	isOpen bool
	hooks  []chart.Hook
	// unfinished are the keys of the hooks that have not ended well.
	unfinished map[string]bool
}

// started is a hook that is on the cluster.
type started struct {
	chart.Hook
	id  manifest.Identity
	uid string
	// isLost is true if a destroy cannot create it, because its namespace or its kind is gone.
	isLost bool
}

// parse sets the hooks. It returns an error about the first manifest that is not a hook.
func (o *Operation) parse(texts map[string]string) diag.Diagnostics {
	all, key, err := chart.Hooks(texts)
	if o.hooks = all; err == nil {
		return nil
	}
	at := path.Root("hooks").AtMapKey(key)
	if fault, is := errors.AsType[*manifest.Error](err); is {
		return diag.Diagnostics{invalid.Manifest(at, fault)}
	}
	return diag.Diagnostics{invalid.Value(at, err.Error()+".\n\nTake hooks from the data source k8sconnect_chart.")}
}

func (o *Operation) before() string { return "pre-" + o.does }
func (o *Operation) after() string  { return "post-" + o.does }

// of returns the hooks of an event, in their order.
func (o *Operation) of(event string) []chart.Hook {
	isOther := func(h chart.Hook) bool { return !slices.Contains(h.Events, event) }
	return slices.DeleteFunc(slices.Clone(o.hooks), isOther)
}

// names returns what runs, in its order: an event and a key.
func (o *Operation) names() []string {
	var names []string
	for _, event := range []string{o.before(), o.after()} {
		for _, hook := range o.of(event) {
			names = append(names, event+" "+hook.Key)
		}
	}
	return names
}

// counts reports whether the apply is a revision of its own: it runs hooks, or a later destroy does, for which nothing
// counts that ran in a destroy before the apply.
func (o *Operation) counts() bool {
	return len(o.names())+len(o.of("pre-delete"))+len(o.of("post-delete")) > 0
}

// dropped returns the hooks of the state that may have run, and of which the plan contains none for the same object.
func (o *Operation) dropped() []chart.Hook {
	if o.plan == nil || o.state == nil {
		return nil
	}
	texts, _ := o.plan.texts()
	textsWas, _ := o.state.texts()
	kept, _, _ := chart.Hooks(texts)
	had, _, _ := chart.Hooks(textsWas)
	return slices.DeleteFunc(had, func(was chart.Hook) bool {
		return was.IsLeft() || slices.ContainsFunc(kept, func(now chart.Hook) bool {
			return now.Kind == was.Kind && now.Name == was.Name && now.Group() == was.Group() &&
				(now.Namespace == was.Namespace || now.Namespace == "" || was.Namespace == "")
		})
	})
}

// leave notes hooks that have not ended well.
func (o *Operation) leave(hooks []chart.Hook) {
	for _, hook := range hooks {
		o.unfinished[hook.Key] = true
	}
}

// runAll runs the hooks of an event one after the other, until one of them fails. Then it deletes what is deleted after
// an end of this kind.
func (o *Operation) runAll(ctx context.Context, api cluster.Interface, event string) diag.Diagnostics {
	var diags diag.Diagnostics
	var ended []started
	var lost []string
	all := o.of(event)
	for i, hook := range all {
		run, faults := o.run(ctx, api, event, hook)
		switch diags.Append(faults...); {
		case run.isLost:
			lost = append(lost, run.id.String())
			continue
		case !diags.HasError():
			ended = append(ended, run)
			continue
		}
		if o.leave(all[i:]); event == o.before() {
			o.leave(o.of(o.after()))
		}
		if run.uid != "" && hook.HasPolicy("hook-failed") && ctx.Err() == nil {
			diags.Append(o.remove(ctx, api, run)...)
		}
		break
	}
	if len(lost) > 0 {
		diags.Append(unready.HooksLost(event, lost))
	}
	slices.Reverse(ended)
	for _, run := range ended {
		if run.HasPolicy("hook-succeeded") {
			diags.Append(o.remove(ctx, api, run)...)
		}
	}
	return diags
}
