package main

import (
	"os"

	"github.com/hashicorp/cli"
)

// resetCLI sets the variables that a command changes as they are when Terraform starts.
func resetCLI() {
	Commands = nil
	Ui = warningsAsOutput{&cli.BasicUi{Writer: os.Stdout, ErrorWriter: os.Stderr, Reader: os.Stdin}}
}

// warningsAsOutput prints warnings to standard output, as Terraform does.
type warningsAsOutput struct{ cli.Ui }

func (u warningsAsOutput) Warn(message string) { u.Output(message) }
