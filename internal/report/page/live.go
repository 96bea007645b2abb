package page

import (
	"io"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
)

// Survey is the content of the first view of a cluster's page.
type Survey struct {
	Groups   []Group   `json:"groups"`
	Managers []Manager `json:"managers"`
	// NotSeen lists the kinds that could not be read, with the reasons.
	NotSeen []string `json:"not_seen,omitempty"`
}

// Group are the findings of one problem.
type Group struct {
	Heading string  `json:"heading"`
	Alike   []Alike `json:"alike"`
}

// Alike are findings with one command that shows how all of them end.
type Alike struct {
	Findings []Finding `json:"findings"`
	Mend     string    `json:"mend"`
}

// Finding is something about an object that needs a decision.
type Finding struct {
	// Object is the address of the object; "" if the page does not have it. Target is its name for people.
	Object   string   `json:"object,omitempty"`
	Target   string   `json:"target"`
	Managers []string `json:"managers,omitempty"`
	Since    string   `json:"since,omitempty"`
	Fields   []string `json:"fields,omitempty"`
	// More is the number of fields beyond those.
	More int `json:"more,omitempty"`
}

// Manager counts the fields that a manager owns in the objects of a kind.
type Manager struct {
	// Label is the manager as the lines of the objects name it.
	Label     string `json:"label"`
	Operation string `json:"operation"`
	Kind      string `json:"kind"`
	Objects   int    `json:"objects"`
	Fields    int    `json:"fields"`
	Written   string `json:"written"`
	About     string `json:"about"`
}

// Live writes the page of objects as they are: their lines have owners before alone. It opens on a survey; without one,
// on the first object. The notes of an object are the findings about it.
func Live(w io.Writer, all []report.Object, survey *Survey) error {
	objects := objectsOf(all)
	summary := number(len(objects), "1 object", "%d objects")
	if survey != nil {
		n := 0
		for _, group := range survey.Groups {
			for _, alike := range group.Alike {
				n += len(alike.Findings)
			}
		}
		summary += ", " + number(n, "1 finding", "%d findings")
	}
	return write(w, map[string]any{"objects": objects, "summary": summary + ".", "live": true, "survey": survey})
}
