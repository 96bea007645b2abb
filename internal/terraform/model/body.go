package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Body is the body that a model applies: fields, or a patch.
type Body struct {
	Manifest manifest.Manifest
	// Undecided are the values of Manifest that are not known yet.
	Undecided []arguments.Undecided
	// Patch is nil for server-side apply.
	Patch *patches.Patch
	// Known is false if the object is not known, or the whole content of the body.
	Known bool
	// Err is the reason why Manifest is empty, PatchErr the reason why Patch is nil.
	Err, PatchErr error
}

// Body returns the body that the model applies.
func (m *Model) Body() Body { return m.decode().body }

// namesObject reports whether all values that name the object are known.
func (b Body) namesObject() bool {
	return !slices.ContainsFunc(b.Undecided, arguments.Undecided.NamesObject)
}

// bodyOf decodes what a model applies.
func bodyOf(m *Model) Body {
	written, err := attributes.DecodeObject(m.Manifest)
	body := Body{Undecided: written.Undecided, Err: err}
	if err == nil {
		body.Manifest, body.Err = manifestOf(m, written.Object)
	}
	body.Patch, body.PatchErr = patchOf(m)
	body.Known = body.namesObject() && !isUnknown(m.Target) && !m.YAMLBody.IsUnknown() && !m.Manifest.IsUnknown() &&
		!patchUnknown(m) && !m.Subresource.IsUnknown()
	return body
}

// manifestOf returns what is applied. object is the value of manifest; nil if it is null.
func manifestOf(m *Model, object map[string]any) (manifest.Manifest, error) {
	switch {
	case m.IsPart && object != nil:
		return manifest.PartOf(object, targetOf(m))
	case m.IsPart:
		return manifest.ParsePart(partBodyOf(m), targetOf(m))
	case object != nil:
		return manifest.Of(object)
	}
	return manifest.Parse(m.YAMLBody.ValueString())
}

// targetOf returns the object that a part belongs to.
func targetOf(m *Model) manifest.Identity {
	id := attributes.TargetOf(m.Target)
	id.Subresource = m.Subresource.ValueString()
	return id
}

// partBodyOf returns the fields that a part applies. One that only removes fields applies none.
func partBodyOf(m *Model) string {
	if m.YAMLBody.IsNull() {
		return "{}"
	}
	return m.YAMLBody.ValueString()
}

// isRefusedPart reports whether the validator of yaml_body or manifest refuses the fields of a part.
func (m *Model) isRefusedPart() bool {
	written, err := attributes.DecodeObject(m.Manifest)
	return err != nil || manifest.CheckPartOf(written.Object) != nil || manifest.CheckPart(partBodyOf(m)) != nil
}

// patchOf returns the patch of a part; nil if it has none.
func patchOf(m *Model) (*patches.Patch, error) {
	if m.Patch.IsNull() || patchUnknown(m) {
		return nil, nil
	}
	body, _ := m.Patch.Attributes()["body"].(types.String)
	patch, err := patches.Parse(m.Subresource.ValueString(), patchType(m), body.ValueString())
	if err != nil {
		return nil, err
	}
	keys := map[string][]string{}
	for list, names := range listKeysOf(m).Elements() {
		set, _ := names.(types.Set)
		keys[list] = elementsOf(set.Elements())
	}
	if patch, err = patch.WithListKeys(keys); err != nil {
		return nil, err
	}
	return &patch, nil
}

func patchType(m *Model) patches.Type {
	kind, _ := m.Patch.Attributes()["type"].(types.String)
	return patches.Type(kind.ValueString())
}

// listKeysOf returns the keys of the lists of which the patch of a model sets single entries.
func listKeysOf(m *Model) types.Map {
	keys, _ := m.Patch.Attributes()[ListKeysAttribute].(types.Map)
	return keys
}

// patchUnknown reports whether something of the patch of a model is not known.
func patchUnknown(m *Model) bool {
	if isUnknown(m.Patch) {
		return true
	}
	for _, names := range listKeysOf(m).Elements() {
		set, _ := names.(types.Set)
		if names.IsUnknown() || slices.ContainsFunc(set.Elements(), isUnknown) {
			return true
		}
	}
	return false
}

// SamePatch reports whether two models patch alike: with a patch or without one, and by the same keys of lists.
func SamePatch(a, b *Model) bool {
	return a.Patch.IsNull() == b.Patch.IsNull() && attributes.SameValue(listKeysOf(a), listKeysOf(b))
}

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
