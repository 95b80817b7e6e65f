/**
 * Reads an organization's places for a caller: what was searched is counted, and what was not is said with the reason.
 */
import type { Fields } from "../bulk/fields.js";
import { recordOf } from "../bulk/values.js";
import { ClientError } from "../client/errors.js";
import { idText } from "../client/ids.js";
import type { Client } from "../client/types.js";
import { parsePathParameters } from "../contract/operation.js";
import { type OperationName, wire } from "../contract/wire.js";
import type { Matcher } from "./matcher.js";
import { type Occurrence, searchResource } from "./search.js";

/** Things of the organization in which a caller may occur. */
export type Resource =
  | "contacts"
  | "calls"
  | "knowledge"
  | "prompts"
  | "groups"
  | "assistants"
  | "forwardings"
  | "glossary"
  | "pronunciation"
  | "calendars"
  | "tools";

/** How much of a place was searched. */
interface Searched {
  where: string;
  /** Things that were read and looked through. */
  read: number;
  /** Those of them in which the caller occurs. */
  found: number;
  /** Things that were gone before they could be read. */
  gone: number;
}

/** A place that was not searched, or not the whole of it. */
interface NotSearched {
  where: string;
  /** The thing; null for all of them. */
  id: string | null;
  reason: string;
  /** It was to be searched, and could not be. */
  failed: boolean;
}

/** A thing in which the caller occurs. */
export interface FoundResource {
  where: Resource;
  id: string;
  /** As far as it was read. */
  record: Fields;
  occurrences: readonly Occurrence[];
}

export interface Findings {
  resources: FoundResource[];
  searched: Searched[];
  notSearched: NotSearched[];
}

export interface SearchTask {
  client: Client;
  signal: AbortSignal;
  matcher: Matcher;
  /** Read every call whole, knowledge items and prompts: what was said and written. */
  texts: boolean;
  /** Told how many things of a place were read. */
  onRead?(where: Resource, count: number): void;
}

interface SearchSource {
  where: Resource;
  list: OperationName;
  /** Fields that tell the caller: where a list shows none of them, each thing is read by its id. */
  telling: readonly string[];
  /** Only with --details. */
  isText?: true;
  /** Its list leaves out what is looked for. */
  isUnlisted?: true;
}

const written = (where: Resource): SearchSource => ({
  where,
  list: `${where}.list`,
  telling: [],
  isText: true,
});

const searchSources: readonly SearchSource[] = [
  {
    where: "contacts",
    list: "contacts.list",
    telling: ["phone_numbers", "emails", "first_name"],
  },
  { where: "calls", list: "calls.list", telling: ["from", "to"] },
  { ...written("knowledge"), isUnlisted: true },
  { ...written("prompts"), isUnlisted: true },
  ...(
    ["groups", "assistants", "forwardings", "glossary", "pronunciation", "calendars", "tools"] as const
  ).map(written),
];

const pageSize = 200;
/** Gets in flight at most; the client paces them. */
const getsAtOnce = 8;

/**
 * Looks for a caller in every place that is asked for.
 * @throws ClientError where the service can't be reached, or refuses the key; the signal's reason
 */
export async function searchOrganization(task: SearchTask): Promise<Findings> {
  const findings: Findings = { resources: [], searched: [], notSearched: [] };
  for (const source of searchSources) {
    if (source.isText && !task.texts) {
      findings.notSearched.push({ where: source.where, id: null, reason: "needs --details", failed: false });
      continue;
    }
    await searchSource(task, source, findings);
  }
  if (!task.texts)
    findings.notSearched.push({
      where: "call texts",
      id: null,
      reason: "details, transcripts, analyses and notes of calls with other numbers: needs --details",
      failed: false,
    });
  return findings;
}

/** A row as far as it is kept until the whole list is known. */
interface Row {
  id: string;
  /** Kept only where the caller occurs in it. */
  record: Fields | undefined;
  listed: readonly Occurrence[];
}

async function searchSource(task: SearchTask, source: SearchSource, findings: Findings): Promise<void> {
  const { where } = source;
  const searched: Searched = { where, read: 0, found: 0, gone: 0 };
  let rows: Row[];
  let isWhole: boolean;
  let shown: ReadonlySet<string>;
  try {
    ({ rows, isWhole, shown } = await readList(task, source));
  } catch (error) {
    // Not every service has every list: tools are documented without a path.
    const failed = !(error instanceof ClientError && error.status === 404);
    findings.notSearched.push({ where, id: null, reason: describeRefusal(error), failed });
    return;
  }
  const unseen = new Set(source.telling.filter((field) => !shown.has(field)));
  const open = rows.filter(({ listed }) => isWhole || listed.length > 0);
  searched.read = rows.length - open.length;
  for (let first = 0; first < open.length; first += getsAtOnce) {
    const some = open.slice(first, first + getsAtOnce);
    const results = await Promise.all(some.map((row) => readRow(task, source, row)));
    for (const [index, result] of results.entries()) {
      const { id = "" } = some[index] ?? {};
      if (result === "gone") searched.gone += 1;
      else {
        if (result.reason !== undefined)
          findings.notSearched.push({ where, id, reason: result.reason, failed: true });
        else searched.read += 1;
        for (const field of Object.keys(result.record)) unseen.delete(field);
        if (result.occurrences.length === 0) continue;
        searched.found += 1;
        findings.resources.push({ where, id, record: result.record, occurrences: result.occurrences });
      }
    }
    task.onRead?.(where, searched.read);
  }
  findings.searched.push(searched);
  // T10: what no answer shows may be there all the same.
  if (searched.read > 0)
    for (const field of unseen)
      findings.notSearched.push({ where, id: null, reason: `no answer shows ${field}`, failed: false });
}

/** The rows of a list, and whether each has to be read by its id to be searched. */
async function readList(
  task: SearchTask,
  source: SearchSource,
): Promise<{ rows: Row[]; isWhole: boolean; shown: Set<string> }> {
  const { client, signal, matcher, onRead } = task;
  const rows: Row[] = [];
  const shown = new Set<string>();
  // T7: read until nothing is missing that was there all the time.
  for await (const row of client.items(source.list, {}, { signal, pageSize, complete: true })) {
    const record = recordOf(row);
    const id = idText(record["id"]);
    if (id === undefined) continue;
    for (const name of Object.keys(record)) shown.add(name);
    const listed = searchResource(matcher, source.where, id, record);
    rows.push({ id, record: listed.length > 0 ? record : undefined, listed });
    onRead?.(source.where, rows.length);
  }
  // A field that no row has is one that this list leaves out.
  const showsAll = source.telling.every((field) => shown.has(field));
  const isUnlisted = source.isUnlisted === true || (source.where === "calls" && task.texts);
  return { rows, isWhole: isUnlisted || (rows.length > 0 && !showsAll), shown };
}

interface ReadRow {
  record: Fields;
  occurrences: readonly Occurrence[];
  /** Why it could not be read whole. */
  reason?: string;
}

/** A thing as a get shows it: a list may show less of what is the caller's. */
async function readRow(
  task: SearchTask,
  source: SearchSource,
  { id, record = {}, listed }: Row,
): Promise<"gone" | ReadRow> {
  try {
    const whole = await readResource(task, source.where, id);
    if (whole === undefined) return "gone";
    const occurrences = searchResource(task.matcher, source.where, id, whole);
    return { record: whole, occurrences: mergeOccurrences(occurrences, listed) };
  } catch (error) {
    return { record, occurrences: listed, reason: describeRefusal(error) };
  }
}

/** A list may still show what a get does not any more; both are told. */
function mergeOccurrences(whole: readonly Occurrence[], listed: readonly Occurrence[]): Occurrence[] {
  const known = new Set(whole.map(({ field }) => field));
  return [...whole, ...listed.filter(({ field }) => !known.has(field))];
}

/** @returns undefined where it is gone (T4) */
export async function readResource(
  { client, signal }: Pick<SearchTask, "client" | "signal">,
  where: Resource,
  id: string,
): Promise<Fields | undefined> {
  const operation = `${where}.get` as const;
  const [parameter = ""] = parsePathParameters(wire[operation].path);
  try {
    return recordOf((await client.call(operation, { path: { [parameter]: id } }, { signal })).data);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Reads why the service does not show a place.
 * @throws what is wrong with all of them
 */
function describeRefusal(error: unknown): string {
  if (!(error instanceof ClientError) || !isSourceRefusal(error.status ?? 0)) throw error;
  return `${error.message.replace(/\.$/, "")} (${error.status})`;
}

/** T15: what passes, or is wrong with the key or the connection, is not the place's refusal. */
function isSourceRefusal(status: number): boolean {
  return [400, 402, 403, 404, 405, 409, 500, 501].includes(status);
}
