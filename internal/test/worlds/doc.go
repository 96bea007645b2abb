// Package worlds plays random steps of several writers against the provider, on a real control plane, and holds
// every one of them to the promises. It reads managedFields by itself, and shares no code with the provider.
//
// TestWorlds plays 1000 random steps of writers and of the user against the plugin protocol. The steps are the
// same for the same seed. A finding is printed with the shortest way to it. K8SCONNECT_WORLDS_SEED and
// K8SCONNECT_WORLDS_STEPS choose another seed and another length.
//
// The worlds remember what is pinned, by what the applies left, and hold each plan and apply to it.
package worlds
