package owners

import (
	"cmp"
	"slices"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Version is the version of the JSON form. It changes if a key changes its meaning or is removed.
const Version = 1

// Object is an object of a cluster.
type Object struct {
	ID manifest.Identity
	// Resource is the name of its kind for kubectl, with the group: "deployments.apps".
	Resource string
	// Claims are in the order of its managedFields.
	Claims ownership.Claims
	// Controlled is true if a controller made the object.
	Controlled bool
	// NameOnly is true if the object contains no field that a manager could own.
	NameOnly bool
	// Written are the fields that kubectl apply has written and still owns; nil if that is not known. See
	// [WrittenByKubectl].
	Written *paths.Set
	// unserved are the versions of claims in which the API server does not serve the kind.
	unserved []string
}

// Survey holds the objects that were read from a cluster, or from a part of it.
type Survey struct {
	Objects []Object
	// Definitions are the CustomResourceDefinitions of objects of the survey.
	Definitions []map[string]any
	// Served reports whether the API server serves a kind in a version.
	Served func(apiVersion, kind string) bool
	// Quiet is the time since which a manager has to have changed something not to be idle.
	Quiet time.Time
	// WithStatus includes the fields under status in the numbers of fields.
	WithStatus bool
	// NotSeen are the kinds that could not be read.
	NotSeen []NotSeen
}

// NotSeen is a kind whose objects could not be read.
type NotSeen struct {
	Resource string `json:"resource"`
	Reason   string `json:"reason"`
}

// Manager counts the fields that a manager owns in the objects of a kind.
type Manager struct {
	Name        string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource,omitempty"`
	Resource    string `json:"resource"`
	Objects     int    `json:"objects"`
	Fields      int    `json:"fields"`
	// LastWrite is when a write of the manager last changed something; null if no entry has a time.
	LastWrite *time.Time `json:"last_write"`
	// About describes a well-known manager; "" for any other.
	About string `json:"about,omitempty"`
}

// Overview lists the owners of all fields, and what needs attention.
type Overview struct {
	Version  int       `json:"version"`
	Objects  int       `json:"objects"`
	Managers []Manager `json:"managers"`
	Findings []Finding `json:"findings"`
	NotSeen  []NotSeen `json:"not_seen"`
}

// Of returns the overview of a survey, sorted.
func Of(s Survey) Overview {
	overview := Overview{
		Version: Version, Objects: len(s.Objects), Managers: s.managers(), Findings: s.findings(), NotSeen: s.NotSeen,
	}
	if overview.NotSeen == nil {
		overview.NotSeen = []NotSeen{}
	}
	slices.SortFunc(overview.NotSeen, func(a, b NotSeen) int { return cmp.Compare(a.Resource, b.Resource) })
	return overview
}

var statusFields = paths.NewSet(paths.FieldPath("status"))

func (s Survey) managers() []Manager {
	type key struct {
		ownership.Manager
		resource string
	}
	rows := map[key]*Manager{}
	for _, object := range s.Objects {
		counted := map[key]bool{}
		for _, claim := range object.Claims.Held() {
			fields := claim.Fields
			if !s.WithStatus {
				fields = fields.RecursiveDifference(statusFields)
			}
			of := key{claim.Manager, object.Resource}
			of.APIVersion = ""
			if fields.Empty() {
				continue
			}
			row := rows[of]
			if row == nil {
				row = &Manager{
					Name: claim.Name, Operation: string(claim.Operation), Subresource: claim.Subresource,
					Resource: object.Resource, About: claim.KnownAs(),
				}
				rows[of] = row
			}
			row.Fields += fields.Size()
			if !counted[of] {
				row.Objects, counted[of] = row.Objects+1, true
			}
			if at := claim.Time.UTC(); !claim.Time.IsZero() && (row.LastWrite == nil || at.After(*row.LastWrite)) {
				row.LastWrite = &at
			}
		}
	}
	sorted := make([]Manager, 0, len(rows))
	for _, row := range rows {
		sorted = append(sorted, *row)
	}
	slices.SortFunc(sorted, func(a, b Manager) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.Resource, b.Resource))
	})
	return sorted
}
