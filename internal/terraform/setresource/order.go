package setresource

import (
	"cmp"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// stage is the place of an object in the order in which the objects of a set are applied. They are deleted in the
// reverse order.
type stage int

const (
	// definitions of kinds come first.
	definitions stage = iota
	namespaces
	others
	// interceptors can refuse requests for other objects while what they call does not run yet.
	interceptors
	stages
)

func stageOf(id manifest.Identity) stage {
	switch {
	case id.IsDefinition():
		return definitions
	case id.IsNamespace():
		return namespaces
	case id.Group() == "admissionregistration.k8s.io", id.Group() == "apiregistration.k8s.io":
		return interceptors
	}
	return others
}

// parallel is how many objects of a stage are worked on at a time.
const parallel = 20

// inOrder calls work for all members, stage by stage, and in each stage for many at a time.
func inOrder(members []*member, work func(*member)) {
	byStage := slices.SortedStableFunc(slices.Values(members), func(a, b *member) int {
		return cmp.Compare(a.stage, b.stage)
	})
	atOnce(byStage, func(a, b *member) bool { return a.stage == b.stage }, work)
}

// inReverse does what inOrder does, from the last stage to the first.
func inReverse(members []*member, work func(*member)) {
	byStage := slices.SortedStableFunc(slices.Values(members), func(a, b *member) int {
		return cmp.Compare(b.stage, a.stage)
	})
	atOnce(byStage, func(a, b *member) bool { return a.stage == b.stage }, work)
}

// atOnce calls work for many neighbours at a time, as long as they belong together.
func atOnce(members []*member, together func(a, b *member) bool, work func(*member)) {
	for len(members) > 0 {
		end := slices.IndexFunc(members, func(m *member) bool { return !together(members[0], m) })
		if end < 0 {
			end = len(members)
		}
		var group errgroup.Group
		group.SetLimit(parallel)
		for _, m := range members[:end] {
			group.Go(func() error {
				work(m)
				return nil
			})
		}
		_ = group.Wait()
		members = members[end:]
	}
}
