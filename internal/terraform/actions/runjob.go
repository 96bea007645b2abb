package actions

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

type runJobAction struct{ base }

type runJobModel struct {
	attributes.Connection
	CronJob  types.Object   `tfsdk:"cron_job"`
	YAMLBody types.String   `tfsdk:"yaml_body"`
	Manifest types.Dynamic  `tfsdk:"manifest"`
	TTL      types.Int64    `tfsdk:"ttl_seconds_after_finished"`
	Wait     types.Bool     `tfsdk:"wait"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
	// SensitiveFields are paths of values that no message may have.
	SensitiveFields types.Set `tfsdk:"sensitive_fields"`
}

// NewRunJob returns the action k8sconnect_run_job.
func NewRunJob() action.Action {
	names := namesOf("k8sconnect_run_job", "cron_job")
	names.Body = "yaml_body"
	return &runJobAction{base{Names: names}}
}

// ValidateConfig refuses arguments that do not describe exactly one Job.
func (a *runJobAction) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	var m runJobModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() || m.CronJob.IsUnknown() ||
		m.YAMLBody.IsUnknown() || m.Manifest.IsUnknown() {
		return
	}
	given := m.given()
	if len(given) != 1 {
		resp.Diagnostics.Append(invalid.Missing("A Job is made from one of cron_job, yaml_body and manifest.\n\nSet " +
			"exactly one of them."))
		return
	}
	_, err := m.body()
	if fault, is := errors.AsType[*manifest.Error](err); is {
		resp.Diagnostics.Append(invalid.Manifest(path.Root(given[0]), fault))
	}
	if fault, is := errors.AsType[*notAJobError](err); is {
		resp.Diagnostics.Append(invalid.NotAJob(given[0], fault.Kind, fault.APIVersion))
	}
}

// given returns the arguments that describe a Job.
func (m runJobModel) given() []string {
	var given []string
	for _, argument := range []struct {
		name  string
		value attr.Value
	}{{"cron_job", m.CronJob}, {"yaml_body", m.YAMLBody}, {"manifest", m.Manifest}} {
		if !argument.value.IsNull() {
			given = append(given, argument.name)
		}
	}
	return given
}

// speakingOf returns the action with the Names that fit a configuration: messages name the argument that describes the
// Job.
func (a *runJobAction) speakingOf(m runJobModel) *runJobAction {
	speaking := *a
	for _, given := range m.given() {
		speaking.Names.Target, speaking.Names.Body = given, given
	}
	if !m.CronJob.IsNull() {
		speaking.Names.Body = ""
	}
	return &speaking
}

func (a *runJobAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m runJobModel
	a.invoke(ctx, req, resp, &m, func(api cluster.Interface, progress *progressReport) ended {
		return a.speakingOf(m).discreetly(ctx, api, m, progress)
	})
}

// discreetly runs the Job and hides the values of sensitive_fields in all that is said of it.
func (a *runJobAction) discreetly(
	ctx context.Context, api cluster.Interface, m runJobModel, progress *progressReport,
) ended {
	began := time.Now()
	short, cancel := context.WithTimeout(ctx, within(ctx, m.Timeouts, defaultLimit))
	defer cancel()
	body, failed := a.bodyOf(short, api, m)
	if failed != nil {
		return ended{diags: diag.Diagnostics{failed}}
	}
	secrecy := operations.SecrecyOf(body, knownStrings(m.SensitiveFields.Elements()))
	progress.secrets = secrecy.Values
	end := a.run(cluster.WithSecrecy(ctx, secrecy), api, m, job{body, began}, progress)
	return ended{diagnostics.Scrub(end.diags, secrecy.Values), secrecy.Values.Scrub(end.goesOn)}
}

type job struct {
	body map[string]any
	// began is when the action began.
	began time.Time
}

func (a *runJobAction) run(
	ctx context.Context, api cluster.Interface, m runJobModel, toStart job, progress *progressReport,
) ended {
	body, began := toStart.body, toStart.began
	short, cancel := context.WithDeadline(ctx, began.Add(within(ctx, m.Timeouts, defaultLimit)))
	defer cancel()
	if !m.TTL.IsNull() {
		operations.KeepJobFor(body, m.TTL.ValueInt64())
	}
	id, err := operations.NameJob(short, api, body)
	if err != nil {
		return ended{diags: diag.Diagnostics{a.explain(diagnostics.Created, id, err)}}
	}
	toEnd := "\nTo end it, run: " + id.Kubectl("delete")
	live, err := operations.StartJob(short, api, id, body)
	if err != nil {
		return ended{
			diags:  diag.Diagnostics{a.notStarted(id, err)},
			goesOn: id.String() + " may have been started. To look for it, run: " + id.Kubectl("get") + toEnd,
		}
	}
	progress.sendOnce("Started " + id.String())
	goesOn := id.String() + " goes on. To follow it, run: " + id.Kubectl("logs -f") + toEnd
	if !m.Wait.IsNull() && !m.Wait.ValueBool() {
		return ended{goesOn: goesOn}
	}
	patient, end := context.WithDeadline(ctx, began.Add(within(ctx, m.Timeouts, waiting.LimitOfRun(live))))
	defer end()
	awaited, err := waiting.Await(patient, api, id, live, progress.reporting(waiting.Goal{Judge: readiness.Of}))
	return ended{a.jobEnded(awaited, err), goesOn}
}

// notStarted returns the error about a Job that was not started, or that may have been started.
func (a *runJobAction) notStarted(id manifest.Identity, err error) diag.Diagnostic {
	if unclear, is := errors.AsType[*cluster.OutcomeUnknownError](err); is {
		return diagnostics.MayRun(unclear, id.Kubectl("get"))
	}
	return a.explain(diagnostics.Created, id, err)
}

func (a *runJobAction) bodyOf(
	ctx context.Context, api cluster.Interface, m runJobModel,
) (map[string]any, diag.Diagnostic) {
	body, err := m.body()
	if err != nil {
		return nil, invalid.Body(a.Names.Body, err.Error())
	}
	if body != nil {
		return body, nil
	}
	cronJob := attributes.TargetOf(m.CronJob)
	cronJob.APIVersion, cronJob.Kind = operations.JobAPIVersion, "CronJob"
	id, err := cluster.Locate(ctx, api, cronJob)
	if err == nil {
		body, err = operations.JobFromCronJob(ctx, api, id)
	}
	if err != nil {
		return nil, a.explain(diagnostics.Read, id, err)
	}
	return body, nil
}

// jobEnded returns the diagnostics about the end of a Job.
func (a *runJobAction) jobEnded(awaited waiting.Awaited, err error) diag.Diagnostics {
	var diags diag.Diagnostics
	if awaited.Refusal != nil {
		diags.Append(unready.WatchRefused(awaited.Object, awaited.Refusal))
	}
	var notReady *waiting.NotReadyError
	switch {
	case err == nil:
	case cluster.IsGone(err):
		diags.Append(unready.JobGone(awaited.Object, a.lastSeen(awaited.Live)))
	case errors.As(err, &notReady):
		diags.Append(unready.JobNotComplete(a.Names, notReady, notReady.Object.Kubectl("logs")))
	default:
		diags.Append(a.explain(diagnostics.Followed, awaited.Object, err))
	}
	return diags
}

// lastSeen returns the last message about a Job's status.
func (a *runJobAction) lastSeen(live *unstructured.Unstructured) string {
	if live == nil {
		return ""
	}
	return readiness.Of(live, true).Message
}

const defaultLimit = 10 * time.Minute

// notAJobError is the error about a manifest of another object than a Job.
type notAJobError manifest.Identity

func (e *notAJobError) Error() string { return manifest.Identity(*e).String() + " is not a Job" }

// body returns the manifest of the configuration; nil without one.
func (m runJobModel) body() (map[string]any, error) {
	var parsed manifest.Manifest
	var err error
	switch {
	case !m.YAMLBody.IsNull():
		parsed, err = manifest.Parse(named(m.YAMLBody.ValueString()))
	case !m.Manifest.IsNull():
		var written attributes.Written
		if written, err = attributes.DecodeObject(m.Manifest); err != nil || len(written.Undecided) > 0 {
			return nil, err
		}
		name(written.Object)
		parsed, err = manifest.Of(written.Object)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if parsed.Kind != operations.JobKind || parsed.APIVersion != operations.JobAPIVersion {
		return nil, (*notAJobError)(&parsed.Identity)
	}
	return (&unstructured.Unstructured{Object: parsed.Object}).DeepCopy().Object, nil
}

// named returns a manifest with metadata.generateName as one with metadata.name. Any other string stays as it is.
func named(text string) string {
	decoded, _ := manifest.Decode(text) // Parse returns its error.
	object, _ := decoded.(map[string]any)
	if !name(object) {
		return text
	}
	renamed, err := yaml.Marshal(object)
	if err != nil {
		return text
	}
	return string(renamed)
}

// name replaces metadata.generateName by metadata.name, and reports whether it did.
func name(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	prefix, _ := metadata["generateName"].(string)
	if prefix == "" || metadata["name"] != nil {
		return false
	}
	// A run adds a dash and random characters to each name.
	metadata["name"] = strings.TrimRight(prefix, "-")
	delete(metadata, "generateName")
	return true
}

func (a *runJobAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	notEmpty := []validator.String{validators.NotEmpty()}
	resp.Schema = a.schema(ctx, map[string]schema.Attribute{
		"cron_job": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
			"namespace": schema.StringAttribute{Optional: true, Validators: notEmpty},
			"name":      schema.StringAttribute{Required: true, Validators: notEmpty},
		}},
		"yaml_body": schema.StringAttribute{Optional: true},
		"manifest":  schema.DynamicAttribute{Optional: true},
		"ttl_seconds_after_finished": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.AtLeast(0)},
		},
		"sensitive_fields": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			Validators: []validator.Set{attributes.FieldPathsValidator("sensitive_fields")},
		},
		"wait": schema.BoolAttribute{Optional: true},
	})
}
