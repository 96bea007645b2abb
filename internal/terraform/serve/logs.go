package serve

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/go-logr/logr"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tfsdklog"
	"k8s.io/klog/v2"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// sdkLogs are the variables by which the plugin SDK takes its levels of logging.
var sdkLogs = []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK"}

// setSDKLogLevel sets the log levels of the plugin SDK to the one that the CLI shows. Without it, the SDK writes a line
// for each entry of each map that it passes on, and the CLI drops it. The SDK also searches all earlier entries for the
// logger of each line, so the time for an object would grow with the square of its fields.
func setSDKLogLevel() {
	for variable, level := range sdkLevels(os.Getenv) {
		_ = os.Setenv(variable, level)
	}
}

// shownLevel returns the level of the lines that the CLI shows.
func shownLevel(env func(string) string) string {
	shown := env("TF_LOG")
	if provider := env("TF_LOG_PROVIDER"); provider != "" {
		shown = provider
	}
	switch shown = strings.ToUpper(shown); shown {
	case "TRACE", "DEBUG", "INFO", "WARN", "ERROR":
		return shown
	case "", "OFF":
		return "ERROR"
	default:
		return "TRACE" // JSON, for instance; the CLI takes what it does not know for TRACE too.
	}
}

// sdkLevels returns the levels to set. Levels that the user has set stay.
func sdkLevels(env func(string) string) map[string]string {
	shown := shownLevel(env)
	levels := map[string]string{}
	for _, variable := range sdkLogs {
		if env(variable) == "" {
			levels[variable] = shown
		}
	}
	return levels
}

// ownLevel is the variable by which a user sets the level of this provider's lines alone.
const ownLevel = "TF_LOG_PROVIDER_K8SCONNECT"

// logRequests sends the log lines of the provider and client-go to the CLI's log, and drops those of other libraries.
// One request may serve many calls, as discovery does, so its lines do not belong to one call, and all lines share one
// logger.
func logRequests() {
	level := shownLevel(os.Getenv)
	if own := os.Getenv(ownLevel); own != "" {
		level = own
	}
	logger := logr.Discard()
	// NoLevel, the result of a misspelled level, is lower than all levels.
	if at := hclog.LevelFromString(level); at <= hclog.Info && at != hclog.NoLevel {
		logger = logr.New(lines{ctx: tfsdklog.NewRootProviderLogger(context.Background(),
			tfsdklog.WithLogName("k8sconnect"), tfsdklog.WithLevel(at), tfsdklog.WithoutLocation(),
			tfsdklog.WithStderrFromInit()), debug: at <= hclog.Debug})
	}
	klog.SetLoggerWithOptions(logger, klog.ContextualLogger(true))
	log.SetOutput(io.Discard) // kustomize and Helm write values there.
}

// lines writes what is logged by klog as lines of the CLI's log.
type lines struct {
	// ctx has the logger of the CLI's log.
	ctx context.Context
	// own is true for the loggers of this project.
	own   bool
	debug bool
}

var _ logr.LogSink = lines{}

// Init implements logr.LogSink.
func (lines) Init(logr.RuntimeInfo) {}

// Enabled implements logr.LogSink. At higher levels client-go logs headers and bodies.
func (l lines) Enabled(level int) bool {
	return level <= cluster.Progress || l.debug && level <= cluster.Steps
}

// Info implements logr.LogSink.
func (l lines) Info(level int, message string, pairs ...any) {
	switch {
	case !l.own && level > cluster.Progress:
	case !l.own:
		tflog.Debug(l.ctx, foreign(message))
	case level == cluster.Progress:
		tflog.Info(l.ctx, message, fieldsOf(pairs))
	default:
		tflog.Debug(l.ctx, message, fieldsOf(pairs))
	}
}

// Error implements logr.LogSink. Only client-go logs errors.
func (l lines) Error(_ error, message string, _ ...any) { tflog.Debug(l.ctx, foreign(message)) }

func (l lines) WithValues(...any) logr.LogSink { return l }

func (l lines) WithName(name string) logr.LogSink {
	l.own = name == cluster.LogName
	return l
}

// foreign returns what is logged of a line of client-go, which may quote parts of an answer that it cannot read: the
// words before the first value.
func foreign(message string) string {
	if at := strings.IndexAny(message, ":\"'`{[(=<\n"); at >= 0 {
		message = message[:at]
	}
	return "client-go: " + strings.TrimSpace(message)
}

// withoutNoise returns the context of a call whose log lacks a line that the library of the block timeouts writes
// several times for each object.
func withoutNoise(ctx context.Context) context.Context {
	return tflog.OmitLogWithMessageStrings(ctx, "timeout configuration not found")
}

// fieldsOf returns the fields of a line from their names and values by turns.
func fieldsOf(pairs []any) map[string]any {
	fields := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		fields[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return fields
}
