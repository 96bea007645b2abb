package main

import (
	"fmt"
	"runtime"
)

// platform is a system that a release has an archive for.
type platform struct{ os, arch string }

// platforms are those that a release has to have, whatever .goreleaser.yml says.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"freebsd", "386"}, {"freebsd", "amd64"}, {"freebsd", "arm"}, {"freebsd", "arm64"},
	{"linux", "386"}, {"linux", "amd64"}, {"linux", "arm"}, {"linux", "arm64"}, {"linux", "ppc64le"},
	{"linux", "s390x"},
	{"windows", "386"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func host() platform { return platform{runtime.GOOS, runtime.GOARCH} }

const project = "terraform-provider-k8sconnect"

// archive returns the file name that the registries expect of the archive of a version.
func (p platform) archive(version string) string {
	return fmt.Sprintf("%s_%s_%s_%s.zip", project, version, p.os, p.arch)
}

// program returns the file name that Terraform expects in the archive.
func (p platform) program(version string) string {
	name := project + "_v" + version
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

// report returns the name under which a release has the program for those who only want reports of plans.
func (p platform) report(version string) string {
	name := fmt.Sprintf("k8sconnect-report_%s_%s_%s", version, p.os, p.arch)
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

func checksumsOf(version string) string { return project + "_" + version + "_SHA256SUMS" }

func manifestOf(version string) string { return project + "_" + version + "_manifest.json" }
