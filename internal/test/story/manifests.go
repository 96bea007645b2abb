package story

import (
	"fmt"
	"strings"
)

// Deployment is the Deployment web, with three replicas of one container.
const Deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "nginx:1.25"}]
`

// Web is the target of the Deployment web.
const Web = "apps/v1 Deployment web"

// WithReplicas returns the Deployment with another number of replicas; 0 leaves the field out.
func WithReplicas(n int) string {
	if n == 0 {
		return strings.Replace(Deployment, "  replicas: 3\n", "", 1)
	}
	return strings.Replace(Deployment, "replicas: 3", fmt.Sprintf("replicas: %d", n), 1)
}

// ConfigMap is the ConfigMap web, with one entry.
const ConfigMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS}
data: {colour: red}
`

// Job is the Job web.
const Job = `
apiVersion: batch/v1
kind: Job
metadata: {name: web, namespace: NS}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "nginx:1.25"}]}}}
`

// Settings is the ConfigMap settings, with two entries.
const Settings = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS}
data: {mode: "on", level: "1"}
`

// SettingsWith returns Settings or a part of it with other data.
func SettingsWith(data string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}, data: {" + data + "}}"
}

// SettingsTarget is the target of Settings.
const SettingsTarget = "v1 ConfigMap settings"

// Shop is a Deployment with everything that a person may remove later: a label, an environment variable, a
// port and a second container.
const Shop = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web, team: shop}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx:1.25
        env: [{name: MODE, value: live}, {name: DEBUG, value: "1"}]
        ports: [{containerPort: 80}, {containerPort: 443}]
      - {name: sidecar, image: "busybox:1.36"}
`

// Sidecar is the Deployment web with a second container, log.
const Sidecar = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx:1.25
        args: [-a, -b]
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
      - {name: log, image: "fluent:1"}
`

// WithoutSidecar is Sidecar without its second container.
var WithoutSidecar = strings.Replace(Sidecar, "      - {name: log, image: \"fluent:1\"}\n", "", 1)

// HTTPProbe is a line of a container that adds a livenessProbe.
const HTTPProbe = `livenessProbe: {httpGet: {path: /, port: 80}}`

// Probed returns the Deployment with another line in its container.
func Probed(line string) string {
	return strings.Replace(Deployment, `image: "nginx:1.25"`, `image: "nginx:1.25", `+line, 1)
}

// busyBody is the template of [Busy].
const busyBody = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: NS
  labels: {team: ours}
  annotations: {note: ours}
spec:
  replicas: 3
  minReadySeconds: SECONDS
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "nginx:1.25"}]
`

// Busy returns the Deployment web with a label, an annotation and minReadySeconds, for other managers to write to.
func Busy(seconds string) string { return strings.Replace(busyBody, "SECONDS", seconds, 1) }

// KeptMap is the target of the ConfigMap kept.
const KeptMap = "v1 ConfigMap kept"

// ConfigMapIn returns a ConfigMap with data, and further lines of metadata, in flow style.
func ConfigMapIn(name, data string, metadata ...string) string {
	return "\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS" +
		strings.Join(append([]string{""}, metadata...), ", ") + "}\n" + data
}

// Unscaled returns the body that the provider sends for a Deployment whose replicas are ignored.
func Unscaled(body string) string { return strings.Replace(body, "  replicas: 3\n", "", 1) }

// InnerNamespace is a second namespace of the story.
const InnerNamespace = `
apiVersion: v1
kind: Namespace
metadata: {name: NS-inner}
`
