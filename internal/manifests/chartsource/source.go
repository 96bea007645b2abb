// Package chartsource loads Helm charts from folders, archives, repositories and OCI registries. It finds them as Helm
// does, without Helm's downloaders, which contain plugins that run programs.
//
// # Whom it trusts
//
// Not the source. Everything that is read has a limit, in bytes, files, pages of tags, depth of subcharts and time. A
// folder is read as an [os.Root]: a symbolic link that leads out of it is refused, where Helm reads what it leads to.
// Archives have regular files only.
//
// # Who gets the credentials
//
// The host of the repository or registry, and no other: not after a redirect, and not by an absolute URL of an index.
// One exception is the protocol of registries: a registry names the server that hands out its tokens, and that server
// gets the credentials. For oci://, and without a username of its own, a source has what the files of helm registry
// login and docker login contain. No credential helper is run.
//
// # Errors
//
// They are sentences for the user, whose words of servers are cut and made printable. They have neither passwords nor
// the queries of URLs, which may be signatures.
package chartsource

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// Source is the place of a chart.
type Source struct {
	// Chart is a folder, an archive (.tgz), its https:// URL, or oci://host/path/name; with Repository, the name of a
	// chart.
	Chart string
	// Repository is "", the URL of a repository with an index.yaml, or oci://host/path, below which the chart is.
	// Only hosts of the own machine may have http://.
	Repository string
	// Version is a version, or a constraint as Helm takes it; "" is the newest version that is not a prerelease. A
	// folder or an archive has to match it.
	Version string
	// Digest is the required Loaded.Digest of the chart; "" accepts any.
	Digest string
	// Username and Password are for the host of Repository, or else of Chart.
	Username, Password string
	// CACertificate contains PEM certificates that sign those of the servers, in addition to those that the system
	// trusts.
	CACertificate string
}

// Loaded is a chart, and the source that it was loaded from.
type Loaded struct {
	// Chart is an application with all its subcharts.
	Chart *chart.Chart
	// Digest is "sha256:" and the digest of the archive; of a chart in a registry, that of its manifest, which helm
	// pull and helm push print; "" of a folder.
	Digest string
}

var digests = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// Load reads the chart. An error is a sentence that contains no credentials.
func (s Source) Load(ctx context.Context) (*Loaded, error) {
	f, err := s.fetcher()
	if err != nil {
		return nil, err
	}
	defer f.http.CloseIdleConnections()
	loaded, err := f.load(ctx)
	if err != nil {
		return nil, f.withoutSecrets(err)
	}
	return loaded, nil
}

// fetcher checks the arguments of the source.
func (s Source) fetcher() (*fetcher, error) {
	switch {
	case s.Chart == "":
		return nil, errors.New("chart is empty: write a folder, an archive, a URL, or a name in repository")
	case s.Digest != "" && !digests.MatchString(s.Digest):
		return nil, fmt.Errorf("digest %q is not sha256: and 64 hexadecimal digits in lower case", s.Digest)
	case (s.Username == "") != (s.Password == ""):
		return nil, errors.New("username and password go together: write both, or none")
	}
	f := &fetcher{Source: s}
	f.keep(s.Username, s.Password)
	for _, argument := range []struct{ name, value string }{{"chart", s.Chart}, {"repository", s.Repository}} {
		isURL := strings.Contains(argument.value, "://")
		switch {
		case argument.value == "", argument.name == "chart" && !isURL:
			continue
		case argument.name == "chart" && s.Repository != "":
			return nil, errors.New("with repository, chart is the name of a chart and no URL: leave repository out")
		}
		address, err := checkedURL(argument.name, argument.value)
		if err != nil {
			return nil, err
		}
		f.origin = address
	}
	return f, f.connect()
}

// checkedURL parses the value of an argument. Its errors do not quote a URL that may contain a password.
func checkedURL(argument, value string) (*url.URL, error) {
	address, err := url.Parse(value)
	switch {
	case err != nil, address.Host == "":
		return nil, fmt.Errorf("%s is no URL with a scheme, a host and a path, such as https://example.com/charts "+
			"or oci://example.com/charts", argument)
	case address.User != nil:
		return nil, fmt.Errorf("the URL in %s has a username or password, which would be in states and logs: "+
			"write the URL as %s, and set username and password", argument, withoutQuery(address))
	case address.Scheme == "https", address.Scheme == "oci", address.Scheme == "http" && isLoopback(address):
		return address, nil
	case address.Scheme == "http":
		return nil, fmt.Errorf("%s is http://%s, without encryption, which is for the own machine (localhost) only: "+
			"write https://", argument, address.Host)
	}
	return nil, fmt.Errorf("%s has the scheme %q: write https:// or oci://, or the path of a folder or file as chart",
		argument, address.Scheme)
}

func (f *fetcher) load(ctx context.Context) (*Loaded, error) {
	files, digest, err := f.files(ctx)
	if err != nil {
		return nil, err
	}
	loaded, err := loader.LoadFiles(files)
	if err != nil {
		return nil, fmt.Errorf("%s is no chart that Helm can load: %s", f.shown(), f.excerpt(err.Error()))
	}
	return &Loaded{Chart: loaded, Digest: digest}, f.check(loaded)
}

// files returns the files of the chart, and the digest of its archive; "" for a folder.
func (f *fetcher) files(ctx context.Context) (files []*archive.BufferedFile, digest string, err error) {
	var packed []byte
	switch {
	case f.origin == nil:
		files, packed, err = f.local()
	case f.origin.Scheme == "oci" && f.Repository != "":
		packed, digest, err = f.pull(ctx, strings.TrimSuffix(f.Repository, "/")+"/"+f.Chart)
	case f.origin.Scheme == "oci":
		packed, digest, err = f.pull(ctx, f.Chart)
	case f.Repository != "":
		packed, digest, err = f.fromIndex(ctx)
	default:
		packed, err = f.download(ctx, f.origin, maxArchive)
	}
	if err != nil || files != nil {
		return files, "", err
	}
	if digest == "" {
		digest = fmt.Sprintf("sha256:%x", sha256.Sum256(packed))
	}
	if f.Digest != "" && f.Digest != digest {
		return nil, "", fmt.Errorf("%s has the digest %s, and not the one in digest, %s: it is another version, or it "+
			"was replaced. If that is meant to be, write the new digest", f.shown(), digest, f.Digest)
	}
	if files, err = newAllowance().unpack(packed, 0); err != nil {
		return nil, "", fmt.Errorf("%s: %s", f.shown(), f.excerpt(err.Error()))
	}
	return files, digest, nil
}

// check refuses charts that cannot be rendered as they are.
func (f *fetcher) check(c *chart.Chart) error {
	of := fmt.Sprintf("the chart %s %s", c.Name(), c.Metadata.Version)
	if version := c.Metadata.APIVersion; version != chart.APIVersionV1 && version != chart.APIVersionV2 {
		return fmt.Errorf("%s has the apiVersion %q, and only v1 and v2 are supported", of, version)
	}
	if c.Metadata.Type == "library" {
		return fmt.Errorf("%s is a library (type: library in its Chart.yaml), which renders nothing by itself: "+
			"write a chart that depends on it", of)
	}
	if wanted, err := parseVersion(f.Version); err != nil {
		return err
	} else if f.Version != "" && !wanted.allows(c.Metadata.Version) {
		return fmt.Errorf("%s is %s %s, and version is %q", f.shown(), c.Name(), c.Metadata.Version, f.Version)
	}
	var missing []string
	for _, dependency := range c.Metadata.Dependencies {
		isIt := func(found *chart.Chart) bool { return found.Name() == dependency.Name }
		if !slices.ContainsFunc(c.Dependencies(), isIt) {
			missing = append(missing, dependency.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s lacks charts that its Chart.yaml depends on: %s. Run helm dependency build in its "+
			"folder, which downloads them into charts/, and package it again if it is an archive",
			of, strings.Join(missing, ", "))
	}
	return nil
}
