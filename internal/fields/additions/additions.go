// Package additions finds the fields that people and their tools have added to an object: those that they own and that
// the configuration of the object does not mention.
//
// # What counts
//
// [Search.In] looks at the claims of an object. A field is an addition if people or their tools own it, by
// [ownership.Claims.OfPeople], and neither the configuration nor another resource of this provider does. It is found as
// a whole: a list item, or a map that the same writers have added, is one addition.
//
// [ownership.BeforeFirstApply] stands for unknown clients, controllers among them, so its fields are not additions.
//
// A manager that updates the status of the object counts as its controller, under any name. So does a manager of
// unknown name for finalizers and owner references that it writes: to remove a controller's finalizer prevents the
// cleanup for which it stands.
//
// Some entries of managedFields are older than our first apply, because their writer created the object. They contain
// the defaults of the API server, too, which no client has written. Of these entries, only list items and the entries
// of maps such as labels count, and fields whose name shows that they are not defaults (see olderCounts). What
// is known to be filled in does not count at all: what the annotation of kubectl apply lacks, and what the API server
// gives a new object; see [Search.Filled].
//
// It is pure: no Terraform, no network, no clock.
package additions

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Search describes the object whose additions are searched for.
type Search struct {
	// FieldManager is ours.
	FieldManager string
	// Declared are the fields of the configuration, also those that only other managers own now.
	Declared *paths.Set
	// Left covers the fields that the configuration leaves to other managers.
	Left paths.Patterns
	// Body is the body of our apply. Positions in Left are resolved to list items by it.
	Body map[string]any
	// Controllers are the names of the managers that update the status of the object.
	Controllers []string
	// IsLeftTo reports whether the configuration leaves all fields of a manager to it; nil for none.
	IsLeftTo func(manager string) bool
	// Filled are fields of [Search.MaybeFilled] that no client has written. Nil is empty.
	Filled *paths.Set
	// IsEmpty reports whether a leaf has no value, or an empty map or list. A claim to it adds nothing.
	IsEmpty func(leaf paths.Path) bool
}

// Addition is a field that other managers have added to an object.
type Addition struct {
	Path paths.Path
	// Owners are the managers that own the field or a part of it, in the API server's order.
	Owners []ownership.Holder
	// Stays is why the field is not removed as an addition; "" if it may be.
	Stays Reason
}

// Reason is why an addition is not removed.
type Reason string

// The reasons.
const (
	// OfController: a controller owns the field or a part of it, too.
	OfController Reason = "controller"
	// PartLeft: the configuration leaves a part of the field to other managers.
	PartLeft Reason = "left"
	// SecretKey: the field is in a list item whose key is secret, and stored nowhere.
	SecretKey Reason = "secret"
)

// IsOfPeople reports whether a person has written to the addition by a command, and not only a tool.
func (a Addition) IsOfPeople() bool {
	return slices.ContainsFunc(a.Owners, func(owner ownership.Holder) bool {
		return owner.Writer() == ownership.Person
	})
}

// ownPrefix begins the names that this provider gives its field managers if the configuration gives none.
const ownPrefix = "k8sconnect"

// byWriter are the fields of an object by who claims them.
type byWriter struct {
	// ours are the fields that we own or declare, theirs those that people and their tools have added, foreign those of
	// controllers, left those of managers to which the configuration leaves them, notes what programs keep for
	// themselves, doubtful the part of theirs that the API server may have filled in.
	ours, theirs, foreign, left, notes, doubtful *paths.Set
}

// sort sorts the fields of claims.
func (s Search) sort(claims ownership.Claims) byWriter {
	own := claims.Own(s.FieldManager)
	all := byWriter{theirs: paths.NewSet(), foreign: paths.NewSet(), left: paths.NewSet(), notes: paths.NewSet(),
		doubtful: paths.NewSet()}
	all.ours = own.Union(paths.OrEmpty(s.Declared))
	if own.Empty() {
		own = all.ours // Before our first apply.
	}
	for _, claim := range claims {
		switch {
		case claim.IsPlaceholder():
		case claim.Name == ownership.BeforeFirstApply:
			all.foreign = all.foreign.Union(claim.Fields)
		case claim.Name == s.FieldManager || strings.HasPrefix(claim.Name, ownPrefix):
			all.ours = all.ours.Union(claim.Fields)
		case s.IsLeftTo != nil && s.IsLeftTo(claim.Name):
			all.left = all.left.Union(claim.Fields)
		case s.isController(claim.Manager):
			all.foreign = all.foreign.Union(claim.Fields)
		default:
			held := links(claim)
			claim.Fields = claim.Fields.Difference(held)
			all.foreign = all.foreign.Union(held)
			all.notes = all.notes.Union(paths.Filter(claim.Fields, isBookkeeping))
			all.theirs = all.theirs.Union(s.counted(claim, claims, own))
			all.doubtful = all.doubtful.Union(s.doubtful(claim, own))
		}
	}
	return all
}

// Candidates returns the fields that are additions to an object with these claims under some configuration. Of the
// search, Controllers and IsEmpty count.
func (s Search) Candidates(claims ownership.Claims) *paths.Set {
	return Search{Controllers: s.Controllers, IsEmpty: s.IsEmpty, Filled: s.Filled}.sort(claims).theirs
}

// MaybeFilled returns the leaves of other managers that may be additions, now or later, and that the API server may
// have filled in when their owner created the object.
func (s Search) MaybeFilled(claims ownership.Claims) *paths.Set {
	all := s.sort(claims)
	return paths.Filter(all.doubtful, func(path paths.Path) bool { return !ownership.Holds(all.ours, path) })
}

// In returns the additions to an object with these claims, sorted by path.
func (s Search) In(claims ownership.Claims) []Addition {
	all := s.sort(claims)
	if all.theirs.Empty() {
		return nil
	}
	ignored, _ := projection.Covered(all.theirs, s.Left, s.Body)
	leaves := all.theirs.Leaves().Difference(ignored)
	theirs := paths.Filter(all.theirs.Difference(ignored), func(path paths.Path) bool {
		return !ownership.Holds(all.ours, path) && ownership.Holds(leaves, path)
	})
	left := all.left.Union(ignored)
	var found []Addition
	paths.Walk(paths.Outermost(whole(theirs, all.foreign.Union(left).Union(all.notes))), func(path paths.Path, _ bool) {
		addition := Addition{Path: path, Owners: claims.HoldersWithin(path)}
		switch {
		case ownership.Holds(all.foreign, path):
			addition.Stays = OfController
		case ownership.Holds(left, path):
			addition.Stays = PartLeft
		}
		found = append(found, addition)
	})
	return found
}

// isController reports whether a manager is a controller, by its name or because it updates the status of the object.
func (s Search) isController(m ownership.Manager) bool {
	return m.Writer() == ownership.Controller || m.Writer() == ownership.Tool &&
		m.Operation == metav1.ManagedFieldsOperationUpdate && slices.Contains(s.Controllers, m.Name)
}

// links returns the finalizers and owner references in the claim of a manager of unknown name, which are a
// controller's. It returns no fields of other managers.
func links(claim ownership.Claim) *paths.Set {
	return paths.Filter(claim.Fields, func(path paths.Path) bool {
		isLink := len(path) > 1 && *path[0].FieldName == "metadata" && path[1].FieldName != nil &&
			(*path[1].FieldName == "finalizers" || *path[1].FieldName == "ownerReferences")
		return isLink && claim.Writer() == ownership.Tool && claim.KnownAs() == ""
	})
}

// whole returns the list items and the leaves of theirs, and the maps that have no part in other.
func whole(theirs, other *paths.Set) *paths.Set {
	return paths.Filter(theirs, func(path paths.Path) bool {
		isItem := path[len(path)-1].FieldName == nil
		return isItem || !ownership.HasParts(theirs, path) || !ownership.Holds(other, path)
	})
}

// counted returns the fields of a claim that its writer has added, with the maps and list items around them that the
// claim contains as a whole. all are the claims on the object: a writer that owns a map, and nothing in it any more,
// has added none of the fields that other managers own there. own are the fields that we own.
func (s Search) counted(claim ownership.Claim, all ownership.Claims, own *paths.Set) *paths.Set {
	older := mayBeCreator(claim.Manager)
	shares := older && !claim.Fields.Intersection(own).Leaves().Empty()
	leaves := paths.Filter(claim.Fields.Leaves(), func(leaf paths.Path) bool {
		switch {
		case isBookkeeping(leaf), s.IsEmpty(leaf), isMapOf(all, leaf):
			return false
		case older:
			return olderCounts(leaf, own, shares) && (s.Filled == nil || !s.Filled.Has(leaf))
		}
		return true
	})
	return paths.Filter(claim.Fields, func(path paths.Path) bool {
		return leaves.Has(path) || ownership.HasParts(leaves, path)
	})
}

// isMapOf reports whether a field is a map of which claims contain parts.
func isMapOf(claims ownership.Claims, field paths.Path) bool {
	return field[len(field)-1].FieldName != nil && slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
		return ownership.HasParts(claim.Fields, field)
	})
}

// doubtful returns the leaves of a claim that count until the API server is known to have filled them in.
func (s Search) doubtful(claim ownership.Claim, own *paths.Set) *paths.Set {
	if !mayBeCreator(claim.Manager) {
		return paths.NewSet()
	}
	return paths.Filter(claim.Fields.Leaves(), func(leaf paths.Path) bool {
		return !isBookkeeping(leaf) && !s.IsEmpty(leaf) && olderCounts(leaf, own, false)
	})
}

// changers are the commands that only change objects: they own no defaults.
var changers = set(
	"kubectl kubectl-edit kubectl-patch kubectl-set kubectl-label kubectl-annotate kubectl-rollout kubectl-taint")

// mayBeCreator reports whether an entry of a manager can contain defaults of the API server: the entry of an update
// that created the object does.
func mayBeCreator(m ownership.Manager) bool {
	return m.Operation != metav1.ManagedFieldsOperationApply && !changers.Has(m.Name)
}

// creatorsDefaults is how many fields with defaults an entry contains at least if its manager has created the object.
const creatorsDefaults = 3

// MayBeDefault reports whether a field of a claim may have a default value, which the API server has set when the
// manager created the object.
func MayBeDefault(claim ownership.Claim, leaf paths.Path) bool {
	if !mayBeCreator(claim.Manager) || !hasDefault(leaf) {
		return false
	}
	count := 0
	paths.Walk(claim.Fields, func(path paths.Path, isLeaf bool) {
		if isLeaf && hasDefault(path) {
			count++
		}
	})
	return count >= creatorsDefaults
}

func hasDefault(leaf paths.Path) bool {
	name := leaf[len(leaf)-1].FieldName
	return name != nil && defaulted.Has(*name)
}

// olderCounts reports whether a field of an entry that may be that of the object's creator is more than a default. own
// are the fields that we own; shares is true if the entry contains some of them, too. An update never shares a field
// with a later apply of ours, so the entry is then older than our first apply.
func olderCounts(leaf paths.Path, own *paths.Set, shares bool) bool {
	for length := range leaf {
		element := leaf[length]
		switch {
		case element.FieldName == nil:
			// An item that we do not own is not a default; one of ours may contain defaults.
			if !paths.Touches(own, leaf[:length+1]) {
				return true
			}
		case freeMaps.Has(*element.FieldName):
			return length < len(leaf)-1
		}
	}
	return !shares && leaf[len(leaf)-1].FieldName != nil && !hasDefault(leaf)
}

// bookkeeping are the annotations and labels by which programs keep notes. Rancher's agent writes under the name
// "agent", and the API server labels each namespace with its name.
var bookkeeping = set(`
	kubectl.kubernetes.io/last-applied-configuration kubectl.kubernetes.io/restartedAt
	kubernetes.io/metadata.name field.cattle.io/publicEndpoints deprecated.daemonset.template.generation`)

// isBookkeeping reports whether a leaf is a note of a program, or a field of metadata that only the API server writes.
func isBookkeeping(leaf paths.Path) bool {
	last := leaf[len(leaf)-1].FieldName
	switch {
	case last == nil:
		return false
	case bookkeeping.Has(*last):
		return true
	case leaf[0].FieldName != nil && *leaf[0].FieldName == "metadata" && len(leaf) == 2:
		return !slices.Contains([]string{"labels", "annotations", "finalizers", "ownerReferences"}, *last)
	}
	return false
}

// freeMaps are the maps whose keys the writer chooses.
var freeMaps = set("labels annotations data binaryData stringData matchLabels nodeSelector limits requests hard")

// defaulted are fields of built-in kinds to which the API server gives a value if the client sends none.
var defaulted = set(`
	accessModes allocateLoadBalancerNodePorts apiVersion attachRequired backoffLimit behavior blockOwnerDeletion
	clusterIP clusterIPs completionMode completions concurrencyPolicy controller defaultMode defaultRequest
	dnsPolicy enableServiceLinks externalTrafficPolicy failedJobsHistoryLimit failurePolicy failureThreshold
	fieldPath fsGroupPolicy hostnameOverride imagePullPolicy internalTrafficPolicy ipFamilies ipFamilyPolicy
	lendablePercent listKind manualSelector matchPolicy matchingPrecedence maxReplicas maxSurge maxUnavailable
	metrics minReplicas namespaceSelector nodePort objectSelector parallelism partition path periodSeconds
	persistentVolumeClaimRetentionPolicy persistentVolumeReclaimPolicy podManagementPolicy podReplacementPolicy
	policyTypes port preemptionPolicy priority progressDeadlineSeconds protocol provisioner reclaimPolicy
	reinvocationPolicy replicas requiresRepublish resourceFieldRef restartPolicy revisionHistoryLimit schedulerName
	scheme scope seLinuxMount selector serviceAccount serviceAccountName sessionAffinity singular storageCapacity
	storageClassName strategy successThreshold successfulJobsHistoryLimit suspend targetPort
	terminationGracePeriodSeconds terminationMessagePath terminationMessagePolicy timeoutSeconds type
	volumeAttachmentClass volumeBindingMode volumeLifecycleModes volumeMode volumeName whenDeleted whenScaled`)

func set(names string) sets.Set[string] { return sets.New(strings.Fields(names)...) }

// Controllers returns the names of the managers that update the status of an object, sorted, as far as their names do
// not tell that they are controllers. entries are its managedFields.
func Controllers(entries []metav1.ManagedFieldsEntry) []string {
	var names []string
	for _, entry := range entries {
		isUpdate := entry.Operation == metav1.ManagedFieldsOperationUpdate && entry.Subresource == "status"
		whole := ownership.Manager{Name: entry.Manager, Operation: entry.Operation}
		if isUpdate && whole.Writer() == ownership.Tool {
			names = append(names, entry.Manager)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ClientSide is the manager of kubectl apply. Its entry contains the defaults of the API server, too.
const ClientSide = "kubectl-client-side-apply"

// ByKubectl returns the fields in the entry of ClientSide, and those of them that the annotation of kubectl apply
// contains: the others are filled in by the API server. Both are nil if the annotation cannot be read, or is about
// another version than the entry.
func ByKubectl(annotations map[string]string, claims ownership.Claims) (all, written *paths.Set) {
	var applied map[string]any
	text, has := annotations[corev1.LastAppliedConfigAnnotation]
	if !has || json.Unmarshal([]byte(text), &applied) != nil {
		return nil, nil
	}
	for _, claim := range claims {
		if claim.IsUpdater(ClientSide) && claim.APIVersion == applied["apiVersion"] {
			all = paths.OrEmpty(all).Union(claim.Fields)
		}
	}
	if all == nil {
		return nil, nil
	}
	if applied["kind"] == "Secret" {
		applied = manifest.StringDataAsData(applied)
	}
	return all, projection.WithValues(applied, all)
}
