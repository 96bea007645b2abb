package model

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Validate refuses remove_fields and pin_fields that contradict another argument, and list_lengths that contradict the
// manifest. It refuses once for an object of another kind than Job. For a part, it refuses a body that names another
// object than target, and other arguments that contradict each other.
func Validate(m *Model, words diagnostics.Names) diag.Diagnostics {
	if m.IsPart {
		return validatePart(m)
	}
	var diags diag.Diagnostics
	args, _ := m.Arguments() // Values that the validator of their attribute refuses are left out.
	for _, both := range args.SetAndRemoved() {
		diags.Append(invalid.SetAndRemoved(both, m.BodyAttribute()))
	}
	for _, refused := range args.CheckPins() {
		diags.Append(invalid.Pin(words, refused))
	}
	body := m.Body()
	if m.Entry == "" && m.Once.ValueBool() && body.Known && body.Err == nil && !body.Manifest.IsJob() {
		diags.Append(invalid.Once(words, body.Manifest.Identity))
	}
	if !m.limitsKnown() {
		return diags
	}
	for _, refused := range args.CheckLengths() {
		diags.Append(invalid.Length(words, refused))
	}
	return diags
}

func validatePart(m *Model) diag.Diagnostics {
	var diags diag.Diagnostics
	body := m.Body()
	if !body.Known || m.isRefusedPart() {
		return diags
	}
	if body.Err != nil {
		diags.Append(invalid.Body(m.BodyAttribute(), body.Err.Error()))
		return diags
	}
	isSecret := body.Manifest.IsSecret() || len(m.SensitiveFields.Elements()) > 0 || !m.YAMLBodyWO.IsNull()
	byRule := ""
	if secret := fromRules(m, arguments.SensitiveFields); len(secret) > 0 {
		byRule = m.Rules.By(arguments.SensitiveFields, secret[0])
	}
	if (isSecret || byRule != "") && m.OnDestroy.ValueString() == RestoreFields {
		diags.Append(invalid.RestoreOfSecrets(byRule))
	}
	switch {
	case body.PatchErr != nil && patchType(m).IsKnown(): // The validator of the type says what is wrong with it.
		diags.Append(invalid.Patch(path.Root(PatchAttribute).AtName("body"), "patch: "+body.PatchErr.Error()))
	case body.Patch != nil:
		return diags
	}
	args, _ := m.Arguments()
	for _, both := range args.SetAndRemoved() {
		diags.Append(invalid.SetAndRemoved(both, m.BodyAttribute()))
	}
	return diags
}
