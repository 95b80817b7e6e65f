import { toPlainText, toVisibleText } from "../../../base/text-matching.js";
import { idText } from "../../../client/ids.js";
import type { Client, ItemsOptions } from "../../../client/types.js";
import type { OperationName } from "../../../contract/wire.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import { quoteWord } from "../../errors/shell-words.js";
import { createSuggester, formatSuggestion, type Suggester } from "../../errors/suggestions.js";

/** A kind of thing that is found by its name as well as by its id. */
export interface Referable {
  /** The operation that lists them. */
  list: OperationName;
  /** The word for one: "group". */
  noun: string;
  /** The field that holds the name (default `name`). */
  label?: string;
  /** Another field that it is found by: the name of what goes by an external id. */
  otherLabel?: string;
  /** Everything that it is found by, its name first, where that is not in one field. */
  labels?: (row: Readonly<Record<string, unknown>>) => readonly string[];
  /**
   * The typed text as the things have it, and what to tell where nothing is found by it: a number without its
   * country's code.
   */
  read?: (typed: string, profile: ProfileOfReading) => Promise<{ value: string; hint?: string }>;
  /** The flag of their list that finds them by a part of what was typed. */
  search?: string;
  /** Another way in which a label and what was typed may be the same: a phone number, written otherwise. */
  isSame?: (label: string, typed: string) => boolean;
  /** May a label be offered for what was typed and not found (default: any that is near)? */
  isGuess?: (label: string, typed: string) => boolean;
  /** Where its id is, as it was sent, when the documents promise neither a name nor a form of it (default `id`). */
  idOf?: (row: unknown) => unknown;
  /** The ways in which a person may name it, for the help (default "name or id"). */
  given?: string;
  /** A field that tells two of the same name apart: `type`. */
  distinction?: string;
  /** Narrows the list: `{ type: "contacts" }`. What comes back is checked again. */
  query?: Readonly<Record<string, string>>;
  /**
   * Fields that select those that are meant: `{ kind: "email" }`. Only compared here, for lists without such a filter.
   */
  where?: Readonly<Record<string, string>>;
}

/** The parts of a profile that the reading of what was typed depends on. */
export interface ProfileOfReading {
  readonly name: string;
  readonly defaults?: { readonly country?: string | undefined } | undefined;
}

export interface Referred {
  id: string;
  /** As it was sent: a number, where a deployment has numbers for ids. */
  sentId: unknown;
  name: string;
  row: Readonly<Record<string, unknown>>;
  /** Its other name. */
  otherName: string | undefined;
  /** Everything else that it is found by. */
  otherLabels: readonly string[];
  /** The field that tells it apart from others of its name. */
  distinction: string | undefined;
}

const idForm = /^[a-f0-9]{24}$/;

/** Is it written as an id is (public.general.7)? Then it is not looked for by name. */
export function isId(text: string): boolean {
  return idForm.test(text);
}

/**
 * Everything of a kind that has exactly this name; where nothing has, what has it but for case and white space, which a
 * person forgets and a service may store otherwise (T3). All pages are read and compared here: a filter is never trusted.
 */
export async function findByName(
  client: Client,
  referable: Referable,
  name: string,
  options: { signal?: AbortSignal; names?: Map<string, string>; suggester?: Suggester } = {},
): Promise<Referred[]> {
  const matches: Referred[] = [];
  const similar: Referred[] = [];
  // What nobody sees is the name of nothing.
  if (name !== "" && toVisibleText(name) === "") return [];
  const seen = toVisibleText(name);
  for await (const referred of readAll(client, referable, options)) {
    const { otherName, otherLabels } = referred;
    const called = [referred.name, ...(otherName === undefined ? [] : [otherName]), ...otherLabels];
    const isSame = (label: string) =>
      toPlainText(label) === toPlainText(name) || referable.isSame?.(label, name);
    // T9: where ids have any form, what was given may be one.
    if (called.some((label) => toVisibleText(label) === seen) || (referable.idOf && referred.id === name))
      matches.push(referred);
    else if (called.some(isSame)) similar.push(referred);
    for (const label of called)
      if (referable.isGuess?.(label, name) ?? true) options.suggester?.consider(label, referred.id);
  }
  return matches.length === 0 ? similar : matches;
}

/** All things of a kind, with their names; `names` learns them on the way. */
export async function* readAll(
  client: Client,
  referable: Referable,
  options: { signal?: AbortSignal; names?: Map<string, string>; pages?: ItemsOptions } = {},
): AsyncGenerator<Referred, void> {
  const call = { ...options.pages, ...(options.signal ? { signal: options.signal } : {}) };
  for await (const item of client.items(referable.list, { query: { ...referable.query } }, call)) {
    if (typeof item !== "object" || item === null) continue;
    const record: Readonly<Record<string, unknown>> = { ...item };
    const sentId = referable.idOf ? referable.idOf(record) : record["id"];
    const id = idText(sentId);
    const [label, ...otherLabels] = referable.labels?.(record) ?? [];
    const name = label ?? record[referable.label ?? "name"];
    if (id === undefined || typeof name !== "string") continue;
    options.names?.set(id, name);
    const fits = Object.entries({ ...referable.query, ...referable.where }).every(
      ([field, value]) => !(field in record) || record[field] === value,
    );
    if (fits) {
      const [otherName, distinction] = [referable.otherLabel, referable.distinction].map((field) =>
        textOf(record[field ?? ""]),
      );
      yield { id, sentId, name, row: record, otherName, otherLabels, distinction };
    }
  }
}

/** As many as a message names. */
const mostCandidates = 20;

interface ResolveOptions {
  signal?: AbortSignal;
  names?: Map<string, string>;
  /** The way to what was meant, told where nothing is found: a full sentence. */
  hint?: string | undefined;
}

/**
 * The id that a person meant by a name or an id.
 * @param flag what to call it in messages: `--group`
 * @throws not found (4) when nothing has the name, usage error (2) that lists the candidates when several have
 */
export async function resolveReference(
  client: Client,
  referable: Referable,
  value: string,
  flag: string,
  options: ResolveOptions = {},
): Promise<string> {
  return (await resolveReferred(client, referable, value, flag, options)).id;
}

/** The same, with the id as a body takes it. @throws as `resolveReference` */
export async function resolveReferred(
  client: Client,
  referable: Referable,
  value: string,
  flag: string,
  options: ResolveOptions = {},
): Promise<Pick<Referred, "id" | "sentId">> {
  if (isId(value)) return { id: value, sentId: value };
  return findOnly(client, referable, value, flag, options);
}

/** The only thing that has this name, or this id where ids have any form. @throws as `resolveReference` */
export async function findOnly(
  client: Client,
  referable: Referable,
  value: string,
  flag: string,
  options: ResolveOptions = {},
): Promise<Referred> {
  const suggester = createSuggester(value);
  const matches = await findByName(client, referable, value, { ...options, suggester });
  const [first, ...otherMatches] = matches;
  const isLong = matches.length > mostCandidates;
  if (!first) {
    throw notFoundError(
      `${flag}: no ${referable.noun} is named "${value}"`,
      `${formatSuggestion(suggester)}${options.hint === undefined ? "" : `${options.hint} `}${formatListingHint(referable, value)}`,
    );
  }
  if (otherMatches.length > 0) {
    throw usageError(
      `${flag}: ${matches.length} ${toPlural(referable.noun)} are named "${value}"; give the id of one: ${matches
        .slice(0, mostCandidates)
        .map((match) => formatCandidate(match, value))
        .join(", ")}${isLong ? " …" : ""}`,
    );
  }
  return first;
}

/** "glossary entries", "prompts of kind email" */
function toPlural(noun: string): string {
  const [singular = noun, ...narrower] = noun.split(" of ");
  return [singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`, ...narrower].join(" of ");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function formatCandidate({ id, name, otherName, otherLabels, distinction }: Referred, value: string): string {
  const isAlike = name !== value && otherName !== value;
  const whole = otherLabels.length > 0 || isAlike ? [name, ...otherLabels].join(" ").trim() : undefined;
  const description =
    isAlike && distinction !== undefined ? `${name}, ${distinction}` : (distinction ?? whole);
  return description === undefined ? id : `${id} (${description})`;
}

/** The ways to name a thing on the command line: "name or id". */
export function describeAccepted({ given = "name or id" }: Pick<Referable, "given">): string {
  return given;
}

/** The command that shows all of a kind, or looks for a part: `voxctl groups list --type contacts shows those there are`. */
function formatListingHint({ list, query, search }: Referable, value: string): string {
  const filters = Object.entries(query ?? {}).map(([field, value]) => ` --${field} ${value}`);
  const command = `voxctl ${list.replaceAll(".", " ")}${filters.join("")}`;
  return search === undefined
    ? `${command} shows those there are`
    : `${command} --${search} ${quoteWord(value)} looks for parts`;
}
