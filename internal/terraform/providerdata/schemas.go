package providerdata

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// SchemasVariable is the environment variable that names the folder with the schemas, SchemasAttribute the attribute of
// the provider block that counts before it.
const (
	SchemasVariable  = "K8SCONNECT_SCHEMAS"
	SchemasAttribute = "schemas"
)

// Schemas are those of a folder, which objects are validated against without a cluster. They are there before the
// provider is configured. They are safe for concurrent use; nil and a Schemas without a folder find nothing.
type Schemas struct {
	mutex          sync.Mutex
	folder, source string
	// said has what was said once: the kinds without a schema, and a folder that cannot be read.
	said sync.Map
}

// NewSchemas returns the schemas of the folder that the environment names; "" for none.
func NewSchemas(folder string) *Schemas { return &Schemas{folder: folder, source: SchemasVariable} }

// Use changes the folder to the one of the provider block, unless that is null or empty. As long as it is unknown, no
// folder is used.
func (s *Schemas) Use(folder types.String) {
	if name := folder.ValueString(); name != "" || folder.IsUnknown() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.folder, s.source = name, SchemasAttribute
	}
}

func (s *Schemas) chosen() (folder openapi.Folder, source string) {
	if s == nil {
		return "", ""
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return openapi.Folder(s.folder), s.source
}

// AreThere reports whether there is a folder.
func (s *Schemas) AreThere() bool {
	folder, _ := s.chosen()
	return folder != ""
}

func (s *Schemas) isNews(key any) bool {
	_, known := s.said.LoadOrStore(key, true)
	return !known
}

// Check returns an error if the body of a resource does not fit the schema of its kind. at is its attribute. Values
// that are not known yet are not checked, and neither are kinds without a schema.
func (s *Schemas) Check(ctx context.Context, m *model.Model, at path.Path) diag.Diagnostics {
	folder, source := s.chosen()
	if folder == "" {
		return nil
	}
	body := m.Body()
	if !body.Known || body.Err != nil || body.PatchErr != nil {
		return nil
	}
	version, err := folder.Version()
	id := body.Manifest.Identity
	gvk := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	var kind *openapi.Kind
	if err == nil {
		kind, err = folder.Kind(gvk)
	}
	switch {
	case err != nil && s.isNews(source):
		return diag.Diagnostics{invalid.Schemas(source, err)}
	case err != nil:
		return nil
	case kind == nil:
		if s.isNews(gvk) {
			cluster.Log(ctx).V(cluster.Steps).Info("the folder has no schema of the kind", "kind", gvk.String())
		}
		return nil
	}
	problems := problemsOf(kind, m, body)
	if len(problems) == 0 {
		return nil
	}
	file := openapi.FileOf(gvk.GroupVersion())
	if problems[0].Text == openapi.NotServed {
		file = openapi.VersionFile
	}
	return diag.Diagnostics{invalid.Unfit{
		Object: id, Problems: problems, Lines: manifest.LinesOf(m.YAMLBody.ValueString()), Version: version.GitVersion,
		File: filepath.Join(string(folder), file),
	}.Diagnostic(at)}
}

// problemsOf returns the faults of a body compared with the schema of its kind, without those that depend on unknown
// values.
func problemsOf(kind *openapi.Kind, m *model.Model, body model.Body) []openapi.Problem {
	switch {
	case body.Patch != nil && body.Patch.Type == patches.JSON:
		var problems []openapi.Problem
		for _, set := range body.Patch.Settings() {
			problems = append(problems, kind.CheckAt(set.Path, set.Value)...)
		}
		return slices.CompactFunc(problems, func(a, b openapi.Problem) bool {
			return a.Field == b.Field && a.Text == b.Text
		})
	case body.Patch != nil:
		return kind.Check(body.Patch.Fields(), openapi.Part)
	}
	extent := openapi.Whole
	if m.IsPart || model.HasWriteOnly(m) {
		extent = openapi.Part
	}
	return slices.DeleteFunc(kind.Check(body.Manifest.Object, extent), func(p openapi.Problem) bool {
		return slices.ContainsFunc(body.Undecided, func(u arguments.Undecided) bool { return p.DependsOn(u.At) })
	})
}

// otherSchemasLimit is as long as a credential plugin may run: the plugin is stopped when no request waits for it any
// more.
const otherSchemasLimit = 45 * time.Second

// otherSchemas warns once in a run if the schemas are of another minor version than the server. It sends one GET if a
// folder with schemas is set, and returns nil if that fails.
func (p *Provider) otherSchemas(ctx context.Context, client *kube.Client) diag.Diagnostics {
	folder, _ := p.schemas.chosen()
	if folder == "" || p.run.Rounds.Current() == run.SecondRound || !p.IsNews(folder) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, otherSchemasLimit)
	defer cancel()
	of, err := folder.Version()
	if err != nil {
		return nil
	}
	server, err := kube.VersionOf(ctx, client)
	if err != nil || of.Major == server.Major && minor(of.Minor) == minor(server.Minor) {
		return nil
	}
	return diag.Diagnostics{invalid.OtherSchemas(string(folder), of.GitVersion, server.GitVersion)}
}

// minor returns a minor version without the sign of a distribution: 34 of 34+.
func minor(version string) string { return strings.TrimRight(version, "+") }
