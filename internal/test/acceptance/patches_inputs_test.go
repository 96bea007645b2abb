package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Bad input is refused before any request.
func TestBadInputOfAPatch(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	good := s.PatchConfig(story.SettingsTarget, "data: {a: ours}")
	var steps []resource.TestStep
	for _, bad := range []struct {
		config string
		says   []string
	}{
		{s.PatchConfig(story.SettingsTarget, "spec: {containers: [{name: a, $patch: delete}]}"), []string{"Invalid Manifest", "spec.containers[].$patch is a directive of strategic merge patches"}},
		{s.PatchConfig(story.SettingsTarget, "metadata: {name: other}"), []string{"Invalid Manifest", "metadata.name is not the one of target"}},
		{s.PatchConfig(story.SettingsTarget, "kind: Secret"), []string{"Invalid Manifest", "kind is not the one of target"}},
		{s.PatchConfig(story.SettingsTarget, "metadata: {resourceVersion: '1'}"), []string{"Invalid Manifest", "only the API server writes metadata.resourceVersion"}},
		{s.PatchConfig(story.SettingsTarget, ""), []string{"Invalid Manifest", "contains no document", "Write the fields to apply as in a manifest"}},
		{s.PatchConfig(story.SettingsTarget, "- a"), []string{"Invalid Manifest", "not an object"}},
		{strings.Replace(good, `name = "settings"`, `name = ""`, 1), []string{"Invalid Attribute Value", "target.name"}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `remove_fields = ["data"]`), []string{"Invalid Field Path", "data covers a field of yaml_body"}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `remove_fields = ["metadata.labels.*"]`), []string{"Invalid Field Path", `metadata.labels.* is a path of another language`, `Write "metadata.labels[*]"`}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `remove_fields = ["data["]`), []string{"Invalid Field Path", "remove_fields"}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `remove_fields = ["status"]`), []string{"Invalid Field Path", "status"}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `on_destroy = "delete"`), []string{"Invalid Attribute Value", "on_destroy"}},
	} {
		steps = append(steps, resource.TestStep{Config: bad.config, ExpectError: story.Saying(bad.says...)})
	}
	steps[0].PreConfig = m.Start
	s.Run(steps...)
	if sent := m.Lines(); len(sent) > 0 {
		t.Errorf("bad input was sent: %s", sent)
	}
}
