package serve

import (
	"os"
	"strings"
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

// sdkLevels returns the levels to set. Levels that the user has set stay.
func sdkLevels(env func(string) string) map[string]string {
	shown := env("TF_LOG")
	if provider := env("TF_LOG_PROVIDER"); provider != "" {
		shown = provider
	}
	switch shown = strings.ToUpper(shown); shown {
	case "TRACE", "DEBUG", "INFO", "WARN", "ERROR":
	case "", "OFF":
		shown = "ERROR"
	default:
		shown = "TRACE" // JSON, for instance; the CLI takes what it does not know for TRACE too.
	}
	levels := map[string]string{}
	for _, variable := range sdkLogs {
		if env(variable) == "" {
			levels[variable] = shown
		}
	}
	return levels
}
