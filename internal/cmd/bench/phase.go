package main

// phase is a command of the CLI at a point in the life of the objects.
type phase struct {
	Name string
	// args is the command.
	args []string
	// prepare changes manifests or live objects before the command.
	prepare func(*race, *workspace) error
	// plan is the file that the command saves a plan in; "" for other commands.
	plan string
	// expects is the action that the plan has to have for an object.
	expects func(object) string
}

// The actions of a plan.
const (
	noOp     = "no-op"
	creation = "create"
	update   = "update"
)

// phases are in the order of the objects' life.
var phases = []phase{
	planning("create plan", nil, func(object) string { return creation }),
	applying("create apply"),
	planning("no-op plan", nil, func(object) string { return noOp }),
	planning("update plan", (*race).editAll, func(object) string { return update }),
	applying("update apply"),
	planning("drift plan", (*race).drift, func(o object) string {
		if o.drifts() {
			return update
		}
		return noOp
	}),
	applying("drift apply"),
	{Name: "destroy", args: []string{"destroy", "-auto-approve"}},
}

const planFile = "saved.plan"

func planning(name string, prepare func(*race, *workspace) error, expects func(object) string) phase {
	return phase{Name: name, args: []string{"plan", "-out=" + planFile}, prepare: prepare, plan: planFile, expects: expects}
}

func applying(name string) phase { return phase{Name: name, args: []string{"apply", planFile}} }

// wrong counts the objects for which a plan does something else than it has to: those that it shows as changed and
// that are not, and those that it should change and does not.
func (p phase) wrong(objects []object, actions map[string]string) int {
	count := 0
	for _, o := range objects {
		if actions[o.Name()] != p.expects(o) {
			count++
		}
	}
	return count
}
