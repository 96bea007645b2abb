package serve

import (
	"maps"
	"testing"
)

func TestSDKLevels(t *testing.T) {
	t.Parallel()
	all := func(level string) map[string]string {
		return map[string]string{"TF_LOG_SDK": level, "TF_LOG_SDK_PROTO": level, "TF_LOG_SDK_FRAMEWORK": level}
	}
	for name, test := range map[string]struct {
		env, want map[string]string
	}{
		"nothing asked for":      {nil, all("ERROR")},
		"off":                    {map[string]string{"TF_LOG": "off"}, all("ERROR")},
		"a level":                {map[string]string{"TF_LOG": "debug"}, all("DEBUG")},
		"JSON, which is all":     {map[string]string{"TF_LOG": "JSON"}, all("TRACE")},
		"a level of providers":   {map[string]string{"TF_LOG": "ERROR", "TF_LOG_PROVIDER": "TRACE"}, all("TRACE")},
		"the core alone":         {map[string]string{"TF_LOG_CORE": "TRACE"}, all("ERROR")},
		"providers switched off": {map[string]string{"TF_LOG": "TRACE", "TF_LOG_PROVIDER": "OFF"}, all("ERROR")},
		"a level of the SDK": {
			map[string]string{"TF_LOG_SDK_FRAMEWORK": "trace"},
			map[string]string{"TF_LOG_SDK": "ERROR", "TF_LOG_SDK_PROTO": "ERROR"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sdkLevels(func(variable string) string { return test.env[variable] })
			if !maps.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
