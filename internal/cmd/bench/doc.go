// Command bench measures what this provider costs beside Terraform itself and beside other providers. It starts a
// control plane and lets each of them manage as many objects of the same mixture, or one object as large. Wall
// time, CPU of the CLI and of the provider, peak memory, requests, wrong diffs and the size of the state are
// printed as Markdown tables and written to a directory, with the single measurements as JSON and a plot over the
// sizes as SVG.
//
// # Contenders
//
//   - This provider.
//   - terraform_data, which is a part of the CLI and does nothing: what Terraform itself costs.
//   - The echo, a provider with our schema, and a state of about our size, that answers each call of the plugin
//     protocol with what it was asked: what any provider costs at least that shows as much.
//   - This provider at the commit or tag that BENCH_BEFORE names, by default the last release, so that a slower commit shows.
//   - The peers whose executables BENCH_PEERS names.
//
// # How it measures
//
// Each command of the CLI starts a provider several times. This command runs instead of the provider's executable,
// runs it, and notes what the process used, so that the CPU of CLI and provider are told apart exactly. Requests
// come from the API server's audit log, by user. A diff counts as wrong where a plan changes an object that nobody
// changed, or leaves one that somebody did. A workload is many objects, or one that is large. TestRace and
// TestRaceOfOne run small races, and hold the provider to the requests that DESIGN.md promises.
//
// # What to know about the results
//
// With the backend local, Terraform writes the whole state for each resource that it applies, so that an apply of
// N objects costs N times their state, with any provider. Other backends send the state every 20 seconds, and
// Terraform still copies it for each resource. -backend http measures with one. The distance between
// terraform_data and the echo is the plugin protocol; package serve says what it does.
package main
