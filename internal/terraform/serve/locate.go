package serve

import (
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// blocks are the nested blocks of the schemas.
var blocks = map[tftypes.AttributePathStep]bool{tftypes.AttributeName("timeouts"): true}

// locate changes the paths in the diagnostics of an answer to a form for which the CLI prints the line of the argument.
// The CLI finds an attribute, the value at a key of an attribute, and the content of a block. For a path that goes on
// from an attribute by a name, as the framework writes them, or that is deeper, it prints the first line of the
// resource.
func locate(answer any) {
	of := reflect.ValueOf(answer)
	if of.Kind() != reflect.Pointer || of.IsNil() {
		return
	}
	field := of.Elem().FieldByName("Diagnostics")
	if !field.IsValid() {
		return
	}
	diagnostics, _ := field.Interface().([]*tfprotov6.Diagnostic)
	for _, d := range diagnostics {
		steps := d.Attribute.Steps()
		if len(steps) < 2 || blocks[steps[0]] {
			continue
		}
		inside := steps[1]
		if name, is := inside.(tftypes.AttributeName); is {
			inside = tftypes.ElementKeyString(name)
		}
		d.Attribute = tftypes.NewAttributePathWithSteps([]tftypes.AttributePathStep{steps[0], inside})
	}
}
