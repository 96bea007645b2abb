package faults_test

import "slices"

// patcher is the field manager of the patches.
const patcher = "patch"

// way is how the fields of a k8sconnect_patch are sent.
type way string

const (
	// byObject is a k8sconnect_manifest, which has an object of its own.
	byObject way = ""
	// byApply is a patch with yaml_body: server-side apply.
	byApply way = "apply"
	// byMerge is a JSON merge patch.
	byMerge way = "merge"
)

// patches are what is done to fields of an object that kubectl created.
var patches = slices.Concat(lifeOf(byApply), lifeOf(byMerge))

// lifeOf returns the operations of a patch whose fields are sent in one way. In each of them, another client writes
// between the plan and the apply.
func lifeOf(sent way) []operation {
	part := func(data string) *config { return &config{data: data, manager: patcher} }
	const target = `{"colour": "red", "size": "1", "weight": "light", "note": "theirs"}`
	return []operation{
		{
			name: string(sent) + "-create", way: sent, target: target,
			after:     part(`{"colour": "blue", "size": "2", "shape": "round"}`),
			meanwhile: []write{{"late", `{"data":{"colour":"green","taste":"sweet"}}`}},
			want:      map[string]string{"colour": "blue", "size": "2", "shape": "round", "weight": "light", "note": "theirs", "taste": "sweet"},
			owners: map[string][]string{
				"data.colour": {patcher}, "data.size": {patcher}, "data.shape": {patcher}, "data.weight": {"kubectl-create"}, "data.taste": {"late"},
			},
			told:  map[string]string{"data.size": "kubectl-create", "data.colour": "late"},
			added: []string{"data.shape"},
		},
		{
			// Two fields leave: shape, which the patch added, and weight, which was there before it.
			name: string(sent) + "-update", way: sent, target: target,
			before:    part(`{"colour": "blue", "size": "2", "shape": "round", "weight": "heavy", "smell": "old"}`),
			others:    []write{{"editor", `{"data":{"colour":"green","note":"new"}}`}},
			after:     part(`{"colour": "violet", "size": "2", "smell": "new"}`),
			meanwhile: []write{{"late", `{"data":{"size":"9","taste":"sweet"}}`}},
			between: map[string]string{
				"colour": "violet", "size": "2", "smell": "new", "shape": "round", "weight": "heavy", "note": "new", "taste": "sweet",
			},
			want: map[string]string{"colour": "violet", "size": "2", "smell": "new", "weight": "heavy", "note": "new", "taste": "sweet"},
			owners: map[string][]string{
				"data.colour": {patcher}, "data.size": {patcher}, "data.smell": {patcher}, "data.weight": nil,
				"data.note": {"editor"}, "data.taste": {"late"},
			},
			told:  map[string]string{"data.colour": "editor", "data.size": "late"},
			added: []string{"data.smell"},
		},
		{
			// The patch added shape and smell, and another client has taken smell and size since.
			name: string(sent) + "-destroy", way: sent, target: target,
			before:    part(`{"colour": "blue", "size": "2", "shape": "round", "smell": "old"}`),
			others:    []write{{"editor", `{"data":{"size":"9","smell":"theirs"}}`}},
			meanwhile: []write{{"late", `{"data":{"note":"new","taste":"sweet"}}`}},
			want:      map[string]string{"colour": "blue", "size": "9", "smell": "theirs", "weight": "light", "note": "new", "taste": "sweet"},
			owners: map[string][]string{
				"data.colour": nil, "data.size": {"editor"}, "data.smell": {"editor"}, "data.weight": {"kubectl-create"}, "data.taste": {"late"},
			},
		},
	}
}
