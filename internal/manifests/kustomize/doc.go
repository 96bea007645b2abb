// Package kustomize builds a kustomization into a stream of manifests, with kustomize's own library. It reads files and
// does nothing else: no network, no git, no Helm, no plugins, and no file outside the folders of the kustomization and
// its bases.
//
// # What is remote
//
// kustomize fetches a resource, a base, a patch or a file of a generator if its path looks like a URL or a repository,
// and it has no option to forbid that. So this package reads each kustomization before kustomize acts on it: kustomize
// gets its files from a file system of ours, which checks every kustomization, and every configuration of a built-in
// generator or transformer. It refuses those that name something remote. It treats as remote everything that kustomize
// does, and a little more. A folder of generators or transformers is refused, because its patches could add something
// remote that no file shows before kustomize acts on it.
//
// # Errors
//
// The errors of kustomize quote literals of generators, patches and whole objects. Build keeps of them the words that
// kustomize has in its source, names of files, and kinds and names of objects. Everything else is hidden.
//
// # One at a time
//
// kustomize keeps the schema of a kustomization in a variable of its package, so builds wait for each other.
package kustomize
