// Package chart renders a Helm chart into manifests and hooks, in process: no helm program, no release, nothing written
// anywhere. It takes and returns plain Go; what a chart may read of a cluster goes through [Cluster].
//
// # What a chart can do
//
// Templates have Helm's functions, without the environment and without a network: host names resolve to nothing, and
// JSON schemas refer only to themselves. Lists and strings that templates make are limited in size, and a rendering in
// time.
//
// # Generated values
//
// A chart may draw values: passwords, keys, certificates, the time. Another rendering draws others, and each plan would
// change the objects. So [Request.Render] renders twice, in a second of a year later, and compares. The values that
// differ are generated. Where their objects exist, the draws take the values that are on the cluster, and the chart is
// rendered again: what follows from them, a checksum or a certificate in another object, follows. A draw whose value no
// longer belongs to its arguments is new, the hash of another password for instance. A generated value that is not a
// draw, such as the checksum of something that is stored nowhere, stays as it is. The text around any of them is the
// new one.
//
// Most hooks are not on the cluster later. Draws that decide nothing but their metadata, a name for instance, follow
// from the chart, its release and its values. Other values may be passwords, and stay random.
//
// A chart may draw only where a Secret of its own does not exist. As its next rendering finds that Secret, the first
// one is repeated with what it made in place of the cluster. The test/ecosystem compares charts with helm.
package chart

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mitchellh/copystructure"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// renderTimeout is how long one rendering may take. The largest public charts take less than a second.
const renderTimeout = 30 * time.Second

// Release names the installation that a chart is rendered for.
type Release struct{ Name, Namespace string }

// Request is a chart to render, as its first installation.
type Request struct {
	// Chart is changed: disabled subcharts leave it. So a chart is rendered for one request.
	Chart   *v2.Chart
	Values  map[string]any
	Release Release
	// Capabilities are what the templates see of the cluster, with API versions beside those of Helm; nil asks Cluster,
	// if the chart looks at them.
	Capabilities *Capabilities
	// Cluster is what the chart may read; nil without a connection.
	Cluster Cluster
	// Renew takes no generated value from the cluster.
	Renew bool
	// Secrets are strings that an error does not show.
	Secrets []string
}

// ValuesError reports values that the schema of a chart refuses.
type ValuesError struct{ Problems []string }

func (e *ValuesError) Error() string { return strings.Join(e.Problems, "\n") }

// TemplateError reports a template that could not be rendered, or that makes something else than manifests.
type TemplateError struct {
	// Template is the file in the chart; "" if it is not known.
	Template string
	Problem  string
}

func (e *TemplateError) Error() string {
	if e.Template == "" {
		return e.Problem
	}
	return e.Template + ": " + e.Problem
}

// Render renders the chart, and reads of the cluster what the chart asks for, each object once. Errors are a
// *ValuesError, a *TemplateError, or what Cluster returned.
func (r Request) Render(ctx context.Context) (*Rendering, error) {
	run := &rendering{Request: r, cluster: newReader(r.Cluster)}
	if err := run.prepare(ctx); err != nil {
		return nil, run.told(err)
	}
	drawn, err := run.settled(ctx)
	if err != nil {
		return nil, run.told(err)
	}
	return drawn, nil
}

// rendering is a request on its way.
type rendering struct {
	Request
	cluster      *reader
	capabilities *common.Capabilities
	values       common.Values
	// definitions are the objects in crds/.
	definitions []*object
}

// prepare checks the values, and decides what of the chart is rendered.
func (r *rendering) prepare(ctx context.Context) error {
	if err := chartutil.ProcessDependencies(r.Chart, r.Values); err != nil {
		return &TemplateError{Template: "Chart.yaml", Problem: err.Error()}
	}
	definitions, err := r.defined()
	if err != nil {
		return err
	}
	r.definitions = definitions
	if err := r.know(ctx); err != nil {
		return err
	}
	if need := r.Chart.Metadata.KubeVersion; need != "" {
		if version := r.capabilities.KubeVersion; !chartutil.IsCompatibleRange(need, version.String()) {
			return &TemplateError{Template: "Chart.yaml", Problem: fmt.Sprintf(
				"the chart needs Kubernetes %s, and the cluster has %s", need, version.String())}
		}
	}
	options := common.ReleaseOptions{Name: r.Release.Name, Namespace: r.Release.Namespace, Revision: 1, IsInstall: true}
	values, err := util.ToRenderValuesWithSchemaValidation(r.Chart, r.Values, options, r.capabilities, true)
	if err != nil {
		return &ValuesError{[]string{err.Error()}}
	}
	r.values = values
	given, _ := values["Values"].(common.Values)
	if problems := unfit(r.Chart, given); len(problems) > 0 {
		return &ValuesError{problems}
	}
	return nil
}

// know sets the capabilities: those of the request, of the cluster if the chart looks at them, or Helm's own. A chart
// sees what its crds/ defines on the cluster from the first rendering on, as Helm creates that before it renders.
func (r *rendering) know(ctx context.Context) error {
	r.capabilities = common.DefaultCapabilities.Copy()
	given := r.Capabilities
	if given == nil && r.asksForCapabilities() {
		if r.Cluster == nil {
			return ErrNoCluster
		}
		read, err := r.Cluster.Capabilities(ctx)
		if err != nil {
			return err
		}
		read.APIVersions = slices.Concat(read.APIVersions, r.definedVersions())
		given = &read
		r.capabilities.APIVersions = nil
	}
	if given == nil {
		return nil
	}
	if given.KubeVersion != "" {
		version, err := common.ParseKubeVersion(given.KubeVersion)
		if err != nil {
			return fmt.Errorf("%q is not a version of Kubernetes: %w", given.KubeVersion, err)
		}
		r.capabilities.KubeVersion = *version
	}
	r.capabilities.APIVersions = slices.Concat(r.capabilities.APIVersions, given.APIVersions)
	return nil
}

// asksForCapabilities reports whether a rendering may depend on them. Files count if templates may render them.
func (r *rendering) asksForCapabilities() bool {
	var code, files strings.Builder
	for charts := []*v2.Chart{r.Chart}; len(charts) > 0; charts = charts[1:] {
		of := charts[0]
		if of.Metadata.KubeVersion != "" {
			return true
		}
		charts = append(charts, of.Dependencies()...)
		write(&code, of.Templates)
		write(&files, of.Files)
		fmt.Fprint(&code, of.Values)
	}
	text := code.String() + fmt.Sprint(r.Values)
	if strings.Contains(text, "tpl") && strings.Contains(text, "Files") {
		text += files.String()
	}
	return strings.Contains(text, "Capabilities")
}

// write writes files to one string, without documentation and definitions, which nothing renders.
func write(to *strings.Builder, files []*common.File) {
	for _, file := range files {
		if path.Ext(file.Name) != ".md" && !strings.HasPrefix(file.Name, "crds/") {
			to.Write(file.Data)
		}
	}
}

// once renders the chart with some draws, and returns the objects that it makes.
func (r *rendering) once(ctx context.Context, drawing *draws) (objects, error) {
	// Templates can change their values.
	copied, err := copystructure.Copy(map[string]any(r.values))
	if err != nil {
		return nil, err
	}
	values, _ := copied.(map[string]any)
	values["Capabilities"] = r.capabilities // The copy lacks what is not exported.
	functions := drawing.functions()
	functions["lookup"] = func(apiVersion, kind, namespace, name string) (map[string]any, error) {
		return r.cluster.lookup(ctx, apiVersion, kind, namespace, name)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, renderTimeout, errRenderTimeout)
	defer cancel()
	type result struct {
		files map[string]string
		err   error
	}
	// Nothing can stop a template: one that does not end goes on until the provider ends.
	ended := make(chan result, 1)
	go func() {
		files, err := engine.Engine{CustomTemplateFuncs: functions}.RenderWithContext(ctx, r.Chart, values)
		ended <- result{files, err}
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case rendered := <-ended:
		if err := errors.Join(r.cluster.failed, drawing.failed); err != nil {
			return nil, err
		}
		if rendered.err != nil {
			return nil, &TemplateError{Problem: r.hidden(drawing, rendered.err.Error())}
		}
		return r.sorted(rendered.files)
	}
}

var errRenderTimeout = &TemplateError{Problem: fmt.Sprintf("the chart was not rendered after %s", renderTimeout)}

// givenToTpl is what Helm quotes of a template from values: all of it.
var givenToTpl = regexp.MustCompile(`(cannot parse template|tpl function execution for) "(?:[^"\\]|\\.)*"`)

// hidden returns a message without secret values: those of the request, and what was drawn or read.
func (r *rendering) hidden(drawn *draws, message string) string {
	var forms []string
	for _, secret := range slices.Concat(r.Secrets, drawn.texts(), r.cluster.secrets) {
		for _, text := range append(strings.Split(secret, "\n"), secret) {
			forms = append(forms, manifest.QuotedForms(text)...)
		}
	}
	if len(forms) > 0 {
		message = givenToTpl.ReplaceAllString(message, "$1 (sensitive)")
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // One may begin another one.
	for _, form := range forms {
		if len(form) >= shortestSecret {
			message = strings.ReplaceAll(message, form, "(sensitive)")
		}
	}
	return message
}

// shortestSecret is the length from which a secret string is hidden in an error: shorter ones are part of other words.
const shortestSecret = 4

// told hides the secrets of the request in an error.
func (r *rendering) told(err error) error {
	switch err := err.(type) { //nolint:errorlint // Only its own errors are not wrapped.
	case *ValuesError:
		for i, problem := range err.Problems {
			err.Problems[i] = r.hidden(&draws{}, problem)
		}
	case *TemplateError:
		return &TemplateError{Template: err.Template, Problem: r.hidden(&draws{}, err.Problem)}
	}
	return err
}

// inChart returns the file of a template without the folder of the chart.
func inChart(file string) string {
	_, within, _ := strings.Cut(path.Clean(file), "/")
	return within
}
