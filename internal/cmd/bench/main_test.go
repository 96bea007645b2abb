package main

import (
	"os"
	"testing"
)

// TestMain makes the tests' own executable the meter of the providers that they measure, and the echo.
func TestMain(m *testing.M) {
	if code, stands := standIn(); stands {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
