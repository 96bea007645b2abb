// Package terraform stands for a package that only tests of Terraform itself import.
package terraform
