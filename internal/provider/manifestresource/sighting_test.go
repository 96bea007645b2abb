package manifestresource_test

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/types"
)

// sighting is an object as it was seen once.
type sighting struct {
	*story
	target string
	uid    types.UID
}

// sight returns a sighting of an object that is still to be seen.
func (s *story) sight(target string) *sighting { return &sighting{story: s, target: target} }

// see remembers the object after the apply.
func (o *sighting) see(*terraform.State) error {
	o.uid = o.live(o.target).GetUID()
	return nil
}

// expectReplaced asserts that the object is gone; one of the same name is another one.
func (o *sighting) expectReplaced(*terraform.State) error {
	if !o.gone(o.target) && o.live(o.target).GetUID() == o.uid {
		return fmt.Errorf("%s is still the same object", o.target)
	}
	return nil
}

// expectKept asserts that the object is still the same.
func (o *sighting) expectKept(*terraform.State) error {
	if uid := o.live(o.target).GetUID(); uid != o.uid {
		return fmt.Errorf("%s had the uid %s and has %s", o.target, o.uid, uid)
	}
	return nil
}
