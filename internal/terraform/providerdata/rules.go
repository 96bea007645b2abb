package providerdata

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
)

// Rules returns the rules that add arguments to a resource: those of the provider block, and its own ones.
func (p *Provider) Rules(own rules.Rules) rules.Rules { return slices.Concat(p.rules, own) }

// checkedKinds is the key of a cluster whose kinds were compared with rules.
type checkedKinds struct {
	api   cluster.Interface
	named string
}

// UnservedKinds returns the globs of rules that match none of the kinds that a cluster serves or that the run defines,
// once in a run for each cluster: rules of the provider block, and those of a resource itself. name is the name of the
// cluster. It returns nil if the kinds are not known. It sends nothing while the process holds discovery.
func (p *Provider) UnservedKinds(
	ctx context.Context, api cluster.Interface, name string, own rules.Rules,
) []rules.UnmatchedKind {
	// No kind matches any glob here, so the result has all rules that name kinds: without one, discovery is not needed.
	if len(p.Rules(own).UnmatchedKinds(name, nil)) == 0 {
		return nil
	}
	known, err := api.Kinds(ctx)
	// A kind of a group that does not answer would look like one that is not served.
	if err != nil || len(known.Failed) > 0 {
		return nil
	}
	served := make([]rules.Kind, len(known.Served))
	for i, kind := range known.Served {
		served[i] = rules.Kind{Group: schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind).Group, Kind: kind.Kind}
	}
	var unserved []rules.UnmatchedKind
	for _, all := range []rules.Rules{p.rules, own} {
		named := all.UnmatchedKinds(name, nil)
		if len(all.UnmatchedKinds(name, served)) == 0 || !p.IsNews(checkedKinds{api, fmt.Sprint(named)}) {
			continue
		}
		// Terraform plans resources in any order, so the definition of a kind may be planned after an object of it.
		for _, kind := range p.run.AwaitDefinedKinds(ctx, api) {
			served = append(served, rules.Kind{Group: kind.Group, Kind: kind.Kind})
		}
		unserved = append(unserved, all.UnmatchedKinds(name, served)...)
	}
	return unserved
}
