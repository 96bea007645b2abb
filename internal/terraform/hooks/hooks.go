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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/setresource"
)

// operation is what hooks run for. It implements [setresource.Hooks].
type operation struct {
	setresource.Operation
	hooks []chart.Hook
	// unfinished are the keys of the hooks that have not ended well.
	unfinished map[string]bool
}

// started is a hook that is on the cluster.
type started struct {
	chart.Hook
	id  manifest.Identity
	uid string
}

// Of returns the hooks of an operation; an error about a text that is none.
func Of(of setresource.Operation) (setresource.Hooks, diag.Diagnostics) {
	all, key, err := chart.Hooks(of.Texts)
	o := &operation{Operation: of, hooks: all, unfinished: map[string]bool{}}
	if err == nil {
		return o, nil
	}
	at := path.Root("hooks").AtMapKey(key)
	if fault, is := errors.AsType[*manifest.Error](err); is {
		return o, diag.Diagnostics{invalid.Manifest(at, fault)}
	}
	return o, diag.Diagnostics{invalid.Value(at, err.Error()+".\n\nTake hooks from the data source k8sconnect_chart.")}
}

func (o *operation) before() string { return "pre-" + o.Does }
func (o *operation) after() string  { return "post-" + o.Does }

// of returns the hooks of an event, in their order.
func (o *operation) of(event string) []chart.Hook {
	return slices.DeleteFunc(slices.Clone(o.hooks), func(h chart.Hook) bool { return !slices.Contains(h.Events, event) })
}

// Names implements setresource.Hooks.
func (o *operation) Names() []string {
	var names []string
	for _, event := range []string{o.before(), o.after()} {
		for _, hook := range o.of(event) {
			names = append(names, event+" "+hook.Key)
		}
	}
	return names
}

// Before implements setresource.Hooks.
func (o *operation) Before(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	return o.runAll(ctx, api, o.before())
}

// After implements setresource.Hooks.
func (o *operation) After(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	diags := o.runAll(ctx, api, o.after())
	if o.Does == "delete" && !diags.HasError() {
		diags.Append(o.unmark(ctx, api)...)
	}
	return diags
}

// Unfinished implements setresource.Hooks.
func (o *operation) Unfinished() []string {
	var keys []string
	for key := range o.unfinished {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// runAll runs the hooks of an event one after the other, until one of them fails. Then it deletes what is deleted after
// such an end.
func (o *operation) runAll(ctx context.Context, api cluster.Interface, event string) diag.Diagnostics {
	var diags diag.Diagnostics
	var ended []started
	all := o.of(event)
	for i, hook := range all {
		run, faults := o.run(ctx, api, event, hook)
		if diags.Append(faults...); !diags.HasError() {
			ended = append(ended, run)
			continue
		}
		for _, left := range all[i:] {
			o.unfinished[left.Key] = true
		}
		if event == o.before() {
			for _, left := range o.of(o.after()) {
				o.unfinished[left.Key] = true
			}
		}
		if run.uid != "" && hook.HasPolicy("hook-failed") {
			diags.Append(o.remove(ctx, api, run)...)
		}
		break
	}
	slices.Reverse(ended)
	for _, run := range ended {
		if run.HasPolicy("hook-succeeded") {
			diags.Append(o.remove(ctx, api, run)...)
		}
	}
	return diags
}
