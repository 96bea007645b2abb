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
