package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// signingKey is a key that lives as long as the check. Without gpg, the check has no key and signs nothing.
type signingKey struct {
	dir         string
	fingerprint string
}

func (k *signingKey) exists() bool { return k.fingerprint != "" }

// create makes a key for this check alone.
func (k *signingKey) create(ctx context.Context) error {
	if _, err := exec.LookPath("gpg"); err != nil {
		fmt.Println("      NOT CHECKED: no gpg is installed, so that nothing is signed")
		return nil
	}
	if err := os.Mkdir(k.dir, 0o700); err != nil {
		return err
	}
	if _, err := k.gpg(ctx, "--passphrase", "", "--quick-generate-key", "release-check", "rsa3072", "sign",
		"1d"); err != nil {
		return err
	}
	listed, err := k.gpg(ctx, "--with-colons", "--list-secret-keys")
	if err != nil {
		return err
	}
	for line := range strings.Lines(listed) {
		if fields := strings.Split(line, ":"); fields[0] == "fpr" && len(fields) > 9 {
			k.fingerprint = fields[9]
			return nil
		}
	}
	return errors.New("gpg lists no key after it has made one")
}

// environment returns the variables with which gpg finds the key and .goreleaser.yml names it.
func (k *signingKey) environment() []string {
	if !k.exists() {
		return nil
	}
	return []string{"GNUPGHOME=" + k.dir, "GPG_FINGERPRINT=" + k.fingerprint}
}

// verify checks the signature of SHA256SUMS.
func (k *signingKey) verify(ctx context.Context, b *build) error {
	if !k.exists() {
		return nil
	}
	sums := filepath.Join(b.dist(), checksumsOf(b.version))
	_, err := k.gpg(ctx, "--verify", sums+".sig", sums)
	return err
}

// remove ends the agent that gpg has started for the key. The key's directory is removed with that of the check.
func (k *signingKey) remove() error {
	if !k.exists() {
		return nil
	}
	return exec.Command("gpgconf", "--homedir", k.dir, "--kill", "gpg-agent").Run()
}

func (k *signingKey) gpg(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "gpg", append([]string{"--homedir", k.dir, "--batch", "--quiet"}, args...)...)
	printed, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("gpg %s: %w\n%s", args[0], err, printed)
	}
	return string(printed), nil
}
