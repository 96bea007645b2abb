package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	once := flag.String("platforms", "all", `what to build: "host" or "all" platforms`)
	twice := flag.String("twice", "host", `what to build a second time, to compare it: "host" or "all" platforms`)
	parallel := flag.Int("parallel", 1, "how many platforms to build at a time")
	compile := flag.Bool("compile", false, "compile for other systems, and do nothing else")
	flag.Parse()
	check := func(ctx context.Context) error { return run(ctx, *once, *twice, *parallel) }
	if *compile {
		check = compileTests
	}
	if err := untilInterrupted(check); err != nil {
		fmt.Fprintln(os.Stderr, "release-check:", err)
		os.Exit(1)
	}
}

func untilInterrupted(check func(context.Context) error) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	return check(ctx)
}

// step is a part of the check.
type step struct {
	name string
	run  func(context.Context) error
}

// selected returns the platforms that a flag names.
func selected(flag string) ([]platform, error) {
	switch flag {
	case "host":
		return []platform{host()}, nil
	case "all":
		return platforms, nil
	}
	return nil, fmt.Errorf(`-platforms and -twice can be "host" or "all", not %q`, flag)
}

func run(ctx context.Context, once, twice string, parallel int) (err error) {
	first, err := selected(once)
	if err != nil {
		return err
	}
	again, err := selected(twice)
	if err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "k8sconnect-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()

	commit, err := output(ctx, "", "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	one := &build{dir: filepath.Join(root, "one"), platforms: first, parallel: parallel, commit: commit}
	two := &build{dir: filepath.Join(root, "two", "elsewhere"), platforms: again, parallel: parallel, commit: commit}
	key := &signingKey{dir: filepath.Join(root, "gpg")}
	defer func() { err = errors.Join(err, key.remove()) }()
	return follow(ctx, []step{
		{"the checksums of the modules", verifyModules},
		{"the tests of other systems", compileTests},
		{"a clone of " + commit, one.clone},
		{"a key to sign with", key.create},
		{fmt.Sprintf("goreleaser, %d platforms (minutes for each, the first time)", len(first)),
			func(ctx context.Context) error { return one.make(ctx, key) }},
		{"names, checksums and sizes", func(context.Context) error { return one.check() }},
		{"the signature", func(ctx context.Context) error { return key.verify(ctx, one) }},
		{"the bill of materials", func(context.Context) error { return one.checkBills() }},
		{"another clone", two.clone},
		{fmt.Sprintf("goreleaser, %d platforms again", len(again)), func(ctx context.Context) error {
			return two.make(ctx, key)
		}},
		{"the same bytes twice", func(context.Context) error { return same(one, two) }},
		{"installations by Terraform and OpenTofu, on a control plane", func(ctx context.Context) error {
			return install(ctx, one, filepath.Join(root, "install"))
		}},
	})
}

// follow runs the steps in order. It prints the name of each step, and how long it took.
func follow(ctx context.Context, steps []step) error {
	began := time.Now()
	for i, s := range steps {
		fmt.Printf("[%d/%d] %s ...\n", i+1, len(steps), s.name)
		start := time.Now()
		if err := s.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("      %.0f s\n", time.Since(start).Seconds())
	}
	fmt.Printf("the release is sound; the check took %.0f s\n", time.Since(began).Seconds())
	return nil
}
