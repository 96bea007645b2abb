package main

import (
	"os"
	"testing"
)

// The tests' own executable is the meter of the providers that they measure, and the echo.
func TestMain(m *testing.M) {
	if code, stands := standIn(); stands {
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
