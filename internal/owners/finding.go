// Package owners lists the owners of the fields in a cluster, and the findings that need a decision: fields that two
// tools write, claims that no tool gives up any more, objects without managers, and lists that only one manager can
// own. Begin with [Of].
//
// It reads the managedFields of many objects, which are metadata, so no value of an object is read. It knows nothing
// that managedFields do not record:
//
//   - managedFields are the present, not a history. A field that one tool took from another shows the last one only. So
//     [Alternating] is a suspicion: an update that is newer than an apply holds a field in a map in which that apply
//     holds others, and no apply holds the field.
//   - Some entries have no time: those of the subresource scale, and those of an apply that changed no value. Their
//     fields are not suspected, because the order of the writes is not known.
//   - The entry of a client that has created an object contains the defaults of the API server, too. The annotation of
//     kubectl apply tells the two apart; without it, the names of fields that have defaults are not suspected.
//   - The time of an entry is when a write last changed the entry or a value of it. The entry of a tool that applies
//     the same manifest every minute has an old time. So [Idle] is about managers that have not changed any object of
//     the survey since.
//   - A time is that of the whole entry, not of a field.
package owners

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Problem is a kind of finding.
type Problem string

// The problems, the most urgent one first.
const (
	Unserved         Problem = "unserved-version"
	Added            Problem = "added-by-people"
	Alternating      Problem = "alternating"
	Shared           Problem = "shared"
	BeforeFirstApply Problem = "before-first-apply"
	Idle             Problem = "idle"
	Unmanaged        Problem = "unmanaged"
	AtomicLists      Problem = "atomic-lists"
)

var problems = []Problem{Unserved, Added, Alternating, Shared, BeforeFirstApply, Idle, Unmanaged, AtomicLists}

// Finding is a problem of one object that needs a decision.
type Finding struct {
	Problem   Problem `json:"problem"`
	Resource  string  `json:"resource"`
	Namespace string  `json:"namespace,omitempty"`
	Name      string  `json:"name"`
	// Managers are those that it is about, in the API server's order.
	Managers []string `json:"managers,omitempty"`
	// Fields are the paths of the fields that it is about.
	Fields []string `json:"fields,omitempty"`
	// Since is when the last of the managers last changed something; null if it is not known.
	Since *time.Time `json:"since,omitempty"`
	// Mend is the command or the block that ends it.
	Mend string `json:"mend"`
	// Named are the fields that Mend names; nil if it is the same for other fields.
	Named []string `json:"-"`
}

func (s Survey) findings() []Finding {
	found := []Finding{}
	idle := s.idle()
	for _, object := range s.Objects {
		if object.isUnmanaged() {
			found = append(found, object.finding(Unmanaged, nil, nil, object.apply()))
		}
		formatter := object.Claims.Formatter()
		report := func(problem Problem, about ownership.Claims, released ownership.Manager) {
			fields := formatted(about.Fields(), formatter)
			found = append(found, object.finding(problem, about, fields, object.rewrite(released)))
		}
		object.unserved = slices.DeleteFunc(object.Claims.Versions(), func(version string) bool {
			return s.Served(version, object.ID.Kind)
		})
		if about := object.Claims.InVersions(object.unserved); len(about) > 0 {
			report(Unserved, about, ownership.Manager{})
		}
		for _, claim := range object.Claims {
			if claim.Fields.Empty() {
				continue
			}
			if claim.Name == ownership.BeforeFirstApply && !claim.IsPlaceholder() {
				report(BeforeFirstApply, ownership.Claims{claim}, claim.Manager)
			}
			if idle[claim.Name] {
				report(Idle, ownership.Claims{claim}, claim.Manager)
			}
		}
		contested := object.contested(formatter, s.WithStatus)
		found = append(found, contested...)
		found = append(found, object.added(formatter, contested)...)
	}
	for _, definition := range s.Definitions {
		found = append(found, atomicLists(definition)...)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(slices.Index(problems, a.Problem)-slices.Index(problems, b.Problem),
			cmp.Compare(a.Resource, b.Resource), slices.Compare(a.Managers, b.Managers),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), slices.Compare(a.Fields, b.Fields))
	})
	return found
}

func formatted(fields *paths.Set, formatter *paths.Formatter) []string {
	var texts []string
	paths.Walk(fields, func(path paths.Path, isLeaf bool) {
		if isLeaf {
			texts = append(texts, formatter.Format(path))
		}
	})
	return texts
}

func (o Object) finding(problem Problem, about []ownership.Claim, fields []string, mend string) Finding {
	found := Finding{
		Problem: problem, Resource: o.Resource, Namespace: o.ID.Namespace, Name: o.ID.Name, Fields: fields, Mend: mend,
	}
	for _, claim := range about {
		found.Managers = append(found.Managers, claim.Name)
		if at := claim.Time.UTC(); !claim.Time.IsZero() && (found.Since == nil || at.After(*found.Since)) {
			found.Since = &at
		}
	}
	return found
}

// isUnmanaged reports whether an object that a controller did not create contains fields, and no manager owns any of
// them.
func (o Object) isUnmanaged() bool { return !o.Controlled && !o.NameOnly && o.Claims.Fields().Empty() }

// idle returns the names of people's tools that have not changed any object since the quiet time.
func (s Survey) idle() map[string]bool {
	newest := map[string]time.Time{}
	for _, object := range s.Objects {
		for _, claim := range object.Claims {
			isTool := claim.Writer() != ownership.Controller && claim.Name != ownership.BeforeFirstApply
			if isTool && !claim.Fields.Empty() && !claim.Time.Before(newest[claim.Name]) {
				newest[claim.Name] = claim.Time
			}
		}
	}
	idle := map[string]bool{}
	for name, at := range newest {
		idle[name] = !at.IsZero() && at.Before(s.Quiet)
	}
	return idle
}

// contested returns the findings about fields that two managers write: those that both hold with the same value, and
// those that an update may have taken from an apply. BeforeFirstApply has a finding of its own.
func (o Object) contested(formatter *paths.Formatter, withStatus bool) []Finding {
	shared, alternating := map[string][]paths.Path{}, map[string][]paths.Path{}
	about := map[string][]ownership.Claim{}
	note := func(into map[string][]paths.Path, claims []ownership.Claim, path paths.Path) {
		key := ""
		for _, claim := range claims {
			key += claim.String() + string(claim.Operation) + "\x00"
		}
		into[key], about[key] = append(into[key], path), claims
	}
	paths.Walk(o.Claims.Fields(), func(path paths.Path, isLeaf bool) {
		// A manager that owns a part of a list item owns its key fields, too.
		if !isLeaf || paths.IsKeyField(path) || isBelow(path, "status") && !withStatus {
			return
		}
		var holders []ownership.Claim
		for _, claim := range o.Claims {
			if claim.Fields.Has(path) && claim.Name != ownership.BeforeFirstApply {
				holders = append(holders, claim)
			}
		}
		isOther := func(c ownership.Claim) bool { return c.Name != holders[0].Name }
		if slices.ContainsFunc(holders, isOther) {
			note(shared, holders, path)
		} else if before, is := o.tookFrom(holders, path); is {
			note(alternating, []ownership.Claim{before, holders[0]}, path)
		}
	})
	var found []Finding
	for _, group := range []struct {
		problem Problem
		fields  map[string][]paths.Path
	}{{Alternating, alternating}, {Shared, shared}} {
		for key, fields := range group.fields {
			texts := formatted(paths.NewSet(fields...), formatter)
			finding := o.finding(group.problem, about[key], texts, "")
			finding.Mend, finding.Named = o.leaveOut(group.problem, about[key], texts)
			found = append(found, finding)
		}
	}
	return found
}

// tookFrom returns the apply from which the only holder of a field may have taken it, by an update since. Entries
// without a time, as those of the subresource scale, have no known order. Metadata is not evidence: all clients add
// annotations to those of other managers.
func (o Object) tookFrom(holders []ownership.Claim, path paths.Path) (ownership.Claim, bool) {
	if len(holders) != 1 || len(path) < 2 || isBelow(path, "metadata") || isBelow(path, "status") {
		return ownership.Claim{}, false
	}
	update := holders[0]
	if update.Operation != metav1.ManagedFieldsOperationUpdate || update.IsControlPlane() {
		return ownership.Claim{}, false
	}
	for _, claim := range o.Claims {
		isOlder := claim.Operation == metav1.ManagedFieldsOperationApply && claim.Name != update.Name &&
			!claim.Time.IsZero() && claim.Time.Before(update.Time)
		if isOlder && paths.PartsOf(claim.Fields, path[:len(path)-1]) != nil {
			return claim, !o.isDefault(update, path)
		}
	}
	return ownership.Claim{}, false
}

func isBelow(path paths.Path, name string) bool { return path[0].Equals(paths.Field(name)) }

// added returns the findings about fields that people have added by commands to an object that tools apply, one for
// each command, the most dangerous fields first. Fields in contested, which an update may have changed and not added,
// are left out.
func (o Object) added(formatter *paths.Formatter, contested []Finding) []Finding {
	applied := paths.NewSet()
	for _, claim := range o.Claims {
		isWhole := claim.Writer() == ownership.Tool && !ownership.AppliesPart(claim.Name)
		if claim.Operation == metav1.ManagedFieldsOperationApply && isWhole {
			applied = applied.Union(claim.Fields)
		}
	}
	isPerson := func(claim ownership.Claim) bool {
		// kubectl scale changes a field that had a value before.
		return claim.Writer() == ownership.Person && claim.Subresource == ""
	}
	if applied.Empty() || !slices.ContainsFunc(o.Claims, isPerson) {
		return nil
	}
	isContested := map[string]bool{}
	for _, f := range contested {
		for _, field := range f.Fields {
			isContested[field] = isContested[field] || f.Problem == Alternating
		}
	}
	search := additions.Search{Declared: applied, IsEmpty: isEmptyDefault}
	all := slices.DeleteFunc(search.In(o.Claims), func(a additions.Addition) bool {
		return isBelow(a.Path, "status") || isContested[formatter.Format(a.Path)]
	})
	slices.SortStableFunc(all, func(a, b additions.Addition) int { return cmp.Compare(a.Rank(), b.Rank()) })
	var found []Finding
	for _, claim := range o.Claims {
		if !isPerson(claim) {
			continue
		}
		var fields []string
		for _, addition := range all {
			if ownership.Holds(claim.Fields, addition.Path) && o.isWritten(claim, addition.Path) {
				fields = append(fields, formatter.Format(addition.Path))
			}
		}
		if len(fields) > 0 {
			mend := fmt.Sprintf("# declare them, or remove them:\nkubectl edit %s", o.target())
			found = append(found, o.finding(Added, []ownership.Claim{claim}, fields, mend))
		}
	}
	return found
}

// WrittenByKubectl returns those of the fields of kubectl apply that its annotation contains; nil if it cannot be read,
// or if no manager applies the object by server-side apply.
func WrittenByKubectl(annotations map[string]string, claims ownership.Claims) *paths.Set {
	isApplied := slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
		return claim.Operation == metav1.ManagedFieldsOperationApply
	})
	if !isApplied {
		return nil
	}
	_, written := additions.ByKubectl(annotations, claims)
	return written
}

// isDefault reports whether the value of a field in the entry of an update may be a default of the API server.
func (o Object) isDefault(claim ownership.Claim, path paths.Path) bool {
	if claim.IsUpdater(additions.ClientSide) && o.Written != nil {
		return !o.Written.Has(path)
	}
	return additions.MayBeDefault(claim, path)
}

// isWritten reports whether a manager has written a field, or a part of it, as far as is known.
func (o Object) isWritten(claim ownership.Claim, path paths.Path) bool {
	return o.Written == nil || !claim.IsUpdater(additions.ClientSide) || ownership.Holds(o.Written, path)
}

// emptyDefaults are fields of Pods that the API server sets to an empty map. A map with parts is not a leaf.
var emptyDefaults = map[string]bool{"resources": true, "securityContext": true}

func isEmptyDefault(leaf paths.Path) bool {
	name := leaf[len(leaf)-1].FieldName
	return name != nil && emptyDefaults[*name]
}
