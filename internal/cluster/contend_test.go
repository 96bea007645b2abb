package cluster

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// The request that the timeout cuts is not the reason why a write never came through.
func TestContend(t *testing.T) {
	t.Parallel()
	cut, broken := &Error{Reason: ReasonTimeout, Message: "no answer"}, &Error{Message: "broken"}
	const others = "others kept writing to the object"
	for name, c := range map[string]struct {
		lost int // How many attempts are lost to others.
		last error
		want string
	}{
		"a success":                {},
		"a success after others":   {lost: 3},
		"a failure after others":   {3, broken, "broken"},
		"a timeout without others": {0, cut, "no answer"},
		"a timeout after others":   {3, cut, others},
		"a timeout during a pause": {1 << 20, nil, others},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				attempts := 0
				err := Contend(ctx, manifest.Identity{}, func() (again bool, err error) {
					if attempts++; attempts <= c.lost {
						return true, nil
					}
					return false, c.last
				})
				said := ""
				if failed, is := errors.AsType[*Error](err); is {
					said = failed.Message
				}
				if said != c.want || (err != nil) != (c.want != "") {
					t.Errorf("%d attempts ended with %v, want %q", attempts, err, c.want)
				}
			})
		})
	}
}
