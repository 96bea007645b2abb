package chartsource

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"
)

// How much a chart may be.
const (
	maxArchive = 20 << 20
	// maxUnpacked is for all files together, those of archives inside of the archive, too.
	maxUnpacked = 100 << 20
	maxFiles    = 10_000
	// maxDepth is how many charts a file may be in.
	maxDepth = 16
)

// allowance is the rest of the limits of one chart.
type allowance struct {
	// unpacked limits the bytes of tar archives, content those of files, which may be sparse.
	unpacked, content int64
	files             int
}

func newAllowance() *allowance {
	return &allowance{unpacked: maxUnpacked, content: maxUnpacked, files: maxFiles}
}

var (
	errTooLarge     = fmt.Errorf("the chart has more than %d MiB when it is unpacked", maxUnpacked>>20)
	errTooManyFiles = fmt.Errorf("the chart has more than %d files", maxFiles)
	errTooDeep      = fmt.Errorf("a chart is in more than %d others", maxDepth)
)

// take counts a file.
func (a *allowance) take(size int64) error {
	a.files--
	a.content -= size
	switch {
	case a.files < 0:
		return errTooManyFiles
	case a.content < 0:
		return errTooLarge
	}
	return nil
}

// unpack returns the files of an archive that is in so many charts already.
func (a *allowance) unpack(packed []byte, depth int) ([]*archive.BufferedFile, error) {
	if err := a.count(packed); err != nil {
		return nil, err
	}
	files, err := archive.LoadArchiveFiles(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return files, a.countSubcharts(files, depth)
}

// count reads an archive to its end before Helm's loader keeps anything of it: the loader has a limit for each archive,
// and none for files without content.
func (a *allowance) count(packed []byte) error {
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return fmt.Errorf("no chart archive (.tgz), but something that begins with %q", packed[:min(len(packed), 100)])
	}
	limited := &io.LimitedReader{R: unzipped, N: a.unpacked}
	entries := tar.NewReader(limited)
	for {
		entry, err := entries.Next()
		a.unpacked = limited.N
		switch {
		case limited.N == 0:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("the archive is damaged: %w", err)
		case entry.Typeflag == tar.TypeXGlobalHeader:
		case entry.Typeflag != tar.TypeReg && entry.Typeflag != tar.TypeDir:
			return fmt.Errorf("%q is a link or a device, and an archive of a chart has files only", entry.Name)
		}
		if err := a.take(entry.Size); err != nil {
			return err
		}
	}
}

// archives matches the subcharts of a chart, and of its subcharts, that Helm's loader unpacks.
var archives = regexp.MustCompile(`^(?:charts/[^/]+/)*charts/[^/_.][^/]*\.tgz$`)

// countSubcharts counts what is in the archives among files.
func (a *allowance) countSubcharts(files []*archive.BufferedFile, depth int) error {
	for _, file := range files {
		inside := depth + strings.Count("/"+file.Name, "/charts/")
		if inside > maxDepth {
			return errTooDeep
		}
		if !archives.MatchString(file.Name) {
			continue
		}
		switch _, err := a.unpack(file.Data, inside); {
		case errors.Is(err, errTooDeep):
			return err
		case err != nil:
			return fmt.Errorf("in %s: %w", file.Name, err)
		}
	}
	return nil
}

// local returns the files of a folder, or the bytes of an archive.
func (f *fetcher) local() (files []*archive.BufferedFile, packed []byte, err error) {
	info, err := os.Stat(f.Chart)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("there is neither a folder nor an archive %q: %w. For a chart of a repository, "+
			"set repository, too, or write oci:// and its path", f.Chart, withoutPath(err))
	case info.IsDir() && f.Digest != "":
		return nil, nil, fmt.Errorf("%q is a folder, and digest is for archives and registries: leave it out", f.Chart)
	case info.IsDir():
		files, err = readFolder(f.Chart)
		return files, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%q is neither a folder nor a regular file", f.Chart)
	case info.Size() > maxArchive:
		return nil, nil, fmt.Errorf("%q has more than %d MiB, the limit of a chart archive", f.Chart, maxArchive>>20)
	}
	if packed, err = os.ReadFile(f.Chart); err != nil {
		return nil, nil, fmt.Errorf("%q cannot be read: %w", f.Chart, withoutPath(err))
	}
	return nil, packed, nil
}

// withoutPath returns an error of package os without the path, which the sentence around it has.
func withoutPath(err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Err
	}
	return err
}

// folder reads a chart as Helm does, but no links that lead out of it.
type folder struct {
	root    *os.Root
	rules   *ignore.Rules
	left    *allowance
	entries int
	files   []*archive.BufferedFile
}

func readFolder(name string) ([]*archive.BufferedFile, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("the folder %q cannot be read: %w", name, withoutPath(err))
	}
	defer root.Close() //nolint:errcheck // It was only read.
	f := &folder{root: root, rules: ignore.Empty(), left: newAllowance(), files: []*archive.BufferedFile{}}
	if err := f.readAll(); err != nil {
		return nil, fmt.Errorf("the chart in the folder %q: %w", name, err)
	}
	return f.files, nil
}

func (f *folder) readAll() error {
	if _, err := f.root.Lstat(ignore.HelmIgnore); err == nil {
		info, err := f.stat(ignore.HelmIgnore)
		if err != nil {
			return err
		}
		text, err := f.read(ignore.HelmIgnore, info)
		if err != nil {
			return err
		}
		if f.rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
		}
	}
	f.rules.AddDefaults()
	top, err := f.root.Stat(".")
	if err != nil {
		return err
	}
	if err := f.walk(".", []fs.FileInfo{top}); err != nil {
		return err
	}
	return f.left.countSubcharts(f.files, 0)
}

// walk reads what is in a folder; within are that folder and those around it.
func (f *folder) walk(dir string, within []fs.FileInfo) error {
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if f.entries++; f.entries > maxFiles {
			return errTooManyFiles
		}
		name := path.Join(dir, entry.Name())
		info, err := f.stat(name)
		if err != nil {
			if link, linkErr := entry.Info(); linkErr == nil && f.rules.Ignore(name, link) {
				continue
			}
			return err
		}
		switch {
		case f.rules.Ignore(name, info):
		case info.IsDir():
			isIt := func(around fs.FileInfo) bool { return os.SameFile(around, info) }
			if slices.ContainsFunc(within, isIt) {
				return fmt.Errorf("%q is a symbolic link to a folder that it is in", name)
			}
			if err := f.walk(name, append(slices.Clone(within), info)); err != nil {
				return err
			}
		default:
			data, err := f.read(name, info)
			if err != nil {
				return err
			}
			f.files = append(f.files, &archive.BufferedFile{Name: name, ModTime: info.ModTime(), Data: data})
		}
	}
	return nil
}

// stat follows links inside of the folder.
func (f *folder) stat(name string) (fs.FileInfo, error) {
	info, err := f.root.Stat(name)
	if err == nil {
		return info, nil
	}
	target, linkErr := f.root.Readlink(name)
	switch {
	case linkErr != nil:
		return nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%q is a symbolic link to %q, which does not exist", name, target)
	}
	return nil, fmt.Errorf("%q is a symbolic link to %q. Only relative links inside of the chart's folder are "+
		"followed: replace it by a copy, or name a chart in another folder among the dependencies, with "+
		"repository: file://", name, target)
}

func (f *folder) read(name string, info fs.FileInfo) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is neither a folder nor a regular file", name)
	}
	if err := f.left.take(info.Size()); err != nil {
		return nil, err
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // It was only read.
	data, err := io.ReadAll(io.LimitReader(file, info.Size()))
	return bytes.TrimPrefix(data, []byte("\ufeff")), err
}
