import { recordOf } from "../../../write/values.js";

export interface EnvelopeList {
  path: readonly string[];
  rows: number;
}

interface Part {
  path: readonly string[];
  members: Readonly<Record<string, unknown>>;
  /**
   * Whether the object contains the list or has a name such as `meta`. Members with ambiguous names count
   * only in such objects.
   */
  describesList: boolean;
  /** Whether the object says that this is the last page. Links to a next page are then ignored. */
  isLast: boolean;
  rows: number;
}

const deepest = 5;
const describingName =
  /(?:^| )(?:meta|pag(?:e|ing|inat)|info|link|cursor|list|result|response|header|additional|summary|count|total)/;

/**
 * Finds a member that shows that a list is only one of several pages: an import that deletes missing rows
 * would delete the rows of all other pages.
 * @param envelope the object around the list, without its rows
 * @returns the member, for messages: `"paging.next"`
 */
export function findPageSign(envelope: unknown, list: EnvelopeList): string | undefined {
  for (const part of partsOf(recordOf(envelope), [], true, list)) {
    for (const [name, value] of Object.entries(part.members)) {
      if (!isSign(wordsOf(name), value, part)) continue;
      const shown = typeof value === "number" || typeof value === "boolean" ? `: ${value}` : "";
      return `"${[...part.path, name].join(".")}"${shown}`;
    }
  }
  return undefined;
}

function* partsOf(
  members: Part["members"],
  path: readonly string[],
  describesList: boolean,
  list: EnvelopeList,
): Generator<Part, void> {
  const isLast = Object.entries(members).some(([name, value]) => isLastPageFlag(wordsOf(name), value));
  yield { path, members, describesList, isLast, rows: list.rows };
  if (path.length === deepest) return;
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    const inner = [...path, name];
    const isAround = inner.every((step, index) => step === list.path[index]);
    const describes = isAround || (describesList && describingName.test(wordsOf(name)));
    yield* partsOf(recordOf(value), inner, describes, list);
  }
}

/** Splits a member's name into lowercase words: `@odata.nextLink` becomes `odata next link`. */
function wordsOf(name: string): string {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.filter((part) => part !== "").join(" ");
}

const pageNouns =
  "(?: ?(?:pages?|links?|url|uri|href|path|tokens?|cursors?|marker|offset|start|index|key|id|max|number|no|records?|results?|" +
  "items?|rows?|set|batch|query|request|params|partition|skip|after|from|continuation|in collection|available|exists?))*$";
const nextName = new RegExp(`(?:^| )next${pageNouns}`);
const previousName = new RegExp(`(?:^| )prev(?:ious)?${pageNouns}`);
const moreName = new RegExp(`(?:^| )(?:has ?|is ?)?more${pageNouns}|(?:^| )has ?next|truncated$`);
const hasPreviousName = /(?:^| )has ?prev/;
const partialName = /^(?:is ?)?(?:incomplete|partial)(?: ?(?:results?|list|data))?$/;
const ofEnd = "(?: ?(?:of|the|page|list|records?|results?|data|items?|rows?|reached))*$";
const lastName = new RegExp(
  `^(?:is ?)?(?:at ?)?(?:the ?)?(?:last|done|completed?|finished|final|end|eof)${ofEnd}`,
);
const firstName = /^(?:is ?)?first ?(?:page)?$/;
const tokenName =
  /^(?:(?:page|paging|pagination|continuation|scroll|skip|end|list|results?|search) ?)?(?:cursor|token|marker)$|^continu(?:e|ation)$|^last ?evaluated ?key$/;
const pageCountName =
  /^(?:(?:total|last|max|num|nb|number of) ?pages?(?: ?(?:number|count))?|pages?(?: ?(?:count|total))|pages)$/;
const pageName = /^(?:current ?)?page(?: ?(?:number|num|no|nr))?$|^current$/;
/** Names of offsets. Offsets start at 0, but page numbers can start at 1. */
const offsetName = /^(?:(?:page|current|result) ?)?(?:offset|skip|start ?at)$/;
const startName = /^(?:start|start ?(?:index|row|element|position)|from|first ?(?:result|row|index))$/;
const sizeName = /limit|size|per ?page|max ?results|^(?:to|rows|count|total|length)$/;
const totalName = totalNames();

/**
 * Matches names that consist only of words for a count and for the counted rows: `totalCount`,
 * `@odata.count`, `recordsTotal`.
 */
function totalNames(): RegExp {
  const counting = "total|count|length|found|num|nb|hits|matched";
  const counted =
    "results?|records?|items?|elements?|rows?|entries|objects?|contacts?|people|persons?|customers?|users?|members?|" +
    "documents?|docs?|resources?|data|list|size|all|of|full|overall|filtered|available|remaining|odata|x|number";
  return new RegExp(`^records$|^(?=.*(?:${counting}))(?:(?:${counting}|${counted}) ?)+$`);
}

function isLastPageFlag(words: string, value: unknown): boolean {
  const flag = flagOf(value);
  return (
    (flag === false && (moreName.test(words) || nextName.test(words))) ||
    (flag === true && lastName.test(words))
  );
}

function isSign(words: string, value: unknown, part: Part): boolean {
  const flag = flagOf(value);
  if (flag !== undefined) return isFlagSign(words, flag, part);
  const number = numberOf(value);
  if (moreName.test(words) && number !== undefined) return number > 0;
  if (nextName.test(words) || words === "more") return !part.isLast && leadsSomewhere(value);
  if (previousName.test(words)) return leadsSomewhere(value);
  if (/links?$/.test(words)) return holdsLink(value);
  if (pageCountName.test(words)) return number !== undefined && number > 1;
  if (!part.describesList) return false;
  if (tokenName.test(words)) return !part.isLast && leadsSomewhere(value);
  return number === undefined ? isOffsetToken(words, value, part) : isNumberSign(words, number, part);
}

function isFlagSign(words: string, flag: boolean, { describesList }: Part): boolean {
  if (flag)
    return (
      [moreName, nextName, previousName, hasPreviousName].some((name) => name.test(words)) ||
      (describesList && partialName.test(words))
    );
  return describesList && (lastName.test(words) || firstName.test(words));
}

function isNumberSign(words: string, number: number, { members, rows }: Part): boolean {
  if (totalName.test(words)) return number > rows;
  if (pageName.test(words)) return number > 1 || isBelowLast(number, members);
  if (offsetName.test(words)) return number > 0;
  const hasSize = Object.keys(members).some((name) => sizeName.test(wordsOf(name)));
  return startName.test(words) && hasSize && number > 1;
}

/** Returns whether a page number is below the number of the last page, as in `{"current": 1, "last": 3}`. */
function isBelowLast(page: number, members: Part["members"]): boolean {
  return Object.entries(members).some(
    ([name, value]) => lastName.test(wordsOf(name)) && page < (numberOf(value) ?? 0),
  );
}

function isOffsetToken(words: string, value: unknown, { isLast }: Part): boolean {
  return words === "offset" && !isLast && leadsSomewhere(value);
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  return typeof value === "string" && /^\s*(?:true|false)\s*$/i.test(value) ? /true/i.test(value) : undefined;
}

/**
 * Returns a value as a number. The value can be a number, a string of digits, or an object with a number in
 * its member `value`, as in the totals of search engines.
 */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return /^\s*-?\d+\s*$/.test(value) ? Number(value) : undefined;
  const inner = typeof value === "object" ? recordOf(value)["value"] : undefined;
  return typeof inner === "number" ? inner : undefined;
}

/** Members that describe a link but don't contain its target. */
const labelNames: readonly string[] = ["rel", "relation", "label", "name", "type", "title", "method"];

/** Returns whether a value, or a value in it, is a non-empty string or a number above 0. */
function leadsSomewhere(value: unknown): boolean {
  const number = numberOf(value);
  if (number !== undefined) return number > 0;
  if (typeof value === "string") return !/^\s*(?:|null|none|nil|undefined)\s*$/i.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(recordOf(value)).some(
    ([name, member]) => !labelNames.includes(name) && leadsSomewhere(member),
  );
}

function holdsLink(value: unknown): boolean {
  if (typeof value === "string") return /\brel="?(?:next|prev)/i.test(value);
  if (!Array.isArray(value)) return false;
  return value.some((link: unknown) => {
    const members = recordOf(link);
    const relation = labelNames.map((name) => String(members[name] ?? ""));
    return relation.some((text) => /\b(?:next|prev)/i.test(text)) && leadsSomewhere(link);
  });
}
