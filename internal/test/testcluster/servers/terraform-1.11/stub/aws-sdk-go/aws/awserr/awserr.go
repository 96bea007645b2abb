// Package awserr stands for a package that only tests of go-getter import.
package awserr
