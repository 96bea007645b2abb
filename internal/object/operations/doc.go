// Package operations performs the operation of an action on an object, once: [Restart] restarts the pods of a workload,
// [StartJob] starts a Job, and [Managers.Disown] ends claims that are no longer needed.
//
// # Restarts
//
// [Restart] annotates the pod template as kubectl rollout restart does, and the workload's controller replaces the
// pods. A field manager of its own applies the annotation and nothing else. No other manager loses a field that it
// applies: the next apply of the workload's manifest neither conflicts with the annotation nor removes it. If another
// manager applies the annotation, the restart is refused, because the next apply of that manager would set it back and
// restart the pods again. An annotation that kubectl rollout restart has left is taken over. The apply carries the uid
// of the object, and so never creates one.
//
// # Jobs
//
// A Job is started from the template of a CronJob, as kubectl create job --from does, or from a manifest. Each run has
// a name of its own: the given name with a random suffix, as the API server generates it. The suffix is made here: if a
// create gets no answer, the provider looks for the Job by its name, and does not start it twice. A Job from a CronJob
// counts as one of the CronJob's own: the CronJob's history limits delete it, and so does the deletion of the CronJob.
// Any other Job stays unless it has ttlSecondsAfterFinished.
//
// # Disowning
//
// [Managers.Disown] changes no value. Claims on status stay, and so do all claims made through the status subresource:
// controllers write the status, and would claim it again. An object that no manager owns any more keeps a placeholder.
// Without it, the next server-side apply would make before-first-apply the owner of all its fields.
package operations
