package formats

import (
	"regexp"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// sorts are the objects to which something happens.
type sorts struct {
	// lost are those that make the plan fail, or are deleted or replaced, without more to report. decisions are those
	// of which another manager loses something, or with a warning of another kind.
	lost, decisions []report.Object
	// edited are those of which only fields of ours change, and groups the others by action and resource.
	edited []report.Object
	groups []group
}

// group are objects of which only the action on the whole object is to report, in the words of doing. address is that
// of their resource, without the key of its instance.
type group struct {
	doing, address string
	objects        []string
}

// harmless returns the number of edited and grouped objects.
func (s sorts) harmless() int {
	n := len(s.edited)
	for _, g := range s.groups {
		n += len(g.objects)
	}
	return n
}

var index = regexp.MustCompile(`\[[^\]]*\]$`)

func sorted(r report.Report) sorts {
	var all sorts
	for _, o := range shown(r) {
		isLost := o.Action == report.Delete || o.Action == report.Replace || o.Action == report.Refused
		decides := func(f report.Field) bool { return !slices.Contains(own, f.Effect) }
		switch {
		case len(unlistedOf(o))+len(o.Remarks()) > 0 || slices.ContainsFunc(o.Fields, decides):
			all.decisions = append(all.decisions, o)
		case isLost:
			all.lost = append(all.lost, o)
		case len(o.Fields) > 0:
			all.edited = append(all.edited, o)
		default:
			all.add(group{doing(o), index.ReplaceAllString(o.Address, ""), []string{o.ID()}})
		}
	}
	return all
}

// own are the effects with which no other manager loses anything.
var own = []changes.Effect{changes.Set, changes.Unset, changes.Share}

func (s *sorts) add(one group) {
	at := slices.IndexFunc(s.groups, func(g group) bool { return g.doing == one.doing && g.address == one.address })
	if at < 0 {
		s.groups = append(s.groups, one)
		return
	}
	s.groups[at].objects = append(s.groups[at].objects, one.objects...)
}

// shown returns the objects to which something happens.
func shown(r report.Report) []report.Object {
	return slices.DeleteFunc(slices.Clone(r.Objects), func(o report.Object) bool {
		return o.Action == report.NoOp && !o.Waits && len(o.Fields)+len(o.Notes)+len(o.Unlisted) == 0
	})
}
