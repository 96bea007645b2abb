package kube

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/retry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// lingerFor is how long discovery may still list a kind whose definition is gone.
	lingerFor = 3 * time.Second
	// lingerPause is the time between two checks.
	lingerPause = 500 * time.Millisecond
)

// confirmUnserved checks an error that reports that the kind of an object is not served, so that the object would count
// as gone. This 404 can come from anything on the way to the server. confirmUnserved returns the error if a new load of
// discovery lacks the kind too, and otherwise a *cluster.Error with ReasonServer.
func (c *Client) confirmUnserved(ctx context.Context, id manifest.Identity, said error) error {
	if cluster.ReasonOf(said) != cluster.ReasonKindNotServed {
		return said
	}
	gvk := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	for began := time.Now(); ; {
		if err := c.discovery.unserved(ctx, gvk); err != nil {
			return about(id, err)
		}
		if time.Since(began) >= lingerFor {
			return &cluster.Error{
				Reason: cluster.ReasonServer,
				Object: id,
				Message: fmt.Sprintf(
					"the answer was a 404 that does not name the object, while the cluster serves %s in %s",
					id.Kind,
					id.APIVersion,
				),
				Cause: said,
			}
		}
		if !retry.Pause(ctx, lingerPause) {
			return errorOf(ctx, id, ctx.Err())
		}
	}
}
