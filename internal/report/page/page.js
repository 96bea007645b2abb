"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const filters = ["q", "owner", "kind", "change"];
const only = () => !data.live && state.only !== "false"; // What lines change is the question of a plan.
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

// breaking returns a text that breaks at spaces, dots, commas and slashes: not in a word, nor at a hyphen unless the word is long.
function breaking(text) {
  if (text.length > 4000) return [text];
  const whole = part => part.split(/(\(\S+\)|\S*-\S*)/).filter(Boolean)
    .map(word => word.length < 25 && /\S[-)]|-\S/.test(word) ? make("span", {class: "whole"}, word) : word);
  const parts = text.split(/(?<=[./,])(?=.)(?!\S*\)$)/s); // Screen readers say a space for <wbr>, and the clipboard keeps characters.
  return parts.flatMap((part, i) => i < parts.length - 1 ? make("span", {class: "breaks"}, ...whole(part)) : whole(part));
}

// Owners have colours by the number of their lines, the managers of the resources first.
const managers = new Set(data.objects.map(o => o.field_manager).filter(Boolean));
const uses = new Map();
for (const o of data.objects) {
  o.fields ??= [];
  o.owners = new Set(o.fields.flatMap(f => (f.owners ?? []).map(w => w.name)).filter(Boolean));
  for (const l of o.lines) for (const name of [...l.before ?? [], ...l.after ?? []]) o.owners.add(name);
  for (const name of o.owners) uses.set(name, (uses.get(name) ?? 0) + 1);
  o.changes = new Set([o.action, ...(o.count ?? []).map(c => c.effect)]);
  o.text = [o.title, o.id, ...o.owners, ...o.lines.map(l => l.path)].join("\n").toLowerCase();
}
const owners = [...uses.keys()].sort((a, b) => managers.has(b) - managers.has(a) || uses.get(b) - uses.get(a) || (a < b ? -1 : 1));
const colour = new Map(owners.map((name, i) => [name, `var(--o${Math.min(i, 7)})`]));

const all = names => names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " and " + names.at(-1);
const ownersOf = f => all((f.owners ?? []).map(w => w.about && w.name ? `${w.name} (${w.about})` : w.name || w.about)) || "another program";
const fate = f => (f.fate ?? "").replace(/^[,:]? /, "");
const sentences = {
  take: f => `${ownersOf(f)} loses this line` + (fate(f).startsWith("if ") ? ` ${fate(f)}, which is known after the apply.` : ": the apply sets another value."),
  remove: f => "The apply removes this line" + (f.owners?.length ? ", which belongs to " + ownersOf(f) : "") + (fate(f) ? `: ${fate(f)}.` : "."),
  "set-back": () => "The value has changed since the last apply; the apply sets it back.",
  change: () => "The apply changes this value, although the configuration does not set it.",
  restore: () => "The apply restores the value from before.",
  release: f => `This configuration gives the line up, and the value stays. ${f.owners?.length ? ownersOf(f) + " keeps it." : "Nobody owns it then."}`,
  stay: () => "The line stays on the object.",
  addition: () => "Others have added this line; the configuration does not have it.",
  add: () => "The apply adds this list item.",
  share: f => `${ownersOf(f)} and this configuration own the line together: the values are equal.`,
  unset: () => "The apply removes this line, which only this configuration owns.",
  set: () => "The apply sets this line, which only this configuration owns.",
};
const sentence = f => sentences[f.effect]?.(f);
// Of these, the two columns say all. An effect that this page does not know is harmless, too.
const quiet = new Set(["set", "unset"]);
const wordOf = effect => data.words[effect] ?? effect;

// The state of the page is its fragment, so every view is a link.
const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const fragment = state => "#" + new URLSearchParams(Object.entries(state).filter(([, value]) => value));
let state = {}, shown = [], current, shownOnly;
function go(change, replace) {
  const to = fragment({...state, ...change});
  if (replace) history.replaceState(null, "", to); else if (to !== location.hash) history.pushState(null, "", to);
  render();
}

const actions = {refused: "is why the plan fails", create: "is created", adopt: "exists and is adopted", update: "is updated", replace: "is deleted and created again", delete: "is deleted",
  "release-object": "stays, and is not managed any more", read: "is read", "no-op": "does not change"};
const alarming = new Set(["refused", "delete", "replace", "take", "remove", "finding"]);
const alarm = what => alarming.has(what) ? {class: "alarm"} : {};
// The page of a survey begins with an entry that is no object.
const home = data.survey && {id: "", title: "Findings and managers", fields: [], lines: [], owners: new Set(), isHome: true};
for (const o of home ? [home, ...data.objects] : data.objects) {
  const link = o.link = make("a", {href: fragment({object: o.id}), tabindex: -1}, make("b", {}, ...breaking(o.title)));
  const findings = data.live && !o.isHome && o.notes?.length;
  const badges = o.isHome ? [["", data.summary]] : data.live ? [...findings ? [["finding", count(findings, "finding")]] : [], ["owners", all([...o.owners])]] :
    [[o.action, actions[o.action] ?? o.action], ...(o.count ?? []).map(c => [c.effect, `${wordOf(c.effect)}: ${c.n}`])];
  const line = make("small");
  badges.forEach(([what, text], i) => line.append(i && text ? " · " : "", make("span", o.grave && !i ? {class: "grave"} : alarm(what), text)));
  link.append(line);
  link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({object: o.id, field: ""});
    link.focus();
  });
  make("li", {}, link);
}

if (data.live) {
  document.body.classList.add("live");
  $("heading").textContent = document.title = "Who owns what";
  $("whose").textContent = "Manager";
}

function render() {
  state = read();
  for (const id of filters) if ($(id).value !== (state[id] ?? "")) $(id).value = state[id] ?? "";
  const text = (state.q ?? "").toLowerCase();
  const fits = o => o.text.includes(text) && (!state.owner || o.owners.has(state.owner)) && (!state.kind || o.kind === state.kind) &&
    (!state.change || o.changes.has(state.change));
  const last = shown;
  const found = data.objects.filter(fits);
  shown = home ? [home, ...found] : found;
  // Hiding takes the browser ten times as long as removing.
  if (shown.length !== last.length || shown.some((o, i) => o !== last[i])) $("list").replaceChildren(...shown.map(o => o.link.parentNode));
  $("status").textContent = (found.length === data.objects.length ? "" : `${found.length} of `) + count(data.objects.length, "object");
  const before = current;
  $("only").checked = only();
  current = shown.find(o => o.id === state.object) ?? shown[0];
  if (before) { before.link.removeAttribute("aria-current"); before.link.tabIndex = -1; }
  if (current) { current.link.setAttribute("aria-current", "true"); current.link.tabIndex = 0; reveal(current.link.parentNode); }
  if (current !== before || !current || current.isHome || shownOnly !== only()) $("object").replaceChildren(...!current ? [make("p", {}, "No object fits. Clear the search and the filters.")] :
    current.isHome ? showHome(found) : show(current, only()));
  shownOnly = only();
  if (current !== before) $("object").scrollTop = 0;
  for (const row of $("object").querySelectorAll("tr[data-path]")) row.classList.toggle("target", row.dataset.path === state.field);
  $("object").querySelector("tr.target")?.scrollIntoView({block: "center"});
}

// reveal scrolls the list only. scrollIntoView would also move the place from which the tab key goes on.
function reveal(item) {
  const nav = $("list").parentNode, inside = nav.getBoundingClientRect(), box = item.getBoundingClientRect();
  nav.scrollTop += Math.min(0, box.top - inside.top) + Math.max(0, box.bottom - inside.bottom);
}

// segments cuts a path at its dots and brackets. Keys in quotes stay whole, and so do the keys of maps that often have dots.
const maps = /^(.*?(?:^|\.)(?:data|binaryData|labels|annotations|matchLabels|nodeSelector|limits|requests|hard))\.(.+)$/;
const cut = path => path.match(/\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]|[^.[]+/g) ?? [path];
function segments(path) {
  const found = path.match(maps);
  return found && !found[2].includes("[") ? [...cut(found[1]), found[2]] : cut(path);
}
const keysOf = segment => [...segment.matchAll(/([\w.-]+)=("(?:[^"\\]|\\.)*"|[^,\]]+)/g)].map(([, key, value]) => [key, value.replace(/^"|"$/g, "")]);

const collator = new Intl.Collator("en", {numeric: true});
const changes = (o, l) => l.happens || l.unknown || l.becomes != null && l.was !== l.becomes || o.action === "delete";

// treeOf makes the lines, or only those that change, a tree, as YAML nests them. The key of a list item is on the line of the item.
function treeOf(o, only) {
  const root = {children: new Map()};
  const put = (parts, line) => {
    let node = root;
    for (const part of parts) {
      const keys = keysOf(part);
      if (!node.children.has(part)) node.children.set(part, {part, keys: part[0] === "[" ? keys : [], children: new Map()});
      const above = node;
      node = node.children.get(part);
      if (above.keys?.[0]?.[0] === part) above.merged = node;
    }
    node.line = line;
  };
  const fixed = (path, value) => value && put(segments(path), {path, was: value, becomes: value, fixed: true});
  if (!only) {
    fixed("apiVersion", o.api_version);
    fixed("kind", o.kind);
    fixed("metadata.name", o.name);
    fixed("metadata.namespace", o.namespace);
  }
  for (const l of o.lines.filter(l => !only || changes(o, l)).sort((a, b) => collator.compare(a.path, b.path))) put(segments(l.path), l);
  return root;
}

// A finding has the names of managers, and the lines have those with a subresource, too.
const colourOf = name => colour.get(name) ?? colour.get(owners.find(label => label.startsWith(name + " ("))) ?? "var(--o7)";

function chips(names, others, style, says) {
  return names.map(name => make("span", {class: "owner" + (others && !others.includes(name) ? " " + style : ""), style: `--owner: ${colourOf(name)}`},
    ...breaking(name), ...others && !others.includes(name) ? [make("span", {class: "hidden"}, says)] : []));
}

// textOf returns the line of a node with a value, as YAML has it.
function textOf(node, value) {
  const {part, keys, line} = node;
  if (part[0] !== "[") return part + ":" + (!line || node.children.size ? "" : " " + (value ?? "…"));
  if (keys.length) return "- " + keys.map(([key, of]) => `${key}: ${of}`).join(", ");
  const member = part.slice(1, -1).replace(/^"(.*)"$/, "$1");
  return "- " + (/^\d+$/.test(member) ? value ?? "…" : member);
}

function rowsOf(node, depth, o, rows) {
  for (const child of node.children.values()) {
    if (child === node.merged) continue;
    const l = child.merged?.line ?? child.line ?? {fixed: true}, pad = "  ".repeat(depth);
    const before = l.before ?? [], after = l.after ?? [], happens = (l.happens ?? []).map(i => o.fields[i]);
    if (data.live) {
      rows.push(make("tr", {"data-path": l.path, title: l.path},
        make("td", {}, ...chips(before)), yaml(pad + textOf(child, l.was), before, depth)));
      rowsOf(child, depth + 1, o, rows);
      continue;
    }
    const missing = !l.fixed && !before.length && l.was == null;
    const gone = o.action === "delete" || !l.fixed && !l.unknown && !after.length && l.becomes == null;
    rows.push(make("tr", {class: !l.fixed && o.action !== "delete" && changes(o, l) ? "changed" : undefined, "data-path": l.path, title: l.path},
      make("td", {}, ...chips(before, l.unknown ? null : after, "lost", " loses it")),
      yaml(missing ? "" : pad + textOf(child, l.was), before, depth),
      make("td", {}, ...l.unknown ? [make("span", {class: "soft"}, "known after the apply")] : chips(after, before, "gained", " gets it")),
      yaml(gone ? "" : pad + textOf(child, l.becomes ?? (l.unknown ? l.was : undefined)), after, depth)));
    for (const f of happens.filter(f => !quiet.has(f.effect) || f.notes)) rows.push(make("tr", {class: "note"}, make("td", {colspan: 4}, ...noteOf(f))));
    rowsOf(child, depth + 1, o, rows);
  }
  return rows;
}

const yaml = (text, names, depth) => make("td", {class: "yaml", style: `--depth: ${depth};` + (names.length ? `--owner: ${colourOf(names[0])}` : "")}, ...breaking(text));

function noteOf(f) {
  const parts = [make("span", alarm(f.effect), wordOf(f.effect)), sentence(f) ? ": " + sentence(f) : ""];
  for (const text of f.notes ?? []) parts.push(make("br"), text.trim());
  if (f.ignore) {
    const code = make("code", {}, f.ignore), button = make("button", {type: "button", "aria-label": "Copy " + f.ignore}, "Copy");
    button.addEventListener("click", () => copy(code, button));
    parts.push(make("div", {class: "copy"}, make("span", {}, f.ignore.startsWith("ignore_fields") ? "To leave it to its owner:" : "To leave it to its owner, add to rules:"), code, button));
  }
  return parts;
}

async function copy(code, button) {
  getSelection().selectAllChildren(code);
  try { await navigator.clipboard.writeText(code.textContent); } catch { document.execCommand("copy"); }
  button.textContent = "Copied";
  $("status").textContent = "Copied: " + code.textContent;
}

function show(o, only) {
  const parts = [make("h2", {}, ...breaking(o.title)),
    ...data.live ? [] : [make("p", {class: "soft"}, make("span", o.grave ? {class: "grave"} : {}, actions[o.action] ?? o.action), (o.waits ? "; the apply waits for it" : "") + ". Resource ", make("code", {}, o.id),
      ...o.field_manager ? [", which applies as ", ...chips([o.field_manager])] : [])]];
  const listed = o.fields.filter(f => !quiet.has(f.effect));
  if (listed.length) parts.push(make("ul", {class: "happens"}, ...listed.map(f => make("li", {}, make("span", alarm(f.effect), wordOf(f.effect)), " ",
    make("a", {href: fragment({...state, object: o.id, field: f.path})}, make("code", {}, ...breaking(f.path)))))));
  for (const [effect, n] of Object.entries(o.unlisted ?? {})) parts.push(make("p", {}, `${wordOf(effect)}: ${n} more ${n === 1 ? "field" : "fields"}, which the plan only counts.`));
  if (o.lines.length && !(only && !o.lines.some(l => changes(o, l)))) {
    const body = rowsOf(treeOf(o, only), 0, o, []);
    parts.push(make("table", {},
      make("caption", {class: "hidden"}, "Lines of " + o.title + " with their owners" + (data.live ? "" : ", now and after the apply")),
      make("colgroup", {}, ...["who", "yaml", "who", "yaml"].slice(0, data.live ? 2 : 4).map(name => make("col", {class: name}))),
      make("thead", {}, make("tr", {}, ...["Owner now", "Now", "Owner after", o.action === "delete" ? "After: deleted" : "After the apply"].slice(0, data.live ? 2 : 4).map(text => make("th", {scope: "col"}, text)))),
      make("tbody", {}, ...body)));
  } else if (o.lines.length) parts.push(make("p", {}, "No line of this object changes."));
  else parts.push(make("p", {}, o.owners_unknown ? "The plan does not have the lines of this object. Their owners are known after the apply." : data.live ? "No manager owns anything of this object." : "The plan has no lines of this object."));
  for (const note of o.notes ?? []) parts.push(make("details", data.live ? {open: ""} : {}, make("summary", {}, note.summary), make("pre", {}, note.detail)));
  return parts;
}

// to returns a link to a view.
const to = (view, ...content) => make("a", {href: fragment(view)}, ...content);

// showHome returns the findings and the managers, those of the objects that the filters leave.
function showHome(found) {
  const {groups, managers, not_seen} = data.survey, ids = new Set(found.map(o => o.id));
  const isAll = found.length === data.objects.length, name = state.owner?.replace(/ \([^()]*\)$/, "");
  const fits = f => isAll || ids.has(f.object) && (!name || !f.managers || f.managers.includes(name));
  const item = f => make("li", {}, f.object ? to({...state, object: f.object, field: ""}, ...breaking(f.target)) : make("span", {}, ...breaking(f.target)),
    ...(f.managers ?? []).flatMap(name => [" ", ...chips([name])]), ...f.since ? [" ", make("span", {class: "soft whole"}, f.since)] : [],
    ...(f.fields ?? []).flatMap((path, i) => [i ? ", " : ": ", f.object ? to({...state, object: f.object, field: path}, make("code", {}, ...breaking(path))) : make("code", {}, ...breaking(path))]),
    f.more ? ` and ${f.more} more` : "");
  const parts = [make("h2", {}, "Findings")];
  for (const group of groups) {
    const alike = group.alike.map(a => ({...a, findings: a.findings.filter(fits)})).filter(a => a.findings.length);
    if (alike.length) parts.push(make("h3", {}, `${group.heading} (${alike.reduce((n, a) => n + a.findings.length, 0)})`));
    for (const {findings, mend} of alike) {
      parts.push(make("ul", {class: "found happens"}, ...findings.slice(0, 3).map(item)));
      if (findings.length > 3) parts.push(make("details", {}, make("summary", {}, `and ${findings.length - 3} more`), make("ul", {class: "found happens"}, ...findings.slice(3).map(item))));
      parts.push(make("pre", {class: "mend"}, mend));
    }
  }
  if (parts.length === 1) parts.push(make("p", {}, isAll ? "No findings." : "No finding fits. Clear the search and the filters."));
  const rows = managers.filter(m => !state.owner || m.label === state.owner);
  parts.push(make("h2", {}, "Managers"), make("p", {class: "soft"}, "What each manager owns in the objects of a kind. Its name leads to them."), make("div", {class: "wide"}, make("table", {class: "managers"},
    make("thead", {}, make("tr", {}, ...["Manager", "Operation", "Kind", "Objects", "Fields", "Last write", "Who it is"].map((text, i) => make("th", {scope: "col", class: i === 3 || i === 4 ? "number" : undefined}, text)))),
    make("tbody", {}, ...rows.map(m => make("tr", {}, make("td", {}, to({...state, object: "", field: "", owner: m.label}, ...chips([m.label]))), make("td", {}, m.operation), make("td", {}, ...breaking(m.kind)),
      make("td", {class: "number"}, m.objects), make("td", {class: "number"}, m.fields), make("td", {}, m.written || "-"), make("td", {}, m.about)))))));
  if (not_seen) parts.push(make("h2", {}, "Not seen"), make("ul", {}, ...not_seen.map(text => make("li", {}, text))));
  return parts;
}

const lead = (data.lead ?? []).flatMap(({after, text, to: view, alarm}) => {
  const link = view ? to(view, text) : text;
  if (alarm) link.className = "alarm";
  return [after ?? "", link];
});
$("lead").append(...lead, lead.length ? "." : "");
$("summary").textContent = data.summary;
$("broken").append(...(data.failures ?? []).map(f => make("li", {}, `Rule broken: ${f.rule}: ${f.what}`)), ...(data.notes ?? []).map(n => make("li", {}, n.summary)));
const fill = (to, values, words = {}) => to.append(...values.map(v => make("option", {value: v}, words[v] ?? v)));
fill($("owner"), [...owners].sort());
fill($("kind"), [...new Set(data.objects.map(o => o.kind).filter(Boolean))].sort());
const has = new Set(data.objects.flatMap(o => [...o.changes]));
for (const [label, values, words] of [["Objects", Object.keys(actions), actions], ["Lines", data.effects, data.words]]) {
  const group = make("optgroup", {label});
  fill(group, values.filter(v => has.has(v)), words);
  $("change").append(group);
}
for (const id of filters) $(id).addEventListener("input", () => go({[id]: $(id).value, field: ""}, true));
$("only").addEventListener("input", () => go({only: $("only").checked ? "" : "false"}, true));
const form = document.forms[0];
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", event => { event.preventDefault(); go({q: "", owner: "", kind: "", change: "", only: "", field: ""}, true); });
addEventListener("hashchange", render);
addEventListener("popstate", render);
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  const at = shown.indexOf(current);
  const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1}[event.key];
  if (event.key === "Escape") {
    if (event.target === $("q") && $("q").value) go({q: ""}, true);
    current?.link.focus({preventScroll: true});
  } else if (event.key === "/" && !typing) {
    $("q").focus();
    $("q").select();
  } else if (to !== undefined && shown.length && (event.target.closest("nav") || event.target === document.body || event.target === $("q") && event.key.startsWith("Arrow"))) {
    const next = shown[Math.min(Math.max(to, 0), shown.length - 1)];
    go({object: next.id, field: ""}, true);
    next.link.focus({preventScroll: true});
  } else return;
  event.preventDefault();
});
// On paper are the lines that change, of all objects that the filters leave; or what the page of a survey opens on.
addEventListener("beforeprint", () => { if (!current?.isHome) $("object").replaceChildren(...shown.filter(o => !o.isHome).flatMap(o => show(o, !data.live))); });
addEventListener("afterprint", () => { current = undefined; render(); });
render();
