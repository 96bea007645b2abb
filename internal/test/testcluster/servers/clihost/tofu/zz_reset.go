package main

// resetCLI sets the variables that a command changes as they are when OpenTofu starts.
func resetCLI() { commands = nil }
