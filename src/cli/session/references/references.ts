import { quoteWord } from "../../../base/shell-words.js";
import { createSuggester, formatSuggestion, type Suggester } from "../../../base/suggestions.js";
import { toPlainText, toVisibleText } from "../../../base/text-matching.js";
import { idText } from "../../../client/ids.js";
import type { Client, ItemsOptions } from "../../../client/types.js";
import type { OperationName } from "../../../contract/wire.js";
import { notFoundError, usageError } from "../../errors/errors.js";

export interface Referable {
  list: OperationName;
  noun: string;
  /** Default: `name`. */
  label?: string;
  /** Second field to search. For example, customers can be found by external ID and by name. */
  otherLabel?: string;
  /** Returns the values to search, the name first. Needed only if several fields contain such values. */
  labels?: (row: Readonly<Record<string, unknown>>) => readonly string[];
  /**
   * Normalizes typed text, for example by adding the country code to a phone number. If nothing matches, the
   * hint is shown.
   */
  read?: (typed: string, profile: ProfileOfReading) => Promise<{ value: string; hint?: string }>;
  /** Query parameter for a search by the service. */
  search?: string;
  /** Returns whether both texts mean the same, such as two formats of a phone number. */
  isSame?: (label: string, typed: string) => boolean;
  /** Default: voxctl suggests any similar value. */
  isGuess?: (label: string, typed: string) => boolean;
  /**
   * Returns the ID as received (default: field `id`). Set for APIs that don't document the ID's field and
   * format.
   */
  idOf?: (row: unknown) => unknown;
  /** Accepted forms of a reference, for the help (default: "name or ID"). */
  given?: string;
  /** Field that distinguishes resources with the same name, such as `type`. */
  distinction?: string;
  /** Query that narrows the list, such as `{ type: "contacts" }`. voxctl also filters the rows itself. */
  query?: Readonly<Record<string, string>>;
  /** Additional filter that voxctl applies itself, because the service has none: `{ kind: "email" }`. */
  where?: Readonly<Record<string, string>>;
  describeExcluded?: (
    excluded: Referred,
    names: ReadonlyMap<string, string>,
  ) => { message: string; hint: string };
}

export interface ProfileOfReading {
  readonly name: string;
  readonly defaults?: { readonly country?: string | undefined } | undefined;
}

export interface Referred {
  id: string;
  /** ID as received; a number in services with numeric IDs. */
  sentId: unknown;
  name: string;
  row: Readonly<Record<string, unknown>>;
  otherName: string | undefined;
  otherLabels: readonly string[];
  distinction: string | undefined;
}

const idForm = /^[a-f0-9]{24}$/;

/**
 * Returns whether text looks like an ID (public.general.7). voxctl doesn't search for such text as a name.
 */
export function isId(text: string): boolean {
  return idForm.test(text);
}

/**
 * Finds resources by name. Without an exact match, ignores case and white space, because a service may
 * normalize names. Compares the rows of all pages, because a service may ignore filters.
 */
export async function findByName(
  client: Client,
  referable: Referable,
  name: string,
  options: { signal?: AbortSignal; names?: Map<string, string>; suggester?: Suggester } = {},
): Promise<Referred[]> {
  const matches: Referred[] = [];
  const similar: Referred[] = [];
  // Invisible text is not a name.
  if (name !== "" && toVisibleText(name) === "") return [];
  const seen = toVisibleText(name);
  for await (const referred of readAll(client, referable, options)) {
    const { otherName, otherLabels } = referred;
    const called = [referred.name, ...(otherName === undefined ? [] : [otherName]), ...otherLabels];
    const isSame = (label: string) =>
      toPlainText(label) === toPlainText(name) || referable.isSame?.(label, name);
    // If the API's ID format is undocumented, the typed text may be an ID.
    if (called.some((label) => toVisibleText(label) === seen) || (referable.idOf && referred.id === name))
      matches.push(referred);
    else if (called.some(isSame)) similar.push(referred);
    for (const label of called)
      if (referable.isGuess?.(label, name) ?? true) options.suggester?.consider(label, referred.id);
  }
  return matches.length === 0 ? similar : matches;
}

/** Stores the names in `options.names`. */
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

const mostCandidates = 20;

interface ResolveOptions {
  signal?: AbortSignal;
  names?: Map<string, string>;
  hint?: string | undefined;
}

/**
 * Returns the ID of the resource with this name or ID.
 * @param flag flag name for messages: `--group`
 * @throws not found (4); usage error (2), which lists the candidates, if the name is ambiguous
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

/** Returns the ID in the form that a request body requires. @throws as `resolveReference` */
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

/**
 * Returns the only resource with this name. If the API's ID format is undocumented, the value may also be an
 * ID.
 * @throws as `resolveReference`
 */
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
    await assertNotExcluded(client, referable, value, flag, options);
    throw notFoundError(
      `${flag}: no ${referable.noun} is named "${value}"`,
      `${formatSuggestion(suggester)}${options.hint === undefined ? "" : `${options.hint}; `}${formatListingHint(referable, value)}`,
    );
  }
  if (otherMatches.length > 0) {
    throw usageError(
      `${flag}: ${matches.length} ${toPlural(referable.noun)} are named "${value}"; use one of these IDs: ${matches
        .slice(0, mostCandidates)
        .map((match) => formatCandidate(match, value))
        .join(", ")}${isLong ? " …" : ""}`,
    );
  }
  return first;
}

/** @throws not found (4) if the named resource has the wrong type, such as a customer instead of an MSP */
async function assertNotExcluded(
  client: Client,
  { describeExcluded, where: _, ...referable }: Referable,
  value: string,
  flag: string,
  options: ResolveOptions,
): Promise<void> {
  if (!describeExcluded) return;
  const names = new Map<string, string>();
  const [excluded] = await findByName(client, referable, value, { ...options, names });
  if (!excluded) return;
  const { message, hint } = describeExcluded(excluded, names);
  throw notFoundError(`${flag}: ${message}`, hint);
}

function toPlural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
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

export function describeAccepted({ given = "name or ID" }: Pick<Referable, "given">): string {
  return given;
}

function formatListingHint({ noun, list, query, search }: Referable, value: string): string {
  const filters = Object.entries(query ?? {}).map(([field, value]) => ` --${field} ${value}`);
  const command = `voxctl ${list.replaceAll(".", " ")}${filters.join("")}`;
  return search === undefined
    ? `to list the ${toPlural(noun)}, run \`${command}\``
    : `to search, run \`${command} --${search} ${quoteWord(value)}\``;
}
