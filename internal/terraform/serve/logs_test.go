package serve

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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

// Lines of the provider keep their fields. Of client-go's, the words before the first value are left: it quotes answers that it cannot read.
func TestLinesOfTheLog(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	log := logr.New(lines{ctx: tflogtest.RootLogger(t.Context(), &written), debug: true})
	log.WithName(cluster.LogName).Info("Waiting", "object", "ConfigMap a/b (v1)")
	log.WithName(cluster.LogName).V(cluster.Steps).Info("Request", "status", 200)
	log.Info(`unable to decode: {"password":"hunter2"}`, "body", "hunter2")
	log.Error(errors.New("hunter2"), "Failed to watch", "answer", "hunter2")
	log.V(8).Info("Response Body hunter2")
	got := written.String()
	for _, want := range []string{`"@level":"info","@message":"Waiting"`, `"object":"ConfigMap a/b (v1)"`, `"@level":"debug","@message":"Request"`, `"status":200`,
		`"@level":"debug","@message":"client-go: unable to decode"`, `"@message":"client-go: Failed to watch"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "hunter2") {
		t.Errorf("the log quotes an answer:\n%s", got)
	}
}
