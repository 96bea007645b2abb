package worlds_test

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/twins"
)

// run is one run of the CLI with a provider of its own, without the CLI: it calls the provider by its protocol.
type run struct {
	// resourceType is the type of the resources that it plans and applies.
	resourceType string
	server       tfprotov6.ProviderServer
	schemas      map[string]*tfprotov6.Schema
	schema       *tfprotov6.Schema
	kind         tftypes.Object
}

// newRun returns a provider that is configured with the usual connection. rules are those of the provider block.
func newRun(ctx context.Context, resourceType string, rules ...any) (*run, error) {
	return newRunWith(ctx, resourceType, usualConnection(), rules...)
}

func usualConnection() map[string]tftypes.Value {
	return map[string]tftypes.Value{"config_path": text(story.ControlPlane().KubeconfigPath())}
}

// newRunWith returns a provider that is configured with these arguments of cluster.
func newRunWith(
	ctx context.Context, resourceType string, connection map[string]tftypes.Value, rules ...any,
) (*run, error) {
	server := twins.New("worlds")
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	kind, _ := schemas.Provider.ValueType().(tftypes.Object)
	cluster, _ := kind.AttributeTypes["cluster"].(tftypes.Object)
	ruled, err := reading.Value(rules).ToTerraformValue(ctx)
	if err != nil {
		return nil, err
	}
	config := objectWith(kind, map[string]tftypes.Value{
		"cluster": objectWith(cluster, connection),
		"rules":   ruled,
	})
	configured, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: encode(kind, config)})
	if err != nil {
		return nil, err
	}
	if err := failure(configured.Diagnostics); err != nil {
		return nil, err
	}
	return (&run{server: server, schemas: schemas.ResourceSchemas}).of(resourceType), nil
}

// of returns the same run for resources of another type.
func (r *run) of(resourceType string) *run {
	schema := r.schemas[resourceType]
	resource, _ := schema.ValueType().(tftypes.Object)
	return &run{resourceType: resourceType, server: r.server, schemas: r.schemas, schema: schema, kind: resource}
}

// state is what the CLI keeps of the resource.
type state struct {
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// manager returns the field manager of the last apply; "" without one.
func (s state) manager() string {
	var attributes map[string]tftypes.Value
	var name string
	if s.value.IsNull() || s.value.As(&attributes) != nil || attributes["field_manager"].As(&name) != nil {
		return ""
	}
	return name
}

// apiVersion returns that of the object; "" without one.
func (s state) apiVersion() string {
	kind, version := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, ""
	for _, name := range []string{"api_version", "kind", "namespace", "name", "cluster_name"} {
		kind.AttributeTypes[name] = tftypes.String
	}
	var attributes map[string]tftypes.Value
	if s.identity == nil {
		return ""
	}
	value, err := s.identity.IdentityData.Unmarshal(kind)
	if err != nil || value.As(&attributes) != nil || attributes["api_version"].As(&version) != nil {
		panic(fmt.Sprint("an identity without an API version: ", value, err))
	}
	return version
}

// plan is the answer to a plan.
type plan struct {
	value    tftypes.Value
	response *tfprotov6.PlanResourceChangeResponse
	config   tftypes.Value
	warnings []string
}

func (r *run) refresh(ctx context.Context, prior state) (state, error) {
	answer, err := r.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: r.resourceType, CurrentState: encode(r.kind, prior.value), Private: prior.private, CurrentIdentity: prior.identity,
	})
	if err != nil {
		return prior, err
	}
	if err := failure(answer.Diagnostics); err != nil {
		return prior, err
	}
	value, err := answer.NewState.Unmarshal(r.kind)
	return state{value, answer.Private, answer.NewIdentity}, err
}

// validate returns a *diagnosed for what the provider refuses before it knows an object.
func (r *run) validate(ctx context.Context, config tftypes.Value) error {
	answer, err := r.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: r.resourceType, Config: encode(r.kind, config)})
	if err != nil {
		return err
	}
	return failure(answer.Diagnostics)
}

// plan returns a *diagnosed for what the provider refuses.
func (r *run) plan(ctx context.Context, prior state, config tftypes.Value) (plan, error) {
	proposed, err := r.proposed(prior.value, config)
	if err != nil {
		return plan{}, err
	}
	answer, err := r.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: r.resourceType, Config: encode(r.kind, config), PriorState: encode(r.kind, prior.value),
		PriorPrivate: prior.private, PriorIdentity: prior.identity, ProposedNewState: encode(r.kind, proposed),
	})
	if err != nil {
		return plan{}, err
	}
	planned := plan{response: answer, config: config, warnings: said(answer.Diagnostics, tfprotov6.DiagnosticSeverityWarning)}
	if err := failure(answer.Diagnostics); err != nil {
		return planned, err
	}
	if len(answer.RequiresReplace) > 0 {
		return planned, fmt.Errorf("the plan replaces the object because of %v", answer.RequiresReplace)
	}
	planned.value, err = answer.PlannedState.Unmarshal(r.kind)
	return planned, err
}

// proposed returns the configuration with the computed attributes of the state before.
func (r *run) proposed(prior, config tftypes.Value) (tftypes.Value, error) {
	if prior.IsNull() || config.IsNull() {
		return config, nil
	}
	var before, values map[string]tftypes.Value
	if err := prior.As(&before); err != nil {
		return config, err
	}
	if err := config.As(&values); err != nil {
		return config, err
	}
	values = maps.Clone(values) // The map is still that of the configuration.
	for _, attribute := range r.schema.Block.Attributes {
		if attribute.Computed && values[attribute.Name].IsNull() {
			values[attribute.Name] = before[attribute.Name]
		}
	}
	return tftypes.NewValue(r.kind, values), nil
}

// apply returns what the state holds afterwards, after a failure too.
func (r *run) apply(ctx context.Context, prior state, planned plan) (state, []*tfprotov6.Diagnostic, error) {
	answer, err := r.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: r.resourceType, Config: encode(r.kind, planned.config), PriorState: encode(r.kind, prior.value),
		PlannedState: planned.response.PlannedState, PlannedPrivate: planned.response.PlannedPrivate,
		PlannedIdentity: planned.response.PlannedIdentity,
	})
	if err != nil {
		return prior, nil, err
	}
	value, err := answer.NewState.Unmarshal(r.kind)
	if err != nil {
		return prior, answer.Diagnostics, err
	}
	return state{value, answer.Private, answer.NewIdentity}, answer.Diagnostics, failure(answer.Diagnostics)
}

// configure returns the resource block as a value, as the first plan knows it, or as the apply does.
func (r *run) configure(w *world, c configuration, first bool) (tftypes.Value, error) {
	if w.isPart {
		return r.configurePart(w, c, first)
	}
	values := map[string]tftypes.Value{"adopt_existing": tftypes.NewValue(tftypes.Bool, true)}
	if err := c.form.write(values, w.body(c).Object, first); err != nil {
		return tftypes.Value{}, err
	}
	c, _ = c.ruled(w.namespace)
	r.setLists(values, map[string][]string{
		"ignore_fields": c.ignore, "sensitive_fields": c.sensitive, "ignore_managers": c.ignoreManagers, "take_over_managers": c.takeOver,
		"pin_fields": c.pinned(),
	})
	if c.fieldManager != "" {
		values["field_manager"] = text(c.fieldManager)
	}
	if c.onConflict != "" {
		values["on_conflict"] = text(c.onConflict)
	}
	if c.undoes {
		r.setUndo(values)
	}
	if c.repin != "" {
		values["repin"] = text(c.repin)
	}
	if limits := c.lengths(w.body(c).Object); len(limits) > 0 {
		values["list_lengths"] = encodeLengths(r.kind.AttributeTypes["list_lengths"], limits)
	}
	return objectWith(r.kind, values), nil
}

// setLists sets the arguments that are sets of texts.
func (r *run) setLists(values map[string]tftypes.Value, lists map[string][]string) {
	for name, list := range lists {
		if list == nil || len(list) == 0 && name != "take_over_managers" {
			continue
		}
		elements := make([]tftypes.Value, len(list))
		for i, element := range list {
			elements[i] = text(element)
		}
		values[name] = tftypes.NewValue(r.kind.AttributeTypes[name], elements)
	}
}

// diagnosed is an error that the provider reported.
type diagnosed struct{ texts []string }

func (d *diagnosed) Error() string { return strings.Join(d.texts, "\n") }

func failure(diags []*tfprotov6.Diagnostic) error {
	if texts := said(diags, tfprotov6.DiagnosticSeverityError); len(texts) > 0 {
		return &diagnosed{texts}
	}
	return nil
}

func said(diags []*tfprotov6.Diagnostic, severity tfprotov6.DiagnosticSeverity) []string {
	var texts []string
	for _, d := range diags {
		if d.Severity == severity {
			texts = append(texts, d.Summary+"\n"+d.Detail)
		}
	}
	return texts
}

func encode(kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		panic(err)
	}
	return &encoded
}

func text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

// objectWith returns an object with these attributes; the others are null.
func objectWith(kind tftypes.Object, attributes map[string]tftypes.Value) tftypes.Value {
	all := map[string]tftypes.Value{}
	for name, attribute := range kind.AttributeTypes {
		all[name] = tftypes.NewValue(attribute, nil)
	}
	for name, value := range attributes {
		all[name] = value
	}
	return tftypes.NewValue(kind, all)
}

// attribute returns a map of texts among the attributes of an object; unknown elements are left out. It is nil if the
// whole is unknown or null.
func attribute(object tftypes.Value, name string) map[string]string {
	var attributes, elements map[string]tftypes.Value
	if object.IsNull() || object.As(&attributes) != nil {
		return nil
	}
	if value := attributes[name]; value.IsNull() || !value.IsKnown() || value.As(&elements) != nil {
		return nil
	}
	texts := map[string]string{}
	for field, element := range elements {
		var text string
		if !element.IsKnown() {
			continue
		}
		if element.As(&text) == nil {
			texts[field] = text
			continue
		}
		var names []tftypes.Value
		if element.As(&names) == nil {
			texts[field] = joined(names)
		}
	}
	return texts
}

// attributeKeys returns the keys of a map among the attributes of an object.
func attributeKeys(object tftypes.Value, name string) map[string]tftypes.Value {
	var attributes, elements map[string]tftypes.Value
	if !object.IsNull() && object.As(&attributes) == nil && attributes[name].IsKnown() {
		_ = attributes[name].As(&elements)
	}
	return elements
}

// unknownOf returns the unknown elements of a map among the attributes of an object.
func unknownOf(object tftypes.Value, name string) []string {
	var attributes, elements map[string]tftypes.Value
	if object.IsNull() || object.As(&attributes) != nil || attributes[name].IsNull() || attributes[name].As(&elements) != nil {
		return nil
	}
	var unknown []string
	for field, element := range elements {
		if !element.IsKnown() {
			unknown = append(unknown, field)
		}
	}
	return unknown
}

func joined(names []tftypes.Value) string {
	all := make([]string, len(names))
	for i, name := range names {
		_ = name.As(&all[i])
	}
	return strings.Join(all, " ")
}

// disagreements returns the known values of one answer that another does not have.
func disagreements(first, second tftypes.Value) []string {
	var found []string
	compare(first, second, "", &found)
	return found
}

func compare(first, second tftypes.Value, at string, found *[]string) {
	if !first.IsKnown() {
		return
	}
	one, is := parts(first)
	other, areAlike := parts(second)
	if !is || !areAlike {
		if !first.Equal(second) {
			*found = append(*found, fmt.Sprintf("%s: %s, then %s", at, first, second))
		}
		return
	}
	for name, value := range one {
		with, has := other[name]
		if !has {
			*found = append(*found, fmt.Sprintf("%s.%s: %s, then gone", at, name, value))
			continue
		}
		compare(value, with, at+"."+name, found)
	}
	for name, value := range other {
		if _, has := one[name]; !has {
			*found = append(*found, fmt.Sprintf("%s.%s: nothing, then %s", at, name, value))
		}
	}
}
