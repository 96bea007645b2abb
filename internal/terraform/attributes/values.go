package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Texts returns strings as values of Terraform.
func Texts(texts []string) []attr.Value {
	values := make([]attr.Value, len(texts))
	for i, text := range texts {
		values[i] = types.StringValue(text)
	}
	return values
}

// OrNull returns a string as a value of Terraform; null if it is empty.
func OrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// ElementsOf returns the elements of a list, a set or a tuple; nil for another value.
func ElementsOf(value attr.Value) []attr.Value {
	if list, is := value.(interface{ Elements() []attr.Value }); is {
		return list.Elements()
	}
	return nil
}
