// Package providerdata holds the data that the provider passes to its resources: clusters, the field manager and the
// data that all resources of a run share. It chooses between the connection of a resource and that of the provider.
//
// # One run
//
// [Provider] holds the data that the resources of one run of the provider share: the clients, and a [run.Run] with the
// records of objects and waits.
//
// # The command of the CLI
//
// The plugin protocol does not show whether the CLI plans or destroys, and Terraform plans each object before it
// destroys it. On Linux the command line of the parent process tells the two apart. A wrong guess costs a dry-run or a
// warning, never an apply.
package providerdata

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/local"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// DefaultFieldManager is the field manager if the configuration sets none.
const DefaultFieldManager = "k8sconnect"

// SetManagerPrefix begins the field managers of sets whose configuration names none.
const SetManagerPrefix = DefaultFieldManager + "-"

// Status is the result of an attempt to connect.
type Status string

const (
	// Ready comes with a cluster.
	Ready Status = "Ready"
	// Deferred means that the connection is known only during the apply. That is not an error; all values that would
	// come from the cluster are unknown.
	Deferred Status = "Deferred"
	// Missing means that no cluster was configured anywhere; a diagnostic describes what to write.
	Missing Status = "Missing"
	// Invalid means that the connection cannot be used; diagnostics give the reason.
	Invalid Status = "Invalid"
)

// Provider is the data that the provider passes to its resources: the clients of the process, the connection and the
// field manager of resources that set none, and the records of the run about their objects. It is safe for concurrent
// use.
type Provider struct {
	pool       *kube.Pool
	connection connection
	clusters   clusters
	// hint is advice from the environment for users who configure no cluster, as sentences.
	hint         string
	fieldManager types.String
	rules        rules.Rules
	run          run.Run
	command      cliCommand
	schemas      *Schemas
	// withoutDryRun is true if plans may do without the dry-runs that the user may not send.
	withoutDryRun bool
	// warned holds the keys of the warnings that this run has already printed.
	warned sync.Map
	held   sync.Map
}

// Settings are the provider's configuration, as far as it concerns clusters.
type Settings struct {
	// Cluster is the connection of resources that choose none.
	Cluster types.Object
	// Clusters are connections by name.
	Clusters types.Map
	// FieldManager is the field manager of resources that name none; DefaultFieldManager if it is null.
	FieldManager types.String
	// Rules add arguments to resources; see [attributes.Rules].
	Rules types.Dynamic
	// Schemas are what objects are validated against; nil for none.
	Schemas *Schemas
	// PlanWithoutDryRun is IfForbidden if plans may do without the dry-runs that the user may not send.
	PlanWithoutDryRun types.String
	// MayDefer is true if the CLI lets the provider defer changes.
	MayDefer bool
}

// New returns a Provider for the provider's configuration, and sends no request. If cluster is null, the connection
// comes from the environment, which getenv reads. A host without credentials takes them from there too.
func New(
	ctx context.Context, pool *kube.Pool, settings Settings, getenv func(string) string,
) (*Provider, diag.Diagnostics) {
	p := &Provider{
		pool: pool, hint: connect.Hint(getenv), fieldManager: settings.FieldManager, command: runningCommand(),
		schemas: settings.Schemas, withoutDryRun: settings.PlanWithoutDryRun.ValueString() == IfForbidden,
	}
	var diags, faults diag.Diagnostics
	p.connection, diags = connectionOf(ctx, settings.Cluster, fromCluster)
	p.clusters, faults = clustersOf(ctx, settings.Clusters)
	diags.Append(faults...)
	p.rules, faults = attributes.KnownRules(ctx, rules.ProviderBlock, settings.Rules)
	if diags.Append(faults...); diags.HasError() {
		return nil, diags
	}
	switch p.command {
	// The apply of a destroy plans nothing.
	case planCommand, destroyCommand:
		p.run.Rounds.Set(run.FirstRound)
	case applyPlanCommand:
		p.run.Rounds.Set(run.SecondRound)
	}
	if settings.MayDefer {
		p.run.Rounds.NoteDeferral()
	}
	if settings.FieldManager.IsNull() {
		p.fieldManager = types.StringValue(DefaultFieldManager)
	}
	p.connection = p.connection.in(getenv)
	return p, diags
}

// FromProviderData returns the Provider in the data that a resource is configured with; nil before the provider itself
// is configured, that is, while Terraform validates. Other data are an error in diags.
func FromProviderData(data any, diags *diag.Diagnostics) *Provider {
	p, is := data.(*Provider)
	if !is && data != nil {
		diags.Append(diagnostics.UnexpectedProviderData(data))
	}
	return p
}

// FieldManager returns the provider's field manager: unknown until the apply if it is computed, never null.
func (p *Provider) FieldManager() types.String { return p.fieldManager }

// IsNews reports whether this is the first call with a key in this run, for warnings that are printed once.
func (p *Provider) IsNews(key any) bool {
	_, known := p.warned.LoadOrStore(key, true)
	return !known
}

// Hold keeps a value that one call of a run hands to a later one, until that takes it out.
func (p *Provider) Hold(key, value any) { p.held.Store(key, value) }

// TakeOut returns what Hold keeps by a key, once; nil without it.
func (p *Provider) TakeOut(key any) any {
	value, _ := p.held.LoadAndDelete(key)
	return value
}

// Once returns what find has returned in the first call with a key in this run.
func (p *Provider) Once(key any, find func() any) any {
	first, _ := p.held.LoadOrStore(key, sync.OnceValue(find))
	found, _ := first.(func() any)
	return found()
}

// Run returns what is known of the current run: Terraform configures the provider again for each plan and each apply.
func (p *Provider) Run() *run.Run { return &p.run }

// Destroys reports whether the command is known to be a destroy. Terraform drops all plans of a destroy except
// deletions.
func (p *Provider) Destroys() bool { return p.command == destroyCommand }

// ConnectToApply does what [Provider.Connect] does, for an operation of an apply: every value is known then. The
// cluster is nil only if there is an error.
func (p *Provider) ConnectToApply(ctx context.Context, of attributes.Connection) (cluster.Interface, diag.Diagnostics) {
	connected, status, diags := p.Connect(ctx, of)
	if status == Deferred {
		diags.Append(diagnostics.ConnectionStillUnknown())
	}
	return connected, diags
}

// Connect returns the cluster of a resource, and sends no request. The resource's own connection replaces the
// provider's as a whole. The cluster is nil unless the status is Ready. The first use of a connection that other
// parties could read returns a warning. If there are schemas to validate against, the first use of any connection sends
// one request, and warns if the version of the cluster is not theirs.
func (p *Provider) Connect(
	ctx context.Context, of attributes.Connection,
) (cluster.Interface, Status, diag.Diagnostics) {
	return p.connect(ctx, of, func(client *kube.Client, chosen connection) diag.Diagnostics {
		return append(p.exposed(client, chosen), p.otherSchemas(ctx, client)...)
	})
}

// Look does what [Provider.Connect] does, for a caller that cannot report a warning.
func (p *Provider) Look(ctx context.Context, of attributes.Connection) (cluster.Interface, Status) {
	api, status, _ := p.connect(ctx, of, func(*kube.Client, connection) diag.Diagnostics { return nil })
	return api, status
}

func (p *Provider) connect(
	ctx context.Context, of attributes.Connection, warned func(*kube.Client, connection) diag.Diagnostics,
) (cluster.Interface, Status, diag.Diagnostics) {
	chosen, diags := p.choose(ctx, of)
	if diags.HasError() {
		return nil, Invalid, diags
	}
	switch chosen.state {
	case attributes.Unknown:
		return nil, Deferred, nil
	case attributes.Absent:
		return p.absent(of)
	}
	if len(chosen.Problems) > 0 {
		return nil, Invalid, chosen.inherited(chosen.Problems)
	}
	client, err := p.pool.Client(chosen.Config)
	var refused *connect.ConfigError
	switch {
	case err == nil:
		p.logChoice(ctx, client, chosen)
		return local.Cluster{Interface: client}, Ready, warned(client, chosen)
	case !errors.As(err, &refused):
		return nil, Invalid, diag.Diagnostics{invalid.Connection(err.Error())}
	case chosen.source == fromResource:
		return nil, Invalid, invalid.ConnectionAttributes(path.Root(attributes.AttributeName), refused.Problems)
	default:
		return nil, Invalid, chosen.inherited(refused.Problems)
	}
}

// The values of plan_without_dry_run.
const (
	Never       = "never"
	IfForbidden = "if_forbidden"
)

// Planner returns the engine of a plan. It does without the dry-runs that the user may not send, unless the
// configuration does not allow that, or an apply makes the plan.
func (p *Provider) Planner(work engine.Work) engine.Engine {
	planner := engine.Of(work)
	if p.withoutDryRun && p.run.Rounds.Current() != run.SecondRound {
		planner = local.Planner{Engine: planner, Work: work}
	}
	return local.Explainer{Engine: planner, Work: work}
}

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
