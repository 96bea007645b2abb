// Package serve runs the provider as a plugin of the Terraform CLI or OpenTofu: the server of the plugin protocol,
// its log levels, its memory and its end.
//
// # Memory
//
// The plugin framework keeps the context of every call, with the memory of its loggers and its connection, until the
// provider is stopped: about 100 kB for each resource. So the server hands the framework a context that drops its
// reference to the real one when the call ends. Memory then does not grow with the number of resources.
//
// The garbage collector runs less often than usual, because nearly everything that a call allocates is garbage
// when the call ends.
//
// # Private state
//
// Private state goes to the CLI in an envelope of its own, a third of the size of the plugin framework's encoding: see
// package privatestate. Private state that an answer does not change keeps its bytes.
//
// # Logs
//
// The plugin framework logs each step as JSON lines that the CLI parses and then drops. It also looks for the logger of
// each line. So this package sets the framework's level to that of the CLI.
//
// The provider itself logs through klog, as client-go does: cluster.Log returns the logger. If the CLI shows neither
// DEBUG nor INFO, nothing is logged.
//
// # What the protocol and the framework cost
//
// The plugin protocol costs the CLI twice as much CPU as its own work for a resource: in a plan without changes,
// values are encoded, decoded and checked against the schema in four calls.
//
// For each RPC, the plugin framework walks every entry of every map several times, copies the map of all attributes at
// each step of each path, and copies the whole object for each attribute of a plan. In a plan without changes that is
// three quarters of the provider's time, so package fastpath answers reads, most plans and most validations ahead of
// the framework.
package serve

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"time"

	frameworkprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/provider"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve/fastpath"
)

// Server answers every call of the plugin protocol that the provider knows. plugin-go asks for list resources and
// actions by type assertion, and answers "not implemented" for a server that lacks their methods.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// NewServer returns a function that creates the provider as the CLI calls it, by the plugin protocol. version is the
// provider's own.
func NewServer(version string) func() Server {
	return func() Server {
		registered := provider.New(version)()
		ahead, _ := registered.(fastpath.Provider)
		return New(registered, ahead)
	}
}

// New returns the server of a provider. ahead is the same provider, for the calls that are answered ahead of the plugin
// framework; nil leaves all calls to the framework.
func New(registered frameworkprovider.Provider, ahead fastpath.Provider) Server {
	complete, _ := providerserver.NewProtocol6(registered)().(Server)
	s := server{Server: complete, invocations: &invocations{}}
	s.stopped, s.stop = context.WithCancel(context.Background())
	if ahead != nil {
		s.ahead = fastpath.New(ahead)
	}
	return s
}

// server wraps the server of the plugin framework, which keeps the context of every call, and all that the call's
// loggers and connection hold, until the provider is stopped. So the framework gets a context of type call, which
// releases the real one as the call ends. The calls that answer with a stream keep theirs.
type server struct {
	Server
	invocations *invocations
	// ahead answers some calls ahead of the framework.
	ahead *fastpath.Answers
	// stopped ends when the CLI stops the provider.
	stopped context.Context
	stop    context.CancelFunc
}

// stoppable returns a context that also ends when the CLI stops the provider, as the framework's do, and the function
// that releases it.
func (s server) stoppable(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(withoutNoise(ctx))
	forget := context.AfterFunc(s.stopped, cancel)
	return ctx, func() { forget(); cancel() }
}

var _ Server = server{}

// call is a context that can be ended.
type call struct {
	context atomic.Pointer[context.Context]
}

// ended is the context of a call that is over.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (c *call) Deadline() (time.Time, bool) { return (*c.context.Load()).Deadline() }

func (c *call) Done() <-chan struct{} { return (*c.context.Load()).Done() }

func (c *call) Err() error { return (*c.context.Load()).Err() }

func (c *call) Value(key any) any { return (*c.context.Load()).Value(key) }

// withReleasedContext calls method with a context that is released as the call ends.
func withReleasedContext[Request, Response any](
	ctx context.Context, request Request, method func(context.Context, Request) (Response, error),
) (Response, error) {
	var c call
	ctx = withoutNoise(ctx)
	c.context.Store(&ctx)
	defer c.context.Store(&ended)
	answer, err := method(&c, request)
	locate(answer)
	return answer, err
}

func (s server) ValidateProviderConfig(
	ctx context.Context, request *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ValidateProviderConfig)
}

func (s server) ConfigureProvider(
	ctx context.Context, request *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	answer, err := s.Server.ConfigureProvider(ctx, request)
	locate(answer)
	return answer, err
}

func (s server) ValidateResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	bounded, release := s.stoppable(ctx)
	defer release()
	if answer, done := s.ahead.Validate(bounded, request); done {
		locate(answer)
		return answer, nil
	}
	return withReleasedContext(ctx, request, s.Server.ValidateResourceConfig)
}

func (s server) UpgradeResourceState(
	ctx context.Context, request *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if answer, done := s.ahead.Upgrade(ctx, request); done {
		return answer, nil
	}
	return withReleasedContext(ctx, request, s.Server.UpgradeResourceState)
}

func (s server) UpgradeResourceIdentity(
	ctx context.Context, request *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return withReleasedContext(ctx, request, s.Server.UpgradeResourceIdentity)
}

func (s server) ValidateDataResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ValidateDataResourceConfig)
}

func (s server) ReadDataSource(
	ctx context.Context, request *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ReadDataSource)
}

func (s server) ValidateEphemeralResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ValidateEphemeralResourceConfig)
}

func (s server) OpenEphemeralResource(
	ctx context.Context, request *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return withReleasedContext(ctx, request, s.Server.OpenEphemeralResource)
}

func (s server) RenewEphemeralResource(
	ctx context.Context, request *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return withReleasedContext(ctx, request, s.Server.RenewEphemeralResource)
}

func (s server) CloseEphemeralResource(
	ctx context.Context, request *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return withReleasedContext(ctx, request, s.Server.CloseEphemeralResource)
}

func (s server) CallFunction(
	ctx context.Context, request *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	return withReleasedContext(ctx, request, s.Server.CallFunction)
}

func (s server) ValidateListResourceConfig(
	ctx context.Context, request *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ValidateListResourceConfig)
}

func (s server) ValidateActionConfig(
	ctx context.Context, request *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return withReleasedContext(ctx, request, s.Server.ValidateActionConfig)
}

// Address is the source address in required_providers of configurations, with the default registry's host.
const Address = "registry.terraform.io/k8sconnect/k8sconnect"

// Serve serves the provider of that version until the CLI ends it. It returns the error that kept it from serving.
func Serve(version string, options ...tf6server.ServeOpt) error {
	outliveTermination()
	setSDKLogLevel()
	tuneGC()
	logRequests()
	servers := NewServer(version)
	// No plugin is left running when the CLI has ended the provider.
	defer connect.StopPlugins()
	return tf6server.Serve(Address, func() tfprotov6.ProviderServer { return servers() }, options...)
}

const (
	// gcPercent lets the heap grow to three times the memory in use, instead of twice: only 10 MB are in use, and most
	// of the memory of a call is garbage when it ends. It saves a tenth of the CPU time.
	gcPercent = 200
	// mostGarbage is the garbage in bytes that large sets and very large objects may leave between two collections; at
	// least leastPercent of the memory in use is always allowed. A memory limit would make the collector run all the
	// time as soon as the memory in use reaches it.
	mostGarbage  = 48 << 20
	leastPercent = 50
)

// tuneGC tunes the garbage collector where the environment does not.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		tuneAgain(&cycle{percent: gcPercent})
	}
}

// cycle is garbage in each cycle of the collector.
type cycle struct {
	percent int
	// The runtime allocates smaller values together with others, which may be in use for longer.
	_ [2]uint64
}

// tuneAgain tunes the collector to the memory in use after each cycle.
func tuneAgain(c *cycle) {
	runtime.SetFinalizer(c, func(c *cycle) {
		inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(inUse)
		if percent := percentFor(inUse[0].Value.Uint64()); percent != c.percent {
			c.percent = percent
			debug.SetGCPercent(percent)
		}
		tuneAgain(c)
	})
}

// percentFor returns how much the heap may grow while this many bytes are in use, in percent of them.
func percentFor(inUse uint64) int {
	return min(gcPercent, max(leastPercent, int(100*mostGarbage/max(inUse, 1)))) //nolint:gosec // A small number.
}

// outliveTermination keeps a provider that a CLI has started alive after a SIGTERM. Pipelines and timeout(1) send it to
// all processes of a run: the CLI then stops what its providers do, and needs their answers for the state. The provider
// ends as soon as the CLI has ended, or is gone.
func outliveTermination() {
	if os.Getenv(startedByCLI) == "" {
		return
	}
	cli := os.Getppid()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		<-signals
		for os.Getppid() == cli {
			time.Sleep(time.Second)
		}
		connect.StopPlugins()
		signal.Reset(syscall.SIGTERM)
		if provider, err := os.FindProcess(os.Getpid()); err == nil {
			_ = provider.Signal(syscall.SIGTERM)
		}
	}()
}

// startedByCLI is an environment variable that the CLI sets for its plugins.
const startedByCLI = "TF_PLUGIN_MAGIC_COOKIE"
