package chartsource

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/Masterminds/semver/v3"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"helm.sh/helm/v4/pkg/helmpath"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
)

const (
	chartLayer  = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	maxManifest = 4 << 20
	// maxTagPages limits a list of tags, whose pages have 4 MiB at most.
	maxTagPages = 100
)

// pull returns the archive of a chart in a registry, and the digest of its manifest. A registry on the own machine may
// have no certificate.
func (f *fetcher) pull(ctx context.Context, address string) ([]byte, string, error) {
	repository, err := f.repository(address)
	if err != nil {
		return nil, "", err
	}
	if reference := repository.Reference.Reference; reference != "" {
		return nil, "", fmt.Errorf("the path of the chart ends with %q: write a tag as version, and a digest as digest",
			reference)
	}
	packed, digest, err := f.pullVersion(ctx, repository)
	if errors.Is(err, http.ErrSchemeMismatch) && isLoopback(f.origin) {
		repository.PlainHTTP = true
		return f.pullVersion(ctx, repository)
	}
	return packed, digest, err
}

func (f *fetcher) pullVersion(ctx context.Context, repository *remote.Repository) ([]byte, string, error) {
	wanted, err := parseVersion(f.Version)
	if err != nil {
		return nil, "", err
	}
	if _, err := semver.StrictNewVersion(strings.TrimPrefix(wanted.text, "v")); err == nil {
		packed, digest, err := f.pullTag(ctx, repository, tagOf(wanted.text))
		var refused *refusedError
		if !errors.As(err, &refused) || refused.status != http.StatusNotFound {
			return packed, digest, err
		}
	}
	var versions []string
	address := addressOf(repository)
	err = repository.Tags(ctx, "", func(tags []string) error {
		for _, tag := range tags {
			versions = append(versions, strings.ReplaceAll(tag, "_", "+"))
		}
		return nil
	})
	if err != nil {
		return nil, "", f.failed(address, err)
	}
	version, err := choose(wanted.text, versions)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", address, err)
	}
	return f.pullTag(ctx, repository, tagOf(version))
}

func addressOf(repository *remote.Repository) string {
	return "oci://" + repository.Reference.Registry + "/" + repository.Reference.Repository
}

// tagOf returns the tag of a version: tags cannot contain a plus sign.
func tagOf(version string) string { return strings.ReplaceAll(version, "+", "_") }

func (f *fetcher) pullTag(ctx context.Context, repository *remote.Repository, tag string) ([]byte, string, error) {
	address := addressOf(repository) + ":" + tag
	found, body, err := repository.Manifests().FetchReference(ctx, tag)
	if err != nil {
		return nil, "", f.failed(address, err)
	}
	defer body.Close() //nolint:errcheck // It was only read.
	if found.Size > maxManifest {
		return nil, "", fmt.Errorf("the manifest of %s has more than %d MiB", address, maxManifest>>20)
	}
	text, err := content.ReadAll(body, found)
	if err != nil {
		return nil, "", f.failed(address, err)
	}
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, "", fmt.Errorf("the manifest of %s is no JSON object of a manifest", address)
	}
	for _, layer := range manifest.Layers {
		if layer.MediaType != chartLayer {
			continue
		}
		if layer.Size > maxArchive {
			return nil, "", fmt.Errorf("%s has more than %d MiB, the limit of a chart archive", address, maxArchive>>20)
		}
		packed, err := content.FetchAll(ctx, repository.Blobs(), layer)
		if err != nil {
			return nil, "", f.failed(address, err)
		}
		return packed, found.Digest.String(), nil
	}
	return nil, "", fmt.Errorf("%s is no Helm chart: the type of its content is %q, and none of its layers is a %s",
		address, f.excerpt(manifest.Config.MediaType), chartLayer)
}

// repository returns the client of a repository in a registry. Only a reference of address itself is in its Reference.
func (f *fetcher) repository(address string) (*remote.Repository, error) {
	parsed, err := registry.ParseReference(strings.TrimPrefix(address, "oci://"))
	if err != nil {
		return nil, fmt.Errorf("%q is no path of a chart in a registry, such as oci://example.com/charts/web, in "+
			"lower case", address)
	}
	credential, err := f.credential(parsed.Host())
	if err != nil {
		return nil, err
	}
	return &remote.Repository{
		Reference:        parsed,
		MaxMetadataBytes: maxManifest,
		TagListMaxPages:  maxTagPages,
		Client: &auth.Client{Client: f.http, Cache: auth.NewCache(),
			Credential: auth.StaticCredential(parsed.Host(), credential)},
	}, nil
}

// credential returns that of the source, or what helm or docker have noted for a host.
func (f *fetcher) credential(host string) (auth.Credential, error) {
	if f.Username != "" {
		if f.origin.Scheme == "oci" {
			return auth.Credential{Username: f.Username, Password: f.Password}, nil
		}
		return auth.EmptyCredential, nil // The index of another host names this registry.
	}
	for _, name := range loginFiles() {
		store, err := credentials.NewFileStore(name) // It runs no credential helper.
		if err != nil {
			return auth.EmptyCredential, fmt.Errorf("%q cannot be read as a file of logins: repair it, or set "+
				"username and password", name)
		}
		found, err := store.Get(context.Background(), credentials.ServerAddressFromHostname(host))
		if err == nil && found != auth.EmptyCredential {
			for _, secret := range []string{found.Password, found.RefreshToken, found.AccessToken} {
				f.keep(found.Username, secret)
			}
			return found, nil
		}
	}
	return auth.EmptyCredential, nil
}

// loginFiles returns the paths of the files that helm and docker write. Without a home, their defaults would be files
// of the working folder.
func loginFiles() []string {
	helm, docker := os.Getenv("HELM_REGISTRY_CONFIG"), os.Getenv("DOCKER_CONFIG")
	var files []string
	if name := helmpath.ConfigPath("registry", "config.json"); helm != "" || filepath.IsAbs(name) {
		files = append(files, cmp.Or(helm, name))
	}
	if home, err := os.UserHomeDir(); docker != "" || err == nil {
		files = append(files, filepath.Join(cmp.Or(docker, filepath.Join(home, ".docker")), "config.json"))
	}
	return files
}
