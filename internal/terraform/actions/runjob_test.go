package actions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
)

// Messages name the argument that describes the Job.
func TestRunJobSpeaksOfWhatTheUserWrote(t *testing.T) {
	t.Parallel()
	action, _ := NewRunJob().(*runJobAction)
	null := runJobModel{CronJob: types.ObjectNull(nil), YAMLBody: types.StringNull(), Manifest: types.DynamicNull()}
	text, object, cron := null, null, null
	text.YAMLBody = types.StringValue("{}")
	object.Manifest = types.DynamicValue(types.StringValue(""))
	cron.CronJob = types.ObjectValueMust(map[string]attr.Type{}, map[string]attr.Value{})
	for want, m := range map[string]runJobModel{"yaml_body of yaml_body": text, "manifest of manifest": object, " of cron_job": cron} {
		names := action.speakingOf(m).Names
		if got := names.Body + " of " + names.Target; got != want {
			t.Errorf("the names are %q, want %q", got, want)
		}
	}
}

// The values at sensitive_fields are in no text, and the name of the Job is.
func TestRunJobSecrets(t *testing.T) {
	t.Parallel()
	m := runJobModel{YAMLBody: types.StringValue("apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: migrate-}\nspec: {template: {spec: {containers: [{name: app, env: [{name: P, value: hunter2-secret}]}]}}}\n")}
	m.CronJob, m.Manifest = types.ObjectNull(nil), types.DynamicNull()
	body, err := m.body()
	if err != nil {
		t.Fatal(err)
	}
	for _, container := range []string{"[*]", "[1]", "[image=nginx]"} {
		m.SensitiveFields = types.SetValueMust(types.StringType, []attr.Value{types.StringValue("spec.template.spec.containers" + container + ".env[*].value")})
		said := operations.SecrecyOf(body, knownStrings(m.SensitiveFields.Elements())).Values.Scrub("Job migrate: the value hunter2-secret of P is wrong")
		if diff := cmp.Diff("Job migrate: the value (sensitive) of P is wrong", said); diff != "" {
			t.Errorf("%s: said (-want +got):\n%s", container, diff)
		}
	}
}

// A mistake in a manifest with generateName is where the user wrote it.
func TestRunJobErrorsKeepTheirLines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"# a comment\n\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a}\nspec:\n  hunter2: 1\n  hunter2: 2\n",
		"# a comment\n\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a}\nspec:\n  a: 1\n  b: *hunter2\n",
	} {
		m := runJobModel{YAMLBody: types.StringValue(text), CronJob: types.ObjectNull(nil), Manifest: types.DynamicNull()}
		if _, err := m.body(); err == nil || !strings.Contains(err.Error(), "line 8, column") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
