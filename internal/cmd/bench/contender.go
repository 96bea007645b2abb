package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/echo"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// contender is a provider that manages the objects: this provider, a peer, or a floor.
type contender struct {
	// Name is the last part of the provider's address, or the last two for a peer. For the floor in the CLI it is the
	// resource type. In the name of an earlier build of this provider, "@" and the commit follow.
	Name string
	// executable is the provider to run, or the client; "" for the floor that is a part of the CLI.
	executable string
}

const (
	ours = "k8sconnect"
	// oursAsSet is this provider with one resource for all objects.
	oursAsSet = ours + " set"
	// floor is Terraform's own resource that does nothing. Its cost is the cost of the CLI alone.
	floor = "terraform_data"
	// protocol is the second floor, a provider that does nothing; see echo.
	protocol = "echo"
)

// peers are the other providers for which this command has a configuration.
var peers = []string{"alekc/kubectl", "hashicorp/kubernetes", "jmorris0x0/k8sconnect"}

//go:embed configurations/*.tf.tmpl
var configurations embed.FS

// configuration returns the main.tf of a contender, with a resource for each object.
func (c contender) configuration(objects []object) ([]byte, error) {
	name := c.slug()
	if c.Name == protocol || c.isEarlier() {
		name = ours
	}
	parsed, err := template.ParseFS(configurations, "configurations/"+name+".tf.tmpl")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = parsed.Execute(&text, struct {
		Address string
		Objects []object
	}{c.address(), objects})
	return text.Bytes(), err
}

// slug returns the name as a part of file, user and namespace names.
func (c contender) slug() string {
	return strings.NewReplacer("/", "-", "_", "-", "@", "-", " ", "-").Replace(c.Name)
}

// isEarlier reports whether the contender is this provider at another commit.
func (c contender) isEarlier() bool { return strings.HasPrefix(c.Name, ours+"@") }

// idle reports whether the contender is a floor, which sends nothing to a cluster.
func (c contender) idle() bool { return c.Name == floor || c.Name == protocol }

// address returns the provider's address, without the registry.
func (c contender) address() string {
	switch {
	case c.isEarlier(), c.Name == oursAsSet:
		return "k8sconnect/" + ours
	case c.Name == ours || c.Name == protocol:
		return "k8sconnect/" + c.Name
	default:
		return c.Name
	}
}

// contenders returns the two floors, this provider with a resource for each object and with one for all, its build at
// another commit if one is given, the peers of BENCH_PEERS, and kubectl if it is installed. It builds into a directory.
func contenders(ctx context.Context, dir, commit, peers string) ([]contender, error) {
	binary, err := workdir.Build(ctx, dir, "-ldflags=-s -w")
	if err != nil {
		return nil, err
	}
	given, err := parsePeers(ctx, peers)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	found := []contender{
		{Name: floor}, {Name: protocol, executable: self}, {Name: ours, executable: binary},
		{Name: oursAsSet, executable: binary},
	}
	if commit != "" {
		earlier, err := before(ctx, dir, commit)
		if err != nil {
			return nil, err
		}
		found = append(found, earlier)
	}
	found = append(found, given...)
	if program, err := exec.LookPath(kubectl); err == nil {
		found = append(found, contender{Name: kubectl, executable: program})
	}
	return found, nil
}

// only returns the contenders with these names, separated by commas; all of them without names.
func only(all []contender, names string) ([]contender, error) {
	if names == "" {
		return all, nil
	}
	var chosen []contender
	for name := range strings.SplitSeq(names, ",") {
		at := slices.IndexFunc(all, func(c contender) bool { return c.Name == strings.TrimSpace(name) })
		if at < 0 {
			return nil, fmt.Errorf("BENCH_ONLY: %q is no contender", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// parsePeers reads "alekc/kubectl=DIR hashicorp/kubernetes=DIR helm": a provider and the directory of its executable,
// or Helm, which it builds.
func parsePeers(ctx context.Context, text string) ([]contender, error) {
	var found []contender
	for _, entry := range strings.Fields(text) {
		if entry == helm {
			executable, err := testcluster.BuildHelm(ctx, os.Stderr)
			if err != nil {
				return nil, err
			}
			found = append(found, contender{Name: helm, executable: executable})
			continue
		}
		name, dir, _ := strings.Cut(entry, "=")
		if _, err := (contender{Name: name}).configuration(nil); err != nil || !strings.Contains(name, "/") {
			return nil, fmt.Errorf("BENCH_PEERS: %q is not helm, and no NAME=DIR with one of the names %s", entry,
				strings.Join(peers, ", "))
		}
		pattern := "terraform-provider-" + path.Base(name) + "*"
		matches, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		if len(matches) != 1 {
			return nil, fmt.Errorf("BENCH_PEERS: %s: the directory %q holds %d files %s; one executable is needed",
				name, dir, len(matches), pattern)
		}
		executable, err := filepath.Abs(matches[0])
		if err != nil {
			return nil, err
		}
		found = append(found, contender{Name: name, executable: executable})
	}
	return found, nil
}

// install makes the CLI start this command, as a meter, instead of the contender's provider. It returns the
// environment variables for that.
func (c contender) install(dir, usageFile string) ([]string, error) {
	if c.executable == "" || c.isClient() {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	plugins := filepath.Join(dir, "plugins")
	if err := os.Mkdir(plugins, 0o700); err != nil {
		return nil, err
	}
	if err := os.Symlink(self, filepath.Join(plugins, "terraform-provider-"+path.Base(c.address()))); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("provider_installation {\n  dev_overrides { %q = %q }\n  direct {}\n}\n", c.address(),
		plugins)
	file := filepath.Join(dir, "cli.tfrc")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return nil, err
	}
	variables := []string{"TF_CLI_CONFIG_FILE=" + file, envProvider + "=" + c.executable, envUsage + "=" + usageFile}
	if c.Name == protocol {
		variables = append(variables, echo.Env+"=1")
	}
	return variables, nil
}

// before returns this provider at a commit or a tag, built in a directory. Its name is "k8sconnect@COMMIT".
func before(ctx context.Context, dir, commit string) (contender, error) {
	top, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return contender{}, fmt.Errorf("BENCH_BEFORE: find the repository: %w", err)
	}
	source, binary := filepath.Join(dir, "source"), filepath.Join(dir, "before", "terraform-provider-k8sconnect")
	for _, command := range [][]string{
		{"git", "clone", "--quiet", "--shared", "--no-checkout", strings.TrimSpace(string(top)), source},
		{"git", "-C", source, "checkout", "--quiet", commit},
		{"go", "build", "-C", source, "-trimpath", "-ldflags=-s -w", "-o", binary, "."},
	} {
		if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return contender{}, fmt.Errorf("BENCH_BEFORE: %s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	return contender{Name: ours + "@" + commit, executable: binary}, nil
}

// failures returns the number of errors in what the CLI, or kubectl, has printed.
func failures(printed string) int {
	return strings.Count(printed, "Error: ") + strings.Count(printed, "Error from server") +
		strings.Count(printed, "\nerror: ")
}
