package chartsource

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"testing"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// FuzzArchive checks that any tar archive is a chart or an error, and that what is unpacked of it is counted.
func FuzzArchive(f *testing.F) {
	zip := func(plain []byte) []byte {
		var zipped bytes.Buffer
		writer := gzip.NewWriter(&zipped)
		if _, err := writer.Write(plain); err != nil || writer.Close() != nil {
			f.Fatal(err)
		}
		return zipped.Bytes()
	}
	write := func(files ...string) []byte {
		var plain bytes.Buffer
		archive := tar.NewWriter(&plain)
		for i := 0; i < len(files); i += 2 {
			if err := archive.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Typeflag: tar.TypeReg}); err != nil {
				f.Fatal(err)
			}
			if _, err := archive.Write([]byte(files[i+1])); err != nil {
				f.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			f.Fatal(err)
		}
		return plain.Bytes()
	}
	const good = "apiVersion: v2\nname: a\nversion: 1.0.0\n"
	chart := write("a/Chart.yaml", good+"dependencies:\n- {name: b}\n", "a/values.yaml", "a: 1\n", "a/templates/a.yaml", "kind: A\n", "a/Chart.lock", "digest: a\n")
	f.Add(chart)
	f.Add(write("a/Chart.yaml", good, "a/charts/b.tgz", string(zip(chart)), "a/charts/c/Chart.yaml", good, "a/charts/_d", ""))
	f.Add(write("a/Chart.yaml", "apiVersion: v1\nname: a\nversion: 1.0.0\ndependencies: [null]\nmaintainers: [null]\n", "a/requirements.yaml", "dependencies: []\n", "a/requirements.lock", "null"))
	f.Add(write("a/../Chart.yaml", good, "Chart.yaml", good, `a\Chart.yaml`, good, "a//b", "", "a/c:/d", ""))
	f.Fuzz(func(t *testing.T, plain []byte) {
		left := &allowance{unpacked: 1 << 20, content: 1 << 20, files: 100}
		files, err := left.unpack(zip(plain), 0)
		if err != nil {
			return
		}
		var size int64
		for _, file := range files {
			size += int64(len(file.Data))
		}
		if size > 1<<20-left.content || len(files) > 100-left.files || left.content < 0 || left.files < 0 {
			t.Fatalf("%d files with %d bytes, of which %+v is left", len(files), size, left)
		}
		loaded, err := loader.LoadFiles(files)
		if err == nil && (&fetcher{}).check(loaded) == nil && loaded.Name() == "" {
			t.Fatal("a chart without a name")
		}
	})
}
