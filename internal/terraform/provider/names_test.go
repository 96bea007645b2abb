package provider

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// The words of each resource are those of its schema.
func TestWords(t *testing.T) {
	t.Parallel()
	resources := (&k8sconnect{}).Resources(t.Context())
	if len(resources) < 2 {
		t.Fatalf("there are %d resources", len(resources))
	}
	for _, make := range resources {
		var resp resource.SchemaResponse
		made := make()
		made.Schema(t.Context(), resource.SchemaRequest{}, &resp)
		var named resource.MetadataResponse
		made.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "k8sconnect"}, &named)
		field := reflect.ValueOf(made).Elem().FieldByName("Names")
		if !field.IsValid() {
			t.Errorf("%s has no field Names with its diagnostics.Names", named.TypeName)
			continue
		}
		words, _ := field.Interface().(diagnostics.Names)
		if words.Type != named.TypeName {
			t.Errorf("the words of %s are those of %q", named.TypeName, words.Type)
		}
		for of, name := range namesIn(reflect.ValueOf(words), "") {
			_, isAttribute := resp.Schema.Attributes[name]
			_, isBlock := resp.Schema.Blocks[name]
			if name != "" && of != "Type" && of != "Noun" && !isAttribute && !isBlock {
				t.Errorf("%s: %s is %q, which the schema does not have", named.TypeName, of, name)
			}
		}
	}
}

// namesIn returns each name in Names or a part of it, by the fields that lead to it, or by the name of the argument.
func namesIn(value reflect.Value, path string) map[string]string {
	found := map[string]string{}
	switch value.Kind() {
	case reflect.String:
		found[path] = value.String()
	case reflect.Map:
		for of, name := range value.Seq2() {
			found[of.String()] = name.String()
		}
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(value.Type()) {
			if !field.Anonymous {
				maps.Copy(found, namesIn(value.FieldByIndex(field.Index), strings.TrimPrefix(path+"."+field.Name, ".")))
			}
		}
	default: // A flag, a time or a function.
	}
	return found
}

// So are those of each action.
func TestWordsOfActions(t *testing.T) {
	t.Parallel()
	actions := (&k8sconnect{}).Actions(t.Context())
	if len(actions) < 4 {
		t.Fatalf("there are %d actions", len(actions))
	}
	for _, make := range actions {
		var resp action.SchemaResponse
		made := make()
		made.Schema(t.Context(), action.SchemaRequest{}, &resp)
		words, _ := reflect.ValueOf(made).Elem().FieldByName("Names").Interface().(diagnostics.Names)
		for _, name := range []string{words.Target, words.Cluster, words.Body, words.Timeouts.Block} {
			_, isAttribute := resp.Schema.Attributes[name]
			_, isBlock := resp.Schema.Blocks[name]
			if name != "" && !isAttribute && !isBlock {
				t.Errorf("%s: the schema has no %s", words.Type, name)
			}
		}
		if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
			t.Errorf("%s: %v", words.Type, diags)
		}
	}
}

// The manifest resource has every word but those of patches, of data sources, of clusters with a name and of field managers beside it.
func TestManifestHasAllWords(t *testing.T) {
	t.Parallel()
	words, _ := reflect.ValueOf((&k8sconnect{}).Resources(t.Context())[0]()).Elem().FieldByName("Names").Interface().(diagnostics.Names)
	for of, name := range namesIn(reflect.ValueOf(words), "") {
		if (name == "") != slices.Contains([]string{"Target", "Reads.Optional", "Reads.KnownInApply", "PlanWithoutDryRun", "Scope.Cluster", "Scope.Manager", "SentUnstored"}, of) {
			t.Errorf("%s is %q", of, name)
		}
	}
	for _, argument := range arguments.Of(words.Type) {
		if words.Of(argument.Name) != argument.Name {
			t.Errorf("%s is %q", argument.Name, words.Of(argument.Name))
		}
	}
}

// bodies are the arguments that describe an object, of which a configuration has one.
var bodies = regexp.MustCompile(`\b(yaml_body|cron_job)\b`)

// aboutBodies are sentences that name each of the arguments, and others that are about one of them.
var aboutBodies = map[string]bool{
	" Set exactly one of `cron_job`, `yaml_body` and `manifest`.":                                                                                           true,
	"A Job is made from one of cron_job, yaml_body and manifest.\n\nSet exactly one of them.":                                                               true,
	"%s has a %s of %s, and this action runs Jobs of batch/v1.\n\nWrite the manifest of a Job. To run the template of a CronJob, set its name in cron_job.": true,
	`Write an object, for example { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "web" } }. A string belongs in yaml_body.`:                   true,
}

// No sentence has the name of one argument for the manifest: the user may have written another one. The descriptions of schemas are not
// sentences of this kind.
func TestNoSentenceNamesOneOfTheBodies(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (path == "../../test" || path == "../../cmd") {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		for _, sentence := range sentencesOf(t, path) {
			if bodies.MatchString(sentence) && !slices.ContainsFunc(slices.Collect(maps.Keys(aboutBodies)), func(known string) bool { return strings.Contains(known, sentence) }) {
				t.Errorf("%s: %q names an argument that the user may not have written; take it from Names.Body", path, sentence)
			}
		}
		return nil
	})
	if err != nil || files < 300 {
		t.Errorf("%d files: %v", files, err)
	}
}

// sentencesOf returns the strings of a file that have several words, without descriptions of schemas.
func sentencesOf(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.KeyValueExpr:
			if name, is := node.Key.(*ast.Ident); is && strings.HasSuffix(name.Name, "Description") {
				return false
			}
			// An argument that several resources have is a call with its description: "on_conflict": attributes.OnConflict("...").
			if _, isCall := node.Value.(*ast.CallExpr); isCall && (strings.HasSuffix(path, "schema.go") || strings.HasSuffix(path, "attributes/object.go")) {
				return false
			}
		case *ast.Field, *ast.GenDecl:
			if declared, is := node.(*ast.GenDecl); is {
				return declared.Tok != token.CONST || !strings.Contains(path, "schema")
			}
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING && strings.Contains(text, " ") {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}
