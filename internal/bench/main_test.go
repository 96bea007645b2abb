package main

import (
	"fmt"
	"os"
	"testing"
)

// The tests' own executable is the meter of the providers that they measure.
func TestMain(m *testing.M) {
	if provider := os.Getenv(envProvider); provider != "" {
		code, err := runMetered(provider)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
