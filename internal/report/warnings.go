package report

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// addWarning adds a warning to the objects that it is about, or to the report. isAlone is true without a plan, which
// would list the objects.
func (r *Report) addWarning(w warning, isAlone bool) {
	message := reader.Read(w.Summary, w.Detail)
	note := Note{Severity: w.Severity, Summary: w.Summary, Detail: w.Detail}
	if w.Range.File != "" {
		for _, i := range r.at(w.Address) {
			r.Objects[i].Place = Place{w.Range.File, w.Range.Start.Line}
		}
	}
	if slices.Contains([]string{sets.ObjectsReleased, sets.ObjectsHandedOver}, message.Title) {
		for _, id := range reader.ObjectsIn(w.Detail) {
			if o := r.about(w.Address, id); o != nil && o.Action == Delete {
				o.Action = ReleaseIt
			}
		}
	}
	about := message.Objects
	if len(about) == 0 && w.isError() { // The summaries of errors are general.
		about = []manifest.Identity{reader.ObjectOf(w.Detail)}
	}
	if len(about) == 0 {
		about = []manifest.Identity{{}}
	}
	for _, id := range about {
		o := r.about(w.Address, id)
		isOurs := strings.Contains(w.Address, "k8sconnect_")
		if o == nil && (isAlone || w.isError()) && id.Kind != "" && isOurs {
			r.Objects = append(r.Objects, Object{Address: w.Address, Action: NoOp})
			o = &r.Objects[len(r.Objects)-1]
		}
		if o == nil {
			r.Notes = append(r.Notes, note)
			return
		}
		if o.Kind == "" {
			o.identify(id)
		}
		o.say(note, message)
	}
}

func (o *Object) say(note Note, message reader.Message) {
	note.listed = slices.ContainsFunc(message.Blocks, func(block reader.Block) bool { return block.Heading != "" }) ||
		o.Action == Delete && message.Title == sets.ObjectsDeleted
	o.Notes = append(o.Notes, note)
	if slices.Contains([]string{sets.DeletedToo, sets.DataDeletedToo}, message.Title) {
		o.goesWith(reader.Along(note.Detail))
	}
	if message.Title == sets.DeletedWithOwner {
		name, _, _ := strings.Cut(o.ID(), " (")
		o.goesWith([]string{name}, true)
	}
	switch {
	case note.Severity == errorSeverity:
		o.Action = Refused
	case o.Action == Create && strings.HasPrefix(note.Summary, diagnostics.Adopted):
		o.Action = Adopt
	case slices.Contains([]string{changes.ObjectReleased, changes.ObjectHandedOver}, message.Title):
		switch o.Action {
		case Delete:
			o.Action = ReleaseIt
		case Replace:
			o.Action = Create
		}
	}
	for _, block := range message.Blocks {
		for _, field := range block.Fields {
			o.add(ofWarning(field))
			if o.Action == NoOp && note.Severity != errorSeverity && field.Effect != changes.Addition {
				o.Action = Update
			}
		}
		if block.More > 0 {
			if o.Unlisted == nil {
				o.Unlisted = map[changes.Effect]int{}
			}
			o.Unlisted[block.Effect] += block.More
		}
	}
}

// goesWith notes objects that the API server deletes along with the object, or with its owner. isAll is false if there
// may be others.
func (o *Object) goesWith(objects []string, isAll bool) {
	if o.Along == nil {
		o.Along = &Along{}
	}
	o.Along.More = o.Along.More || !isAll
	for _, object := range objects {
		isDeleted := (o.Action == Delete || o.Action == Replace) && strings.HasPrefix(o.ID(), object+" ")
		if !isDeleted && !slices.Contains(o.Along.Objects, object) {
			o.Along.Objects = append(o.Along.Objects, object)
		}
	}
}

// Remarks returns the warnings that are not about changes of fields.
func (o *Object) Remarks() []Note {
	return slices.DeleteFunc(slices.Clone(o.Notes), func(note Note) bool { return note.listed })
}

// at returns the indices of the objects of a resource, until they are sorted.
func (r *Report) at(address string) []int {
	if r.places == nil {
		r.places = map[string][]int{}
	}
	for ; r.indexed < len(r.Objects); r.indexed++ {
		of := r.Objects[r.indexed].Address
		r.places[of] = append(r.places[of], r.indexed)
	}
	return r.places[address]
}

// about returns the object of a warning; nil if the plan contains none. An object of a set that only a warning names,
// because its manifest is not known yet, is added.
func (r *Report) about(address string, id manifest.Identity) *Object {
	var only, alike *Object
	n, named := 0, 0
	for _, i := range r.at(address) {
		o := &r.Objects[i]
		only, n = o, n+1
		here := o.identity()
		switch here.APIVersion = id.APIVersion; {
		case o.Kind == "" || here != id:
		case o.identity().InAnyVersion() == id.InAnyVersion():
			return o
		default:
			alike, named = o, named+1
		}
	}
	switch {
	case named == 1: // An update may move an object to another group.
		return alike
	case n == 1 && only.Key == "" && (only.Kind == "" || id.Kind == ""):
		return only
	case n == 0 || id.Kind == "":
		return nil
	}
	r.Objects = append(r.Objects, Object{
		Address: address, Action: only.Action, Manager: only.Manager, Unknown: only.Unknown,
	})
	added := &r.Objects[len(r.Objects)-1]
	added.identify(id)
	return added
}

// add adds a change of a field, unless one with the same effect on the field is there.
func (o *Object) add(field Field) {
	has := slices.ContainsFunc(o.Fields, func(f Field) bool {
		return f.Path == field.Path && f.Effect == field.Effect
	})
	if !has {
		o.Fields = append(o.Fields, field)
	}
}

func ofWarning(f reader.Field) Field {
	field := Field{Path: f.Path, Effect: f.Effect, Owners: f.Owners, Fate: f.Fate, Notes: f.Below, From: "warning"}
	if f.HasWas {
		field.Was = &f.Was
	}
	if f.HasBecomes {
		field.Becomes = &f.Becomes
	}
	if f.Effect == changes.Share {
		field.Becomes = field.Was
	}
	return field
}
