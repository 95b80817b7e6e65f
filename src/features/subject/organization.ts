/** Searches an organization's resources for a caller, and reports what was not searched and why. */
import { trimPeriod } from "../../base/text.js";

import { ClientError } from "../../client/errors.js";
import { idText } from "../../client/ids.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../../write/fields.js";
import { readResource } from "../../write/remote.js";
import { recordOf } from "../../write/values.js";
import type { Matcher } from "./matcher.js";
import { type Occurrence, searchResource } from "./search.js";

type Resource =
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

interface Searched {
  where: string;
  read: number;
  found: number;
  /** Number of records that were deleted after they were listed. */
  gone: number;
}

/** Records that were not searched completely. */
interface NotSearched {
  where: string;
  /** ID of the record; null if the entry is about all records of the type. */
  id: string | null;
  reason: string;
  /**
   * Whether the service refused the search. False if the search was not requested or the API doesn't return
   * the data.
   */
  failed: boolean;
}

export interface FoundResource {
  where: Resource;
  id: string;
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
  /** Whether to read the texts of calls, knowledge items and prompts. */
  texts: boolean;
  /** Called with a resource type and the number of its records that have been read so far. */
  onRead?(where: Resource, count: number): void;
}

interface SearchSource {
  where: Resource;
  list: OperationName;
  /**
   * Fields that identify a caller. If one of these fields is in no row of the list, all records are read by
   * ID.
   */
  telling: readonly string[];
  /** Whether the records are searched only with --details. */
  isText?: true;
  isUnlisted?: true;
}

const written = (where: Resource): SearchSource => ({ where, list: `${where}.list`, telling: [] });
const text = (where: Resource): SearchSource => ({ ...written(where), isText: true, isUnlisted: true });

const searchSources: readonly SearchSource[] = [
  {
    where: "contacts",
    list: "contacts.list",
    telling: ["phone_numbers", "emails", "first_name"],
  },
  { where: "calls", list: "calls.list", telling: ["from", "to"] },
  ...(["knowledge", "prompts"] as const).map(text),
  ...(
    ["groups", "assistants", "forwardings", "glossary", "pronunciation", "calendars", "tools"] as const
  ).map(written),
];

const pageSize = 200;
const getsAtOnce = 8;

/** @throws ClientError if the service can't be reached or rejects the API key; the signal's reason */
export async function searchOrganization(task: SearchTask): Promise<Findings> {
  const findings: Findings = { resources: [], searched: [], notSearched: [] };
  for (const source of searchSources) {
    if (source.isText && !task.texts) {
      findings.notSearched.push({
        where: source.where,
        id: null,
        reason: "requires --details",
        failed: false,
      });
      continue;
    }
    await searchSource(task, source, findings);
  }
  if (!task.texts)
    findings.notSearched.push({
      where: "call texts",
      id: null,
      reason: "details, transcripts, analyses and notes of calls with other numbers; requires --details",
      failed: false,
    });
  return findings;
}

/** The part of a row that is kept until the whole list is read. */
interface Row {
  id: string;
  /** The record; undefined if the row has no match. */
  record: Fields | undefined;
  listed: readonly Occurrence[];
}

async function searchSource(task: SearchTask, source: SearchSource, findings: Findings): Promise<void> {
  const { where } = source;
  const searched: Searched = { where, read: 0, found: 0, gone: 0 };
  let rows: Row[];
  let needsDetail: boolean;
  let shown: ReadonlySet<string>;
  try {
    ({ rows, needsDetail, shown } = await readList(task, source));
  } catch (error) {
    // The request that lists tools is not documented, so the service may respond with 404.
    const failed = !(where === "tools" && error instanceof ClientError && error.status === 404);
    findings.notSearched.push({ where, id: null, reason: describeRefusal(error), failed });
    return;
  }
  const unseen = new Set(source.telling.filter((field) => !shown.has(field)));
  const open = rows.filter(({ listed }) => needsDetail || listed.length > 0);
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
  // The service may store a field that it never returns.
  if (searched.read > 0)
    for (const field of unseen)
      findings.notSearched.push({ where, id: null, reason: `no response contains ${field}`, failed: false });
}

/**
 * @returns `needsDetail`: whether the records must also be read by ID; `shown`: the names of all fields in the
 * rows
 */
async function readList(
  task: SearchTask,
  source: SearchSource,
): Promise<{ rows: Row[]; needsDetail: boolean; shown: Set<string> }> {
  const { client, signal, matcher, onRead } = task;
  const rows: Row[] = [];
  const shown = new Set<string>();
  // `complete` repeats the read until no row is missing, even if the list changes.
  for await (const row of client.items(source.list, {}, { signal, pageSize, complete: true })) {
    const record = recordOf(row);
    const id = idText(record["id"]);
    if (id === undefined) continue;
    for (const name of Object.keys(record)) shown.add(name);
    const listed = searchResource(matcher, source.where, id, record);
    rows.push({ id, record: listed.length > 0 ? record : undefined, listed });
    onRead?.(source.where, rows.length);
  }
  // If no row has a field, the list omits that field.
  const showsAll = source.telling.every((field) => shown.has(field));
  const isUnlisted = source.isUnlisted === true || (source.where === "calls" && task.texts);
  return { rows, needsDetail: isUnlisted || (rows.length > 0 && !showsAll), shown };
}

interface ReadRow {
  record: Fields;
  occurrences: readonly Occurrence[];
  /** Why the record could not be read completely. */
  reason?: string;
}

/** Reads a record by ID and searches it, because the list may omit some fields. */
async function readRow(
  task: SearchTask,
  source: SearchSource,
  { id, record = {}, listed }: Row,
): Promise<"gone" | ReadRow> {
  try {
    const whole = await readResource(task, source.where, id);
    if (whole === null) return "gone";
    const occurrences = searchResource(task.matcher, source.where, id, whole);
    return { record: whole, occurrences: mergeOccurrences(occurrences, listed) };
  } catch (error) {
    return { record, occurrences: listed, reason: describeRefusal(error) };
  }
}

/** Omits a match in the list's row if the full record has a match in the same field. */
function mergeOccurrences(whole: readonly Occurrence[], listed: readonly Occurrence[]): Occurrence[] {
  const known = new Set(whole.map(({ field }) => field));
  return [...whole, ...listed.filter(({ field }) => !known.has(field))];
}

/** @throws `error` itself if it concerns more than this resource type */
function describeRefusal(error: unknown): string {
  if (!(error instanceof ClientError) || !isSourceRefusal(error.status ?? 0)) throw error;
  return `${trimPeriod(error.message)} (${error.status})`;
}

/**
 * Returns whether an error status concerns only one resource type, unlike an invalid key or a failed
 * connection.
 */
function isSourceRefusal(status: number): boolean {
  return [400, 402, 403, 404, 405, 409, 500, 501].includes(status);
}
