// Package worlds plays random steps of several writers against the provider, on a real control plane, and
// checks the provider's promises after each step. It reads managedFields itself, and shares no code with the
// provider.
//
// TestWorlds plays 1000 random steps of writers and of the user against the plugin protocol. The same seed
// gives the same steps. A finding is printed with the shortest sequence of steps that leads to it.
// K8SCONNECT_WORLDS_SEED and K8SCONNECT_WORLDS_STEPS choose another seed and another number of steps.
//
// The worlds remember which values the applies have pinned, and check each plan and apply against them.
package worlds
