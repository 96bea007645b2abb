package main

// phase is one command of the CLI in the life cycle of the objects.
type phase struct {
	Name string
	// args is the command of the CLI, and step what a client does instead.
	args []string
	step step
	// prepare changes manifests or live objects before the command.
	prepare func(*race, *workspace) error
	// plan is the file to which the command saves a plan; "" for other commands.
	plan string
	// expects returns the action that the plan must have for an object.
	expects func(object) string
}

// The actions of a plan.
const (
	noOp     = "no-op"
	creation = "create"
	update   = "update"
)

// phases are all phases, in order.
var phases = []phase{
	planning("create plan", nil, func(object) string { return creation }),
	applying("create apply"),
	planning("no-op plan", nil, func(object) string { return noOp }),
	planning("update of one, plan", (*race).editOne, func(o object) string {
		if o.isFirst() {
			return update
		}
		return noOp
	}),
	applying("update of one, apply"),
	planning("update plan", (*race).editAll, func(object) string { return update }),
	applying("update apply"),
	planning("drift plan", (*race).drift, func(o object) string {
		if o.drifts() {
			return update
		}
		return noOp
	}),
	applying("drift apply"),
	{Name: "destroy", args: []string{"destroy", "-auto-approve"}, step: deleting},
}

const planFile = "saved.plan"

func planning(name string, prepare func(*race, *workspace) error, expects func(object) string) phase {
	return phase{
		Name: name, args: []string{"plan", "-out=" + planFile}, step: showing, prepare: prepare, plan: planFile,
		expects: expects,
	}
}

func applying(name string) phase {
	return phase{Name: name, args: []string{"apply", planFile}, step: deploying}
}

// wrong returns the number of objects with a wrong action in a plan: unchanged objects that it changes, and
// changed objects that it does not change.
func (p phase) wrong(objects []object, actions map[string]string) int {
	count := 0
	for _, o := range objects {
		if actions[o.Name()] != p.expects(o) {
			count++
		}
	}
	return count
}
