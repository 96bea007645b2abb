package chartsource

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"
)

const maxIndex = 50 << 20

// index is the part of an index.yaml that is read.
type index struct {
	Entries map[string][]indexed `yaml:"entries"`
}

// indexed is a version of a chart.
type indexed struct {
	Version string   `yaml:"version"`
	URLs    []string `yaml:"urls"`
	// Digest is the SHA-256 of the archive, in hexadecimal digits.
	Digest string `yaml:"digest"`
}

// fromIndex returns the archive of a chart in a repository. The digest is "" unless the index leads to a registry.
func (f *fetcher) fromIndex(ctx context.Context) (packed []byte, digest string, err error) {
	at := *f.origin
	at.Path, at.RawPath = strings.TrimSuffix(at.Path, "/")+"/", ""
	text, err := f.download(ctx, at.JoinPath("index.yaml"), maxIndex)
	if err != nil {
		return nil, "", err
	}
	where := withoutQuery(&at)
	var charts index
	if err := yaml.Unmarshal(text, &charts); err != nil || charts.Entries == nil {
		return nil, "", fmt.Errorf("%s has no index.yaml of a chart repository, but something that begins with: %s",
			where, f.excerpt(string(text[:min(len(text), 4<<10)])))
	}
	entries, exists := charts.Entries[f.Chart]
	if !exists {
		return nil, "", fmt.Errorf("the repository %s has no chart %q. It has %s", where, f.Chart,
			f.excerpt(someOf(slices.Sorted(maps.Keys(charts.Entries)))))
	}
	var versions []string
	for _, found := range entries {
		versions = append(versions, found.Version)
	}
	version, err := choose(f.Version, versions)
	if err != nil {
		return nil, "", fmt.Errorf("the chart %q of %s: %w", f.Chart, where, err)
	}
	chosen := entries[slices.Index(versions, version)]
	from, err := at.Parse(strings.Join(chosen.URLs[:min(len(chosen.URLs), 1)], ""))
	switch {
	case err != nil, from.User != nil, len(chosen.URLs) == 0:
		return nil, "", fmt.Errorf("the index.yaml of %s has no usable URL for %s %s: the URL is missing, "+
			"invalid, or contains a password. Ask the publisher of the chart to correct it", where, f.Chart, version)
	case from.Scheme == "oci":
		repository, err := f.repository(from.String())
		if err != nil {
			return nil, "", err
		}
		return f.pullTag(ctx, repository, repository.Reference.Reference)
	case from.RawQuery == "" && isSameHost(from, &at):
		from.RawQuery = at.RawQuery // As Helm does.
	}
	if packed, err = f.download(ctx, from, maxArchive); err != nil {
		return nil, "", err
	}
	found, expected := fmt.Sprintf("%x", sha256.Sum256(packed)), strings.TrimPrefix(chosen.Digest, "sha256:")
	if expected != "" && !strings.EqualFold(found, expected) {
		return nil, "", fmt.Errorf("%s has the digest sha256:%s, and the index.yaml of %s says %s: one of them is "+
			"old, or the archive was changed. Try again, or tell who publishes the chart",
			withoutQuery(from), found, where, f.excerpt(chosen.Digest))
	}
	return packed, "", nil
}

func withoutQuery(address *url.URL) string {
	shown := url.URL{Scheme: address.Scheme, Host: address.Host, Path: address.Path}
	return shown.String()
}

// version is a version or a constraint that a user has written.
type version struct {
	text       string
	constraint *semver.Constraints
}

func parseVersion(text string) (version, error) {
	constraint := text
	if text == "" {
		constraint = "*"
	}
	parsed, err := semver.NewConstraint(constraint)
	if err != nil {
		return version{}, fmt.Errorf("version is %q, which is neither a version such as 1.2.3 nor a constraint such "+
			"as ~1.2 or \">= 1.2, < 2\"", text)
	}
	return version{text: text, constraint: parsed}, nil
}

func (v version) allows(found string) bool {
	if v.text == found {
		return true
	}
	parsed, err := semver.NewVersion(found)
	return err == nil && v.constraint.Check(parsed)
}

// choose returns the version that equals the string of the user, or else the newest one that the string, as a
// constraint, allows. Prereleases are allowed only by constraints that name one.
func choose(text string, versions []string) (string, error) {
	wanted, err := parseVersion(text)
	switch {
	case err != nil:
		return "", err
	case text != "" && slices.Contains(versions, text):
		return text, nil
	}
	var sorted []*semver.Version
	for _, found := range versions {
		if parsed, err := semver.NewVersion(found); err == nil {
			sorted = append(sorted, parsed)
		}
	}
	slices.SortStableFunc(sorted, func(a, b *semver.Version) int { return b.Compare(a) })
	for _, found := range sorted {
		if wanted.constraint.Check(found) {
			return found.Original(), nil
		}
	}
	if len(sorted) == 0 {
		return "", errors.New("there is no version")
	}
	var newest []string
	for _, found := range sorted[:min(len(sorted), 3)] {
		newest = append(newest, found.Original())
	}
	if text == "" {
		return "", fmt.Errorf("there are only prereleases, the newest are %s: write one as version, or >0.0.0-0 for "+
			"the newest of all", strings.Join(newest, ", "))
	}
	return "", fmt.Errorf("no version matches %q; the newest are %s. A constraint matches prereleases only if it has "+
		"one, such as >=1.0.0-0", text, strings.Join(newest, ", "))
}

// someOf lists the first of some names.
func someOf(names []string) string {
	switch {
	case len(names) == 0:
		return "no charts"
	case len(names) > 5:
		return fmt.Sprintf("%d charts, such as %s", len(names), strings.Join(names[:5], ", "))
	}
	return strings.Join(names, ", ")
}
