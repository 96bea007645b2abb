package validators

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// An attribute that is not known yet may become null, so it breaks no rule about attributes that are set together.
func TestUnknownTogether(t *testing.T) {
	t.Parallel()
	is := func(name string, value attr.Value) attribute { return attribute{path.Root(name), value} }
	set, null, unknown := types.StringValue("x"), types.StringNull(), types.StringUnknown()
	for name, test := range map[string]struct {
		self, other attr.Value
		excluded    bool
		needed      bool
	}{
		"both":             {set, set, true, false},
		"alone":            {set, null, false, true},
		"unknown, another": {unknown, set, false, false},
		"unknown, alone":   {unknown, null, false, false},
		"another unknown":  {set, unknown, false, false},
	} {
		others := []attribute{is("other", test.other)}
		if got := excludes(is("self", test.self), others).HasError(); got != test.excluded {
			t.Errorf("%s: excluded is %v, want %v", name, got, test.excluded)
		}
		if got := needs(is("self", test.self), others).HasError(); got != test.needed {
			t.Errorf("%s: needed is %v, want %v", name, got, test.needed)
		}
	}
}
