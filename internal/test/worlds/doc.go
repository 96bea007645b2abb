// Package worlds plays random steps of several writers against the provider, on a real control plane, and
// checks the provider's promises after each step. It reads managedFields itself, and shares no code with the
// provider.
//
// TestWorlds plays random steps of writers and of the user against the plugin protocol. The same seed gives the same
// steps. A finding is printed with the shortest sequence of steps that leads to it. K8SCONNECT_WORLDS_SEED and
// K8SCONNECT_WORLDS_STEPS choose another seed and another number of steps, in place of the few of each kind that
// make test plays, and K8SCONNECT_WORLDS_ONLY one world or one kind. With -short, a finding is printed with all steps
// of its world.
//
// Families add moves of one subject, such as switched unions, and oracles. TestWorldsOfMoves plays those of the
// variable played, and TestWorldsOfOneMove each of those of the variable alone; K8SCONNECT_WORLDS_MOVES chooses
// others for all tests. Each family has random numbers of its own: a seed gives the same other steps with and without
// it. The family advice follows what an error advises, and plans again: every error must give advice that can be
// followed and that helps.
//
// TestWorldsOfSeveral plays worlds in which two to four resources have one object: manifests and patches of every form,
// with disjoint and common fields. Removed blocks take them out of the state, import blocks bring them back, and
// policies, quotas and the rights of the provider come and go, before the plan or between it and its apply. Every value
// that an apply or a destroy changes, whether it succeeds or fails, has to be in its plan or in its messages, and what
// a plan promises to keep has to stay.
//
// TestWorldsOfACLI has a CLI play these worlds, with the provider as users run it: the CLI checks what a provider plans
// and applies, and an apply of a saved plan, and the plan after it, have to succeed. K8SCONNECT_TEST_CLI chooses
// Terraform 1.16 or OpenTofu.
//
// TestWorldsOfSets plays worlds of two sets with 2 to 20 objects each, beside a manifest and a patch. Keys and bodies
// change and change places, objects leave and come back, other clients write to them and delete them, and policies,
// quotas and finalizers make some of them fail. In addition, no object is deleted that no message lists, the state
// contains what was applied and nothing else, and the run after one that failed finishes. If a policy refuses new
// objects, no replacement may begin. Another workspace plans the first set without its state: it may take over only
// what it would not change.
//
// TestWorldsWithAGuard plays the worlds with a guard that refuses or warns. It has to find the writes after which an
// entry of the provider in managedFields has changed, and no other.
//
// The worlds remember which values the applies have pinned, and check each plan and apply against them.
package worlds
