package testcluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Binaries are the absolute paths of the programs and files of a control plane.
type Binaries struct {
	Etcd              string
	APIServer         string
	ControllerManager string
	Scheduler         string
	Kwok              string
	// Stages is the file with the kwok stages that simulate nodes and pods.
	Stages string
	// Version is the Kubernetes version, "v1.36.3" for instance.
	Version string
}

// Build compiles the servers from the nested modules below servers/ into the user's cache directory and returns their
// paths. K8SCONNECT_TEST_KUBERNETES chooses among the Kubernetes minor versions that are pinned there, "1.35" for
// instance. It does not build what KUBEBUILDER_ASSETS contains, nor again what is in the cache. Each build removes from
// the cache what was not used for a month. Several processes may call it at the same time: one builds, the others wait.
// progress gets a line as each server builds; nil is silent. An error carries the compiler's output.
func Build(ctx context.Context, progress io.Writer) (Binaries, error) {
	servers, err := serversDir()
	if err != nil {
		return Binaries{}, err
	}
	kubernetesRecipe, err := kubernetesRecipe(servers)
	if err != nil {
		return Binaries{}, err
	}
	// The most expensive one comes first.
	recipes := []recipe{kubernetesRecipe, etcdRecipe, kwokRecipe}
	found, err := findAssets(recipes)
	if err != nil {
		return Binaries{}, err
	}
	counter := &buildCounter{progress: orDiscard(progress)}
	for i, r := range recipes {
		recipes[i] = found.lacks(r)
		counter.total += len(recipes[i].programs)
	}
	builds := make([]*moduleBuild, len(recipes))
	for i, r := range recipes {
		build, err := newModuleBuild(ctx, r, counter)
		if err != nil {
			return Binaries{}, err
		}
		if err := build.ensure(); err != nil {
			return Binaries{}, err
		}
		builds[i] = build
	}
	kubernetes, etcd, kwok := builds[0], builds[1], builds[2]
	version, err := found.version(ctx, kubernetes.version)
	return Binaries{
		Etcd:              cmp.Or(found["etcd"], etcd.file("etcd")),
		APIServer:         cmp.Or(found["kube-apiserver"], kubernetes.file("kube-apiserver")),
		ControllerManager: cmp.Or(found["kube-controller-manager"], kubernetes.file("kube-controller-manager")),
		Scheduler:         cmp.Or(found["kube-scheduler"], kubernetes.file("kube-scheduler")),
		Kwok:              cmp.Or(found["kwok"], kwok.file("kwok")),
		Stages:            kwok.file(stagesFile),
		Version:           version,
	}, err
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// buildCounter numbers the programs of one build for its progress lines.
type buildCounter struct {
	done, total int
	progress    io.Writer
}

// moduleBuild is one recipe on its way into the cache.
type moduleBuild struct {
	ctx     context.Context
	recipe  recipe
	counter *buildCounter
	// source is the nested module, target the cache directory of this recipe.
	source, target string
	pins           pins
	version        string
}

func newModuleBuild(ctx context.Context, r recipe, counter *buildCounter) (*moduleBuild, error) {
	servers, err := serversDir()
	if err != nil {
		return nil, err
	}
	source := filepath.Join(servers, r.module)
	pinned, err := readPins(source)
	if err != nil {
		return nil, err
	}
	if r.host != nil {
		if err := r.host.addTo(pinned, servers); err != nil {
			return nil, err
		}
	}
	version, err := pinned.version(r.path)
	if err != nil {
		return nil, err
	}
	return &moduleBuild{
		ctx:     ctx,
		recipe:  r,
		counter: counter,
		source:  source,
		pins:    pinned,
		target:  filepath.Join(cacheRoot(), r.module+"-"+r.key(pinned, version, toolchain())),
		version: version,
	}, nil
}

func (b *moduleBuild) file(name string) string { return filepath.Join(b.target, name) }

// completeFile marks a cache directory that has all its files.
const completeFile = "complete"

func (b *moduleBuild) isComplete() bool {
	_, err := os.Stat(b.file(completeFile))
	return err == nil
}

// ensure builds what the cache directory lacks, under a lock that other processes wait for.
func (b *moduleBuild) ensure() error {
	if b.isComplete() {
		b.counter.done += len(b.recipe.programs)
		return markUsed(b.target)
	}
	if err := os.MkdirAll(b.target, 0o750); err != nil {
		return fmt.Errorf("create the cache for servers: %w", err)
	}
	unlock, err := lockFile(b.ctx, b.target+".lock", func() {
		b.say("waiting for another process that builds %s", b.recipe.programs[0].name)
	})
	if err != nil {
		return fmt.Errorf("lock the cache for servers: %w", err)
	}
	defer unlock()
	b.sweep()
	if b.recipe.host != nil {
		if err := b.prepareCLI(); err != nil {
			return fmt.Errorf("prepare the build of %s: %w", b.recipe.module, err)
		}
		defer func() { _ = os.RemoveAll(b.source) }()
	}
	for _, p := range b.recipe.programs {
		b.counter.done++
		if err := b.program(p); err != nil {
			return err
		}
	}
	if b.recipe.bundle != nil {
		if err := b.recipe.bundle.write(b); err != nil {
			return fmt.Errorf("write %s of %s: %w", b.recipe.bundle.name, b.recipe.module, err)
		}
	}
	if err := os.WriteFile(b.file(completeFile), []byte(b.version+"\n"), 0o600); err != nil {
		return err
	}
	return prune(filepath.Dir(b.target), time.Now().Add(-keepUnused))
}

// sweep removes the files that killed builds left behind. The caller holds the lock.
func (b *moduleBuild) sweep() {
	leftovers, _ := filepath.Glob(b.file("*.tmp"))
	for _, path := range leftovers {
		_ = os.RemoveAll(path)
	}
}

// program builds one executable unless it is there, and says so before, every 30 seconds and after.
func (b *moduleBuild) program(p program) error {
	if _, err := os.Stat(b.file(p.name)); err == nil {
		return nil
	}
	b.say("building %s %s from source (%d of %d) ...", p.name, b.version, b.counter.done, b.counter.total)
	all, err := b.uncompiled(p)
	if err != nil {
		return fmt.Errorf("build %s: %w", p.name, err)
	}
	if all > 1 {
		b.say("%s: %d packages to compile, %s if the machine does nothing else", p.name, all, firstEstimate(all))
	}
	start, log := time.Now(), &compileLog{}
	stop := heartbeat(func() { b.say("%s: %s ...", p.name, progressOf(log.begun(), all, time.Since(start))) })
	defer stop()

	temporary := fmt.Sprintf("%s.%d.tmp", b.file(p.name), os.Getpid())
	defer func() { _ = os.Remove(temporary) }()
	flags := b.recipe.ldflags(b.version)
	if _, err := b.goLogged(log, "build", "-v", "-ldflags", flags, "-o", temporary, p.pkg); err != nil {
		return fmt.Errorf("build %s: %w", p.name, err)
	}
	if err := os.Rename(temporary, b.file(p.name)); err != nil {
		return fmt.Errorf("build %s: %w", p.name, err)
	}
	b.say("built %s in %.0f s", p.name, time.Since(start).Seconds())
	return nil
}

func (b *moduleBuild) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.counter.progress, format+"\n", args...)
}

// heartbeatInterval is the time between two progress lines of a build.
const heartbeatInterval = 30 * time.Second

// heartbeat calls beat every 30 seconds until the function that it returns is called.
func heartbeat(beat func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(heartbeatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				beat()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// goTool runs the go command in the nested module and returns its output. An error contains the command's error
// messages.
func (b *moduleBuild) goTool(args ...string) (string, error) {
	return b.goLogged(&bytes.Buffer{}, args...)
}

// goLogged does what goTool does, and writes the command's error messages to log.
func (b *moduleBuild) goLogged(log interface {
	io.Writer
	fmt.Stringer
}, args ...string) (string, error) {
	cmd := exec.CommandContext(b.ctx, "go", args...)
	cmd.Dir = b.source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "PWD="+b.source)
	if os.Getenv("GOGC") == "" {
		// Compilers of large packages spend a sixth of their time on collecting garbage.
		cmd.Env = append(cmd.Env, "GOGC=400")
	}
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, log
	if err := cmd.Run(); err != nil {
		if ctxErr := b.ctx.Err(); ctxErr != nil {
			return "", ctxErr
		}
		return "", errors.Join(fmt.Errorf("go %s: %w", args[0], err), errors.New(log.String()))
	}
	return stdout.String(), nil
}

// keepUnused is how long the cache keeps executables that are not started. A set of Kubernetes servers is 360 MB, and
// every version, pin and toolchain has its own.
const keepUnused = 30 * 24 * time.Hour

// markUsed records that a complete cache directory is used now.
func markUsed(dir string) error {
	now := time.Now()
	if err := os.Chtimes(filepath.Join(dir, completeFile), now, now); err != nil {
		return fmt.Errorf("mark servers as used: %w", err)
	}
	return nil
}

// prune removes the complete cache directories that were last used before a time.
func prune(cache string, before time.Time) error {
	complete, err := filepath.Glob(filepath.Join(cache, "*", completeFile))
	if err != nil {
		return err
	}
	var failures []error
	for _, file := range complete {
		info, err := os.Stat(file)
		if err != nil || !info.ModTime().Before(before) {
			continue // Another process was faster, or somebody uses it.
		}
		dir := filepath.Dir(file)
		// The mark is removed first, so that a directory whose removal fails halfway does not count as complete.
		failures = append(failures, os.Remove(file), os.RemoveAll(dir), os.RemoveAll(dir+".lock"))
	}
	return errors.Join(failures...)
}
