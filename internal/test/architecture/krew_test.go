package architecture

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// krewPlugin is the form of a manifest of krew. Krew refuses other keys.
type krewPlugin struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		Version, Homepage, Description, Caveats string
		ShortDescription                        string `yaml:"shortDescription"`
		Platforms                               []krewPlatform
	}
}

type krewPlatform struct {
	Selector struct {
		MatchLabels struct{ OS, Arch string } `yaml:"matchLabels"`
	}
	URI, SHA256, Bin string
}

// The manifest for krew names each archive of a release, and the program in it, as .goreleaser.yml does.
func TestKrewManifest(t *testing.T) {
	t.Parallel()
	var plugin krewPlugin
	decoder := yaml.NewDecoder(strings.NewReader(krewManifest(t, "v1.2.3-rc1")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&plugin); err != nil {
		t.Fatal(err)
	}
	spec := plugin.Spec
	if plugin.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || plugin.Kind != "Plugin" || plugin.Metadata.Name != "owners" ||
		spec.Version != "v1.2.3-rc1" || spec.Homepage == "" || spec.Description == "" || len(spec.ShortDescription) > 50 {
		t.Errorf("the manifest is %+v", plugin)
	}
	got := map[string]string{}
	for _, p := range spec.Platforms {
		got[p.URI] = p.Selector.MatchLabels.OS + "/" + p.Selector.MatchLabels.Arch + " " + p.Bin
	}
	if diff := cmp.Diff(archives(t, "1.2.3-rc1"), got); diff != "" {
		t.Errorf("archives (-.goreleaser.yml +.krew.yaml):\n%s", diff)
	}
}

// krewManifest returns the manifest as krew-release-bot makes it.
func krewManifest(t *testing.T, tag string) string {
	t.Helper()
	data := map[string]string{"TagName": tag}
	fill := func(text string, functions template.FuncMap) (string, error) {
		var out strings.Builder
		parsed, err := template.New("").Funcs(functions).Parse(text)
		if err == nil {
			err = parsed.Execute(&out, data)
		}
		return out.String(), err
	}
	text, err := fill(readText(t, "../../../.krew.yaml"), template.FuncMap{"addURIAndSha": func(uri, _ string) (string, error) {
		uri, err := fill(uri, nil)
		return "uri: " + uri + "\n    sha256: " + strings.Repeat("0", 64), err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// archives returns the platform and the program of each archive that .goreleaser.yml makes, by its address.
func archives(t *testing.T, version string) map[string]string {
	t.Helper()
	var config struct {
		Project string `yaml:"project_name"`
		Builds  []struct {
			GOOS, GOARCH []string
			Ignore       []map[string]string
			Binary       string
		}
		Archives []struct {
			Formats []string
			Name    string `yaml:"name_template"`
		}
		Release struct{ GitHub struct{ Owner, Name string } }
	}
	if err := yaml.Unmarshal([]byte(readText(t, "../../../.goreleaser.yml")), &config); err != nil {
		t.Fatal(err)
	}
	build, archive, repository := config.Builds[0], config.Archives[0], config.Release.GitHub
	found := map[string]string{}
	for _, system := range build.GOOS {
		for _, arch := range build.GOARCH {
			if slices.ContainsFunc(build.Ignore, func(i map[string]string) bool { return i["goos"] == system && i["goarch"] == arch }) {
				continue
			}
			name := strings.NewReplacer("{{ .ProjectName }}", config.Project, "{{ .Version }}", version, "{{ .Os }}", system, "{{ .Arch }}", arch)
			program := name.Replace(build.Binary)
			if system == "windows" {
				program += ".exe"
			}
			found[fmt.Sprintf("https://github.com/%s/%s/releases/download/v%s/%s.%s", repository.Owner, repository.Name, version,
				name.Replace(archive.Name), archive.Formats[0])] = system + "/" + arch + " " + program
		}
	}
	return found
}
