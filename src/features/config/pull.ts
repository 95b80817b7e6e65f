import { isFields } from "../../base/fields.js";
import { canonical } from "./canonical.js";
import { isGroupOfItem, liveValue, type References, specOf } from "./codec.js";
import type { Decision, ObjectChange } from "./decision.js";
import {
  fileValue,
  findDroppedHeaders,
  isStoredSecret,
  looksLikeCredential,
  NotWritable,
} from "./file-values.js";
import { type Edit, editMarkdown, editYaml } from "./folder/edit.js";
import { foldedKey } from "./folder/keys.js";
import { bodyOfText } from "./folder/markdown.js";
import type { ConfigObject } from "./folder/objects.js";
import type { Declared, Folder } from "./folder/open.js";
import type { SourceFile } from "./folder/source.js";
import { unfilledSource } from "./folder/unfilled.js";
import type { LiveRecord } from "./live.js";
import type { Lock } from "./lock.js";
import { type NewResource, nameNewResources, writeNewResources } from "./new-files.js";
import type { Pair } from "./relock.js";
import { unknownFields } from "./unknown-fields.js";
import { environmentSources, escapedText, firstVariable } from "./variables.js";

export interface PullOptions {
  /** Whether to create files for live resources that have no file. */
  isNew: boolean;
  deletesFiles: boolean;
  resolve: "file" | "live" | undefined;
  keys: readonly string[] | undefined;
}

export interface PullPlan {
  writes: Map<string, string>;
  removes: string[];
  written: { key: string; fields: string[] }[];
  created: NewResource[];
  left: { key: string; field: string; reason: string }[];
  conflicts: { key: string; fields: string[] }[];
  gone: string[];
  /** Undocumented fields, with the number of resources that have them. */
  unknown: Record<string, number>;
  /** Files without a lock entry, with the IDs of the live resources that have the same name. */
  unbound: readonly { key: string; ids: readonly string[] }[];
  unmanaged: Readonly<Record<string, number>>;
  drops: string[];
  /** Includes the keys of `created`. */
  references: References;
}

interface FileEdits {
  source: SourceFile;
  edits: Edit[];
  body: string | undefined;
}

/** @throws Error if an edit would change other values, which is a bug */
export function planPull(
  folder: Folder,
  decision: Decision,
  options: PullOptions,
  texts: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): PullPlan {
  const { changes, declared } = decision;
  const plan: PullPlan = {
    writes: new Map(),
    removes: [],
    written: [],
    created: [],
    left: [],
    conflicts: [],
    gone: [...decision.gone],
    unbound: [...decision.needsAdopt.map(({ key, id }) => ({ key, ids: [id] })), ...decision.ambiguous],
    unknown: {},
    unmanaged: decision.unmanaged,
    drops: [],
    references: decision.references,
  };
  const files = new Map<SourceFile, FileEdits>();
  const editsOf = (source: SourceFile) => {
    const fileEdits = files.get(source) ?? { source, edits: [], body: undefined };
    files.set(source, fileEdits);
    return fileEdits;
  };
  for (const change of changes)
    if (isSelected(change.object.key, options)) pullObject(change, decision, options, plan, editsOf);
  if (options.deletesFiles)
    for (const key of plan.gone.filter((key) => isSelected(key, options)))
      removeObject(key, declared, plan, editsOf);
  if (options.isNew) planNewFiles(folder, decision, options, texts, plan, editsOf);
  for (const { source, edits, body } of files.values())
    plan.writes.set(source.path, editedFile(source, edits, body));
  return plan;
}

/** Plans files for the live resources that have none. */
function planNewFiles(
  folder: Folder,
  { changes, live, references, declared, lock, needsAdopt, ambiguous }: Decision,
  options: PullOptions,
  texts: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  plan: PullPlan,
  editsOf: (source: SourceFile) => FileEdits,
): void {
  const known = new Set(
    [...lock.lines.values(), ...changes.flatMap(({ line }) => (line === undefined ? [] : [line]))].map(
      ({ id }) => id,
    ),
  );
  for (const { id } of needsAdopt) known.add(id);
  for (const { ids } of ambiguous) for (const id of ids) known.add(id);
  const taken = new Set([...declared.objects.keys(), ...lock.lines.keys()].map(foldedKey));
  for (const { path } of folder.files) taken.add(foldedKey(path.replace(/\.(?:yaml|md)$/, "")));
  const named = nameNewResources(
    folder.project.kinds,
    live,
    (id) => known.has(id),
    (id) => {
      const key = references.keyOf("groups", id);
      return key !== undefined && declared.objects.has(key) ? key : undefined;
    },
    taken,
  );
  const isWanted = ({ key }: { key: string }) => isSelected(key, options) && !folder.isIgnored(key);
  plan.left.push(...named.left.filter(isWanted));
  const newResources = named.resources
    .filter(isWanted)
    .map((resource) => ({ ...resource, record: { ...resource.record, ...texts.get(resource.id) } }));
  plan.created.push(...newResources);
  const keys = new Map(newResources.map(({ spec, id, key }) => [`${spec.resource} ${id}`, key]));
  plan.references = {
    ...references,
    keyOf: (resource, id) => references.keyOf(resource, id) ?? keys.get(`${resource} ${id}`),
  };
  const made = writeNewResources(newResources, live, plan.references);
  for (const { spec, record } of newResources) countUnknown(spec.resource, record, plan);
  for (const [path, text] of made.files) plan.writes.set(path, text);
  plan.left.push(...made.left);
  for (const [key, edits] of made.appended) {
    const group = declared.objects.get(key);
    // If the overlay has its own list, it replaces the list of the base file.
    if (group !== undefined) editsOf(group.locate("items").file).edits.push(...edits);
  }
}

/** A key also selects the items in its file and the files in its directory. */
function isSelected(key: string, { keys }: Pick<PullOptions, "keys">): boolean {
  return (
    keys === undefined ||
    keys.some(
      (selectedKey) =>
        key === selectedKey || key.startsWith(`${selectedKey}#`) || key.startsWith(`${selectedKey}/`),
    )
  );
}

function editedFile(source: SourceFile, edits: readonly Edit[], body: string | undefined): string {
  // Remove list entries from the end, so that earlier indexes stay valid.
  const ordered = [
    ...edits.filter((edit) => !("remove" in edit)),
    ...edits.filter((edit) => "remove" in edit).reverse(),
  ];
  const text =
    source.markdown === undefined ? editYaml(source.text, ordered) : editMarkdown(source.text, ordered, body);
  return source.hasCrlf ? text.replaceAll("\n", "\r\n") : text;
}

/** A field that also changed in the file is a conflict. */
function pullObject(
  change: ObjectChange,
  { live, references, lock }: Decision,
  { resolve }: PullOptions,
  plan: PullPlan,
  editsOf: (source: SourceFile) => FileEdits,
): void {
  const { object, verdicts, record } = change;
  if (record === undefined) return;
  const written: string[] = [];
  const conflicts: string[] = [];
  const leave = (field: string, reason: string) => plan.left.push({ key: object.key, field, reason });
  for (const [field, verdict] of verdicts) {
    if (verdict === "conflict" && resolve === undefined) conflicts.push(field);
    if (verdict !== "drift" && !(verdict === "conflict" && resolve === "live")) continue;
    const spec = specOf(object.spec, field);
    const location = object.locate(field);
    const source = object.secrets.get(field);
    if (source !== undefined && source !== null)
      leave(field, `the live value differs from ${source.from}; pull never writes secrets`);
    else if (isGroupOfItem(object.spec, field))
      leave(field, "the live resource is in a different group; move the file or the resource");
    else if (field === object.resourceType.itemKey && object.spec === object.resourceType.item)
      leave(
        field,
        `the field is the item's key; the live value is ${JSON.stringify(record[spec?.api ?? field])}`,
      );
    else if (object.sealed.has(field))
      leave(field, `the live value differs from ${environmentSources(object.sealed.get(field)).join(", ")}`);
    else if (location.variables !== undefined) {
      // Don't change the variable, because other fields may use it.
      const variable = firstVariable(location.variables) ?? "a variable";
      const value = liveValue(record, spec?.api ?? field);
      leave(
        field,
        spec?.isHeaders === true
          ? `a value comes from ${variable}, and the live headers differ`
          : `the value comes from ${variable}; the live value is ${JSON.stringify(value)}`,
      );
    } else if (spec === undefined)
      leave(field, "the live value differs; pull never writes undocumented fields");
    else {
      try {
        const value = fileValue(
          spec,
          liveValue(record, spec.api),
          live,
          references,
          object.fields.get(field),
        );
        if (spec.isHeaders === true)
          for (const header of findDroppedHeaders(value)) leave(`${field}.${header}`, looksLikeCredential);
        const edits = editsOf(location.file);
        if (spec.isHeaders !== true || !writeHeaders(object, field, value, edits))
          writeField(object, field, value, edits, liveValue(record, spec.api));
        written.push(field);
      } catch (error) {
        if (!(error instanceof NotWritable)) throw error;
        leave(field, error.message);
      }
    }
  }
  written.push(...pullUndeclared(change, record, lock, plan, editsOf));
  if (written.length > 0) plan.written.push({ key: object.key, fields: written });
  if (conflicts.length > 0) plan.conflicts.push({ key: object.key, fields: conflicts });
}

function pullUndeclared(
  { object }: ObjectChange,
  record: LiveRecord,
  lock: Lock,
  plan: PullPlan,
  editsOf: (source: SourceFile) => FileEdits,
): string[] {
  const written: string[] = [];
  const write = (field: string, value: unknown) => {
    const { file, path } = object.locate(field);
    editsOf(file).edits.push({ path: path === "body" ? [field] : path, value });
    written.push(field);
  };
  for (const [name] of unknownFields(object.spec.resource, record)) {
    if (object.fields.has(`extra.${name}`)) continue;
    plan.unknown[name] = (plan.unknown[name] ?? 0) + 1;
  }
  const known = lock.lines.get(object.key)?.secrets ?? {};
  for (const { name, form } of object.spec.fields) {
    if (form !== "secret" || object.secrets.has(name) || !isStoredSecret(record, name)) continue;
    // The file lacks the secret. If the lock entry contains it, the user has removed it from the file, so don't
    // add it again.
    const isWithinFile =
      !name.includes(".") || object.fields.has(`${name.slice(0, name.lastIndexOf("."))}.type`);
    if (isWithinFile && !Object.hasOwn(known, name)) write(name, { from: unfilledSource });
  }
  return written;
}

function countUnknown(resource: string, record: LiveRecord, plan: PullPlan): void {
  for (const [name] of unknownFields(resource, record)) plan.unknown[name] = (plan.unknown[name] ?? 0) + 1;
}

function writeField(
  object: ConfigObject,
  field: string,
  value: unknown,
  target: FileEdits,
  raw: unknown,
): void {
  const { path } = object.locate(field);
  if (field !== object.resourceType.body) {
    target.edits.push({ path: path === "body" ? [field] : path, value });
    return;
  }
  const { source } = target;
  const matter = Object(source.yaml.value);
  const text = typeof raw === "string" ? raw : "";
  const { body, newline, text: whole } = bodyOfText(text);
  target.body = matter["variables"] === true ? escapedText(body) : body;
  if ((matter["newline"] ?? "lf") !== (newline ?? "lf"))
    target.edits.push({ path: ["newline"], value: newline ?? "lf" });
  if (whole !== undefined || "text" in matter) {
    target.edits.push({ path: ["text"], value: escapedText(text) });
    target.body = "";
  }
}

/** Changes headers one by one, to keep comments. Returns false if a header was removed. */
function writeHeaders(object: ConfigObject, field: string, value: unknown, target: FileEdits): boolean {
  const former = object.fields.get(field);
  const { path } = object.locate(field);
  if (!isFields(former) || !isFields(value) || path === "body") return false;
  if (Object.keys(former).some((header) => !Object.hasOwn(value, header))) return false;
  for (const [header, inner] of Object.entries(value))
    if (canonical("exact", inner) !== canonical("exact", former[header]))
      target.edits.push({ path: [...path, header], value: inner });
  return true;
}

function removeObject(
  key: string,
  { objects, sources }: Declared,
  plan: PullPlan,
  editsOf: (source: SourceFile) => FileEdits,
): void {
  const object = objects.get(key);
  if (object === undefined) return;
  const { file, path } = object.locate(object.spec.nameField);
  plan.drops.push(key);
  const isItem = object.resourceType.layout === "items" && object.spec === object.resourceType.item;
  // If the group is deleted too, its file is removed with all entries.
  if (isItem && !plan.gone.includes(object.group ?? "")) {
    if (path !== "body" && typeof path[1] === "number")
      editsOf(file).edits.push({ remove: path.slice(0, 2) });
    // A group without `_group.yaml` has no file to remove. Its items' files are removed separately.
  } else if (!isItem)
    plan.removes.push(...sources.filter((source) => source.key === key).map((source) => source.path));
}

/** Returns the pairs of files and live resources whose lock entries a pull updates. */
export function pairsOf(
  { changes }: Decision,
  { created, drops }: PullPlan,
  objects: ReadonlyMap<string, ConfigObject>,
  options: PullOptions,
): Pair[] {
  const bound = changes.flatMap(({ object: { key }, line, record, live, isAdopted, verdicts }) => {
    const object = objects.get(key);
    if (
      object === undefined ||
      line === undefined ||
      record === undefined ||
      isAdopted ||
      drops.includes(key) ||
      !isSelected(key, options)
    )
      return [];
    const conflicts = [...verdicts].filter(([, verdict]) => verdict === "conflict").map(([field]) => field);
    const seen = new Set(options.resolve === "file" ? conflicts : []);
    const pair: Pair = { object, id: line.id, record, known: live, seen };
    return [pair];
  });
  const fresh = created.flatMap(({ key, id, record }) => {
    const object = objects.get(key);
    return object === undefined ? [] : [{ object, id, record }];
  });
  return [...bound, ...fresh];
}
