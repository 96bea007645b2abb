// Package obstacles finds what of a live object is in the way of an apply that the API server refuses.
//
//	err = refused.Explain(err)                           // what is refused: fields that stay, items that clash
//	found, err := refused.Search(refusal, live, accepts) // what has to be removed for the server to take the apply
//
// The validation of the server sees the object that an apply would leave. It may refuse values that the manifest does
// not contain: a default, what another manager set, or an item whose key another manager changed. The causes of the
// refusal name fields, but not always the ones that have to go: a rule names the map that it is about, and "may not
// specify more than 1 volume type" names the second type of two. So [Apply.Search] collects the fields that the
// manifest does not declare at or next to the named ones, and asks the server what it accepts without them. It returns
// the smallest set that the server cannot do without, and no set if two different ones would do. Fields that the
// configuration leaves to other managers are never removed.
package obstacles
