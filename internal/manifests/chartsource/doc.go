// Package chartsource loads Helm charts from folders, archives, repositories and OCI registries. It finds them as Helm
// does, without Helm's downloaders, which contain plugins that run programs.
//
// # Whom it trusts
//
// Not the source. Everything that is read has a limit, in bytes, files, pages of tags, depth of subcharts and time. A
// folder is read as an [os.Root]: a symbolic link that leads out of it is refused, where Helm reads what it leads to.
// Archives have regular files only.
//
// # Who gets the credentials
//
// The host of the repository or registry, and no other: not after a redirect, and not by an absolute URL of an index.
// One exception is the protocol of registries: a registry names the server that hands out its tokens, and that server
// gets the credentials. For oci://, and without a username of its own, a source has what the files of helm registry
// login and docker login contain. No credential helper is run.
//
// # Errors
//
// They are sentences for the user, whose words of servers are cut and made printable. They have neither passwords nor
// the queries of URLs, which may be signatures.
package chartsource
