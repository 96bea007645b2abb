// Command bench compares the cost of this provider with that of Terraform itself and of other providers. It
// starts a control plane, and each contender manages the same number of objects of the same mixture, or one
// object of the same size. The command prints wall time, CPU of the CLI and of the provider, peak memory,
// requests, wrong diffs and the size of the state as Markdown tables. It writes the tables to a directory, with
// the single measurements as JSON, a plot over the sizes as SVG, and tables.md, which the page about performance shows.
// -from writes the same again from the JSON.
//
// # Contenders
//
//   - This provider, with a resource for each object, and with one for all of them.
//   - terraform_data, which is a part of the CLI and does nothing: its cost is the cost of Terraform itself.
//   - The echo, a provider with our schema and a state of about the same size, which answers each call of the
//     plugin protocol with what it received. No provider with as many values can cost less.
//   - This provider at the commit or tag that BENCH_BEFORE names, by default the last release. That makes a slower
//     commit visible.
//   - The peers whose executables BENCH_PEERS names, and Helm 4 if it names helm: a chart of the objects.
//   - kubectl, if it is installed: kubectl diff instead of plans, and kubectl apply --server-side. It works on one
//     object at a time. Helm and kubectl are measured in the first round only.
//
// # Near and far
//
// BENCH_DELAY is the time that bytes need to the API server and as long back, or several of them. A proxy on loopback
// delays them. Each round measures all contenders at all distances, and a multiple of the floor is that of the same
// round, so a machine that becomes slower for a while makes all of them slower.
//
// # The last figures
//
// benchmarks/last.json has the last figures of this provider for each phase, with the commit they were measured at.
// The command prints its own as multiples of those. BENCH_OUT=benchmarks replaces them, and keeps those of what it has
// not measured. The figures of terraform_data are among them: they show how fast the machine is.
//
// # How it measures
//
// Each command of the CLI starts a provider several times. The CLI starts this command instead of the provider's
// executable. This command then runs the provider and records the resource usage of the process. So the CPU times of
// the CLI and of the provider are exact. The audit log of the API server counts the requests, by user. A diff is wrong
// if a plan changes an object that was not changed, or does not change an object that was changed. A workload is many
// objects, or one that is large. TestRace and TestRaceOfOne run small races, and hold the provider to the requests that
// DESIGN.md promises.
//
// # What to know about the results
//
// With the backend local, Terraform writes the whole state for each resource that it applies. So with any provider, an
// apply of N objects costs N times their state. Other backends send the state every 20 seconds, and Terraform still
// copies it for each resource. -backend http measures with a backend of that kind. The difference between
// terraform_data and the echo is the cost of the plugin protocol; package serve has the details.
package main
