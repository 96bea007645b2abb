package chartsource_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
)

// contents returns the files of a chart and its subcharts, by their paths.
func contents(c *chart.Chart) map[string]string {
	found := map[string]string{}
	for _, file := range c.Raw {
		found[c.ChartFullPath()+"/"+file.Name] = string(file.Data)
	}
	for _, subchart := range c.Dependencies() {
		for name, content := range contents(subchart) {
			found[name] = content
		}
	}
	return found
}

// A folder is read as Helm reads it: with its .helmignore, links to files and folders inside of it, and subcharts in folders
// and archives.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"Chart.yaml": chartYAML("shop", "1.2.3"), ".helmignore": "*.bak\nvendor/\n/notes.txt\n", "values.yaml": "\ufeffa: 1\n",
		"templates/web.yaml": template, "templates/.hidden": "x", "templates/web.bak": "x", "notes.txt": "x", "docs/notes.txt": "x",
		"vendor/big": "x", "shared/name.tpl": "{{/* */}}",
		"charts/db/Chart.yaml": chartYAML("db", "0.1.0"), "charts/db/charts/disk/Chart.yaml": chartYAML("disk", "0.1.0"),
		"charts/web-1.0.0.tgz": string(web(t, "1.0.0")), "charts/_old/Chart.yaml": "x",
	})
	outside := folder(t, map[string]string{"big": "x"})
	for link, target := range map[string]string{
		"templates/name.tpl": "../shared/name.tpl", "files": "shared", "linked.bak": filepath.Join(outside, "big"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	expected, err := loader.LoadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := contents(want(t, chartsource.Source{Chart: dir, Version: "~1.2"}).Chart)
	if diff := cmp.Diff(contents(expected), found); diff != "" {
		t.Errorf("what Helm reads (-) and we (+):\n%s", diff)
	}
	for _, name := range []string{"shop/files/name.tpl", "shop/templates/name.tpl", "shop/charts/db/charts/disk/Chart.yaml", "shop/charts/web/templates/web.yaml"} {
		if found[name] == "" {
			t.Errorf("%s was not read", name)
		}
	}
	if _, exists := found["shop/vendor/big"]; exists {
		t.Error("an ignored file was read")
	}
}

// A folder that is itself a link is read.
func TestLinkedFolder(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "shop")
	if err := os.Symlink(folder(t, map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3")}), link); err != nil {
		t.Fatal(err)
	}
	if loaded := want(t, chartsource.Source{Chart: link}); loaded.Digest != "" || loaded.Chart.Name() != "shop" {
		t.Errorf("%s with digest %q", loaded.Chart.Name(), loaded.Digest)
	}
}

func TestFolderErrors(t *testing.T) {
	t.Parallel()
	outside := folder(t, map[string]string{"token": "hidden", "templates/a.yaml": "hidden"})
	good := chartYAML("shop", "1.2.3")
	for name, tt := range map[string]struct {
		files  map[string]string
		links  map[string]string
		source chartsource.Source
		want   []string
	}{
		"a link to a file outside":           {links: map[string]string{"templates/a.yaml": filepath.Join(outside, "token")}, want: []string{`"templates/a.yaml" is a symbolic link to`, "token", "copy"}},
		"a link to a folder outside":         {links: map[string]string{"templates": filepath.Join(outside, "templates")}, want: []string{`"templates" is a symbolic link to`}},
		"a link upwards":                     {links: map[string]string{"up": "../../"}, want: []string{`"up" is a symbolic link to "../../"`}},
		"a link to a link outside":           {files: map[string]string{"a/x": ""}, links: map[string]string{"b": "a/c", "a/c": outside}, want: []string{"is a symbolic link to"}},
		"the ignore file is a link":          {links: map[string]string{".helmignore": filepath.Join(outside, "token")}, want: []string{`".helmignore" is a symbolic link to`}},
		"a link to nothing":                  {links: map[string]string{"a": "b"}, want: []string{`"a" is a symbolic link to "b", which does not exist`}},
		"a link to the folder around it":     {files: map[string]string{"a/b/c": ""}, links: map[string]string{"a/b/d": ".."}, want: []string{`"a/b/d" is a symbolic link to a folder that it is in`}},
		"links to each other's folders":      {files: map[string]string{"a/x": "", "b/x": ""}, links: map[string]string{"a/l": "../b", "b/l": "../a"}, want: []string{"is a symbolic link to a folder that it is in"}},
		"a subchart in too many":             {files: map[string]string{strings.Repeat("charts/a/", 17) + "Chart.yaml": good}, want: []string{"more than 16 others"}},
		"a damaged archive of a subchart":    {files: map[string]string{"charts/a.tgz": "no archive"}, want: []string{"in charts/a.tgz: no chart archive"}},
		"a library":                          {files: map[string]string{"Chart.yaml": good + "type: library\n"}, want: []string{"shop 1.2.3 is a library"}},
		"another version of the format":      {files: map[string]string{"Chart.yaml": strings.Replace(good, "v2", "v3", 1)}, want: []string{`apiVersion "v3"`, "v1 and v2"}},
		"no chart":                           {files: map[string]string{"Chart.yaml": ""}, want: []string{"name is required"}},
		"no version":                         {files: map[string]string{"Chart.yaml": "apiVersion: v2\nname: a\n"}, want: []string{"version is required"}},
		"missing dependencies":               {files: map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3", "dependencies:", "- name: db", "- name: cache", "- {name: queue, alias: q}"), "charts/db/Chart.yaml": chartYAML("db", "1.0.0")}, want: []string{"depends on: cache, queue.", "helm dependency build"}},
		"another version":                    {source: chartsource.Source{Version: "^2"}, want: []string{"shop 1.2.3", `version is "^2"`}},
		"no constraint":                      {source: chartsource.Source{Version: "new"}, want: []string{`version is "new", which is neither`}},
		"a digest":                           {source: chartsource.Source{Digest: "sha256:" + strings.Repeat("0", 64)}, want: []string{"is a folder", "leave it out"}},
		"a word that a terminal understands": {files: map[string]string{"Chart.yaml": chartYAML(`"a/\e[31mb"`, "1.0.0")}, want: []string{"name", "is invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"Chart.yaml": good}
			for name, content := range tt.files {
				files[name] = content
			}
			dir := folder(t, files)
			for link, target := range tt.links {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			tt.source.Chart = dir
			want(t, tt.source, tt.want...)
		})
	}
}

func TestFolderLimits(t *testing.T) {
	t.Parallel()
	many := folder(t, map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3")})
	for i := range 10_000 {
		if err := os.WriteFile(filepath.Join(many, fmt.Sprintf("f%d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large := folder(t, map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3"), "a": "", "b": ""})
	for _, name := range []string{"a", "b"} {
		if err := os.Truncate(filepath.Join(large, name), 51<<20); err != nil {
			t.Fatal(err)
		}
	}
	// Each folder has four links to the next one.
	doubled := folder(t, map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3")})
	if err := os.Mkdir(filepath.Join(doubled, "d7"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		level := filepath.Join(doubled, fmt.Sprintf("d%d", i))
		errs := []error{os.Mkdir(level, 0o700)}
		for link := range 4 {
			errs = append(errs, os.Symlink(fmt.Sprintf("../d%d", i+1), filepath.Join(level, strconv.Itoa(link))))
		}
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	want(t, chartsource.Source{Chart: doubled}, "more than 10000 files")
	irregular := folder(t, map[string]string{"Chart.yaml": chartYAML("shop", "1.2.3")})
	socket, err := net.Listen("unix", filepath.Join(irregular, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	want(t, chartsource.Source{Chart: many}, "more than 10000 files")
	want(t, chartsource.Source{Chart: large}, "more than 100 MiB")
	want(t, chartsource.Source{Chart: irregular}, `"s" is neither a folder nor a regular file`)
	want(t, chartsource.Source{Chart: filepath.Join(irregular, "s")}, "neither a folder nor a regular file")
	want(t, chartsource.Source{Chart: filepath.Join(irregular, "nowhere")}, "neither a folder nor an archive", "no such file", "set repository")
}

func TestArchive(t *testing.T) {
	t.Parallel()
	archive := web(t, "1.2.3")
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(archive))
	path := file(t, "web-1.2.3.tgz", archive)
	for _, source := range []chartsource.Source{{Chart: path}, {Chart: path, Digest: digest, Version: "1.2.3"}} {
		loaded := want(t, source)
		if loaded.Digest != digest || loaded.Chart.Metadata.Version != "1.2.3" || len(loaded.Chart.Templates) != 1 {
			t.Errorf("%s %s with %d templates, digest %s", loaded.Chart.Name(), loaded.Chart.Metadata.Version, len(loaded.Chart.Templates), loaded.Digest)
		}
	}
	want(t, chartsource.Source{Chart: path, Version: "1.2.4"}, "1.2.3", `version is "1.2.4"`)
	want(t, chartsource.Source{Chart: path, Digest: "sha256:" + strings.Repeat("0", 64)}, digest, "sha256:"+strings.Repeat("0", 64))
	want(t, chartsource.Source{Chart: path, Digest: "sha256:ABC"}, `digest "sha256:ABC" is not`)
}

// nested is an archive of a chart that is in so many others.
func nested(t *testing.T, within int) []byte {
	t.Helper()
	archive := web(t, "1.0.0")
	for range within {
		archive = packed(t, map[string]string{"a/Chart.yaml": chartYAML("a", "1.0.0"), "a/charts/b.tgz": string(archive)})
	}
	return archive
}

func TestArchiveLimits(t *testing.T) {
	t.Parallel()
	good := chartYAML("a", "1.0.0")
	zeros := strings.Repeat("\x00", 40<<20)
	part := string(packed(t, map[string]string{"b/Chart.yaml": good, "b/zeros": zeros}))
	many := map[string]string{"a/Chart.yaml": good}
	for i := range 5_001 {
		many[fmt.Sprintf("a/f%d", i)] = ""
	}
	link := func(kind byte) tar.Header {
		return tar.Header{Name: "a/token", Linkname: "/etc/passwd", Typeflag: kind}
	}
	damaged := web(t, "1.0.0")
	damaged[len(damaged)/2] ^= 0xff
	for name, tt := range map[string]struct {
		archive []byte
		want    string
	}{
		"large":                           {packed(t, map[string]string{"a/Chart.yaml": good, "a/1": zeros, "a/2": zeros, "a/3": zeros}), "more than 100 MiB"},
		"large archives inside":           {packed(t, map[string]string{"a/Chart.yaml": good, "a/charts/1.tgz": part, "a/charts/2.tgz": part, "a/charts/b/charts/3.tgz": part}), "more than 100 MiB"},
		"many files":                      {packed(t, many, emptyFiles()...), "more than 10000 files"},
		"many files in archives":          {packed(t, map[string]string{"a/Chart.yaml": good, "a/charts/1.tgz": string(packed(t, many)), "a/charts/2.tgz": string(packed(t, many))}), "more than 10000 files"},
		"much that is no file":            {packed(t, map[string]string{"a/Chart.yaml": good}, comments()...), "more than 100 MiB"},
		"archives in archives":            {nested(t, 17), "more than 16 others"},
		"a symbolic link":                 {packed(t, map[string]string{"a/Chart.yaml": good}, link(tar.TypeSymlink)), `"a/token" is a link or a device`},
		"a hard link":                     {packed(t, map[string]string{"a/Chart.yaml": good}, link(tar.TypeLink)), `"a/token" is a link or a device`},
		"a device":                        {packed(t, map[string]string{"a/Chart.yaml": good}, link(tar.TypeChar)), `"a/token" is a link or a device`},
		"a path upwards":                  {packed(t, map[string]string{"a/Chart.yaml": good, "a/../../token": "x"}), "references parent directory"},
		"an absolute path":                {packed(t, map[string]string{"a/Chart.yaml": good, "a//etc/token": "x"}), "absolute paths"},
		"a file beside the chart":         {packed(t, map[string]string{"Chart.yaml": good}), "content outside the base directory"},
		"no file":                         {packed(t, nil), "no files in chart archive"},
		"half of an archive":              {web(t, "1.0.0")[:100], "damaged"},
		"other bytes":                     {damaged, "damaged"},
		"nothing":                         {nil, "no chart archive"},
		"no archive":                      {[]byte("<html>\x1b[31m" + strings.Repeat("x", 1000)), `begins with "<html>`},
		"more than 20 MiB":                {make([]byte, 20<<20+1), "more than 20 MiB"},
		"half of an archive in the chart": {packed(t, map[string]string{"a/Chart.yaml": good, "a/charts/1.tgz": part[:100]}), "in charts/1.tgz: the archive is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, chartsource.Source{Chart: file(t, "a.tgz", tt.archive)}, tt.want)
		})
	}
	want(t, chartsource.Source{Chart: file(t, "a.tgz", nested(t, 16))})
}

// comments are more than 100 MiB of headers.
func comments() []tar.Header {
	return slices.Repeat([]tar.Header{{Typeflag: tar.TypeXGlobalHeader, Name: "a/h", PAXRecords: map[string]string{"comment": strings.Repeat("x", 1<<20-100)}}}, 101)
}

func emptyFiles() []tar.Header {
	var entries []tar.Header
	for i := range 5_000 {
		entries = append(entries, tar.Header{Name: fmt.Sprintf("a/g%d", i), Typeflag: tar.TypeReg})
	}
	return entries
}

// A file in an archive may have more zeros than the archive has bytes.
func TestSparseFiles(t *testing.T) {
	t.Parallel()
	var plain bytes.Buffer
	archive := tar.NewWriter(&plain)
	good := chartYAML("a", "1.0.0")
	// The writer refuses the names of the records.
	records := map[string]string{"ANY.sparse.map": "0,0", "ANY.sparse.numblocks": "1", "ANY.sparse.size": strconv.Itoa(200 << 20)}
	if err := errors.Join(
		archive.WriteHeader(&tar.Header{Name: "a/Chart.yaml", Size: int64(len(good)), Typeflag: tar.TypeReg}),
		func() error { _, err := archive.Write([]byte(good)); return err }(),
		archive.WriteHeader(&tar.Header{Name: "a/zeros", Typeflag: tar.TypeReg, PAXRecords: records}),
		archive.Close(),
	); err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	sparse := bytes.ReplaceAll(plain.Bytes(), []byte("ANY.sparse"), []byte("GNU.sparse"))
	if _, err := zip.Write(sparse); err != nil || zip.Close() != nil {
		t.Fatal(err)
	}
	reader := tar.NewReader(bytes.NewReader(sparse))
	_, first := reader.Next()
	if entry, err := reader.Next(); first != nil || err != nil || entry.Size != 200<<20 || len(sparse) > 10<<10 {
		t.Fatalf("no sparse file: %+v, %v", entry, err)
	}
	want(t, chartsource.Source{Chart: file(t, "a.tgz", zipped.Bytes())}, "more than 100 MiB")
}
