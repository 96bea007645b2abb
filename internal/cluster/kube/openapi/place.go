package openapi

import (
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// place is where a value is; the zero place is the root.
type place struct {
	parent *place
	// step is the name of a field or the position of an item.
	step any
	// isOpen is true below x-kubernetes-preserve-unknown-fields: server-side apply takes any field there, also in a map
	// whose schema names its fields.
	isOpen bool
}

func (p *place) field(name string) *place { return &place{p, name, p.isOpen} }
func (p *place) item(position int) *place { return &place{p, position, p.isOpen} }

// names returns the names that lead to the place, each after a dot.
func (p *place) names() string {
	if p.parent == nil {
		return ""
	}
	if name, is := p.step.(string); is {
		return p.parent.names() + "." + name
	}
	return p.parent.names()
}

func (p *place) String() string {
	switch step := p.step.(type) {
	case string:
		return paths.Join(p.parent.String(), step)
	case int:
		return fmt.Sprintf("%s[%d]", p.parent.String(), step)
	}
	return ""
}

func (p *place) steps() []any {
	if p.parent == nil {
		return nil
	}
	return append(p.parent.steps(), p.step)
}
