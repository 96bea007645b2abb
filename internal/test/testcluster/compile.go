package testcluster

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// compileLog is the error output of go build -v: a line for each package that the compiler begins, and errors.
type compileLog struct {
	mu       sync.Mutex
	packages int
	rest     []byte
	errors   bytes.Buffer
}

// Write implements io.Writer. Only the line of a package contains no space.
func (l *compileLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	for {
		line, rest, complete := bytes.Cut(l.rest, []byte("\n"))
		if !complete {
			return len(text), nil
		}
		l.rest = rest
		if len(line) > 0 && !bytes.ContainsAny(line, " \t") {
			l.packages++
			continue
		}
		_, _ = l.errors.Write(append(line, '\n'))
	}
}

// String returns the output without the lines of packages.
func (l *compileLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errors.String() + string(l.rest)
}

// begun returns how many packages the compiler has begun.
func (l *compileLog) begun() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.packages
}

// coreSecondsPerPackage is how long a core compiles a package of a Kubernetes server, on average.
const coreSecondsPerPackage = 0.3

// firstEstimate returns how long the compilation of packages will take.
func firstEstimate(packages int) string {
	seconds := float64(packages) * coreSecondsPerPackage / float64(runtime.NumCPU())
	return about(time.Duration(seconds * float64(time.Second)))
}

// progressOf describes how far a build is and, when a part is done, how long the rest takes at the same speed.
func progressOf(begun, all int, elapsed time.Duration) string {
	text := fmt.Sprintf("%d of %d packages after %.0f s", min(begun, all), all, elapsed.Seconds())
	if begun >= all-1 {
		return text + ", linking"
	}
	if begun*10 < all {
		return text
	}
	return text + ", " + about(elapsed*time.Duration(all-begun)/time.Duration(begun)) + " more"
}

func about(d time.Duration) string {
	if minutes := int(d.Round(time.Minute).Minutes()); minutes > 1 {
		return fmt.Sprintf("about %d minutes", minutes)
	}
	return "about a minute"
}

// uncompiled returns how many packages of a program the build cache lacks. It downloads the modules.
func (b *moduleBuild) uncompiled(p program) (int, error) {
	out, err := b.goTool("list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}", p.pkg)
	return len(strings.Fields(out)), err
}
