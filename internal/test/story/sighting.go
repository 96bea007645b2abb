package story

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/types"
)

// Sighting remembers an object, to check later whether it was replaced.
type Sighting struct {
	*Story
	// Target names the object.
	Target string
	uid    types.UID
}

// Sight returns a Sighting of an object, which See fills.
func (s *Story) Sight(target string) *Sighting { return &Sighting{Story: s, Target: target} }

// See remembers the object after the apply.
func (o *Sighting) See(*terraform.State) error {
	o.uid = o.Live(o.Target).GetUID()
	return nil
}

// ExpectReplaced asserts that the object is gone, or that another object has its name.
func (o *Sighting) ExpectReplaced(*terraform.State) error {
	if !o.Gone(o.Target) && o.Live(o.Target).GetUID() == o.uid {
		return fmt.Errorf("%s is still the same object", o.Target)
	}
	return nil
}

// ExpectKept asserts that the object is still the same.
func (o *Sighting) ExpectKept(*terraform.State) error {
	if uid := o.Live(o.Target).GetUID(); uid != o.uid {
		return fmt.Errorf("%s had the uid %s and has %s", o.Target, o.uid, uid)
	}
	return nil
}
