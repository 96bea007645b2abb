package providerdata

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// cliCommand is the command of the CLI that started the provider, as far as the provider can determine it. The plugin
// protocol does not contain it. terraform destroy begins with a normal plan, and errors of that plan would block the
// destroy.
type cliCommand string

const (
	// AnyCommand means that the command is not known, or that it may both plan and apply.
	AnyCommand cliCommand = ""
	// planCommand plans and applies nothing.
	planCommand cliCommand = "plan"
	// destroyCommand plans deletions, or applies them. Terraform drops all other plans that it makes.
	destroyCommand cliCommand = "destroy"
	// applyPlanCommand applies a plan that was saved.
	applyPlanCommand cliCommand = "apply of a plan"
)

// runningCommand returns the command in the command line of the parent process, which Linux shows as a file. On
// other systems, and if a debugger or a test started the provider, it returns AnyCommand.
func runningCommand() cliCommand {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", os.Getppid()))
	if err != nil {
		return AnyCommand
	}
	return commandOf(strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), os.Getenv)
}

// commandOf returns the command in a command line of Terraform or OpenTofu. The CLI adds arguments from the
// environment.
func commandOf(line []string, getenv func(string) string) cliCommand {
	if len(line) == 0 || !isCLI(line[0]) {
		return AnyCommand
	}
	// Global options such as -chdir come before the command.
	at := slices.IndexFunc(line[1:], func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if at < 0 {
		return AnyCommand
	}
	name, args := line[at+1], line[at+2:]
	added := slices.Concat(strings.Fields(getenv("TF_CLI_ARGS")), strings.Fields(getenv("TF_CLI_ARGS_"+name)))
	switch {
	case name == "destroy":
		return destroyCommand
	case (name == "plan" || name == "apply") && slices.ContainsFunc(slices.Concat(added, args), isDestroyFlag):
		return destroyCommand
	case name == "plan", name == "refresh", name == "import":
		return planCommand
	case name == "apply" && namesPlan(args):
		return applyPlanCommand
	default:
		return AnyCommand
	}
}

func isCLI(path string) bool {
	name := filepath.Base(path)
	return strings.Contains(name, "terraform") || strings.Contains(name, "tofu")
}

func isDestroyFlag(arg string) bool {
	name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return strings.HasPrefix(arg, "-") && name == "destroy" && (!hasValue || value == "true" || value == "1")
}

// switches are the options of apply that take no value from the next argument.
var switches = []string{"auto-approve", "compact-warnings", "concise", "destroy", "input", "json", "lock", "no-color",
	"refresh",
	"refresh-only", "show-sensitive"}

// namesPlan reports whether the arguments of apply contain the file of a plan.
func namesPlan(args []string) bool {
	for i := 0; i < len(args); i++ {
		arg := strings.TrimLeft(args[i], "-")
		switch {
		case arg == args[i]:
			return true
		case !strings.Contains(arg, "=") && !slices.Contains(switches, arg):
			i++ // The value of an option, "-var name=value".
		}
	}
	return false
}
