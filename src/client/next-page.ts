import { ExactNumber } from "../base/exact-json.js";
import { isFields } from "../base/fields.js";
import { type ApiName, apis } from "../contract/apis.js";

type NextQuery = Readonly<Record<string, string | readonly string[]>>;

export type NextPage =
  | { type: "last" }
  /** Query parameters to add for the next page. */
  | { type: "next"; query: NextQuery }
  /**
   * More rows might exist, but voxctl doesn't know how to request them. `because` is a clause for the
   * message.
   */
  | { type: "unknown"; because: string };

interface Page {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Number of rows so far, including this page. */
  rows: number;
  /** Path of the list. A link to another path is not a link to the next page. */
  path: string;
}

/**
 * Returns how to request the next page. The distributor API's paging is undocumented: voxctl follows known
 * forms, and reports other signs of more rows.
 */
export function findNextPage(api: ApiName, page: Page): NextPage {
  const body = isFields(page.body) ? page.body : {};
  if (api === "public") return findKnownPage(api, body, ["meta"]) ?? { type: "last" };
  return (
    findKnownPage(api, body, ["meta", undefined, "pagination", "page"], findLinkQuery(page)) ??
    findSuggestedPage(body, page.rows) ?? { type: "last" }
  );
}

function listSpellings(api: ApiName): readonly { hasMore: string; nextCursor: string }[] {
  const own = apis[api].meta;
  if (api === "public") return [own];
  return [own, apis.public.meta];
}

function findKnownPage(
  api: ApiName,
  body: Readonly<Record<string, unknown>>,
  paths: readonly (string | undefined)[],
  link?: NextQuery,
): NextPage | undefined {
  let more: boolean | undefined;
  let cursor: string | undefined;
  for (const path of paths) {
    const part = path === undefined ? body : body[path];
    if (!isFields(part)) continue;
    for (const { hasMore, nextCursor } of listSpellings(api)) {
      const flag = part[hasMore];
      if (typeof flag === "boolean") more ??= flag;
      cursor ??= formatCursor(part[nextCursor]);
    }
  }
  if (more === false) return { type: "last" };
  if (cursor !== undefined && (more === true || api !== "public")) return { type: "next", query: { cursor } };
  if (link !== undefined) return { type: "next", query: link };
  return more === true
    ? { type: "unknown", because: "the response reports more rows, but no next page" }
    : undefined;
}

/** A number keeps all its digits, because cursors must stay unchanged. */
function formatCursor(value: unknown): string | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Returns the query of the next page from a `Link` header (RFC 8288). Ignores the link's host, because
 * another host must not receive the key.
 */
function findLinkQuery({ headers, path }: Page): NextQuery | undefined {
  for (const [, target = "", parameters = ""] of (headers["link"] ?? "").matchAll(link)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const relation = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase();
    if (!relation.split(/\s+/).includes("next")) continue;
    const base = `http://list.invalid/${path.replace(/^\/+/, "")}`;
    if (!URL.canParse(target, base)) continue;
    const url = new URL(target, base);
    const { searchParams: query } = url;
    if (url.search !== "" && url.pathname.endsWith(new URL(base).pathname))
      return Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  }
  return undefined;
}

const link = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;

const envelopes = ["meta", "pagination", "page", "paging", "links"];

function findSuggestedPage(body: Readonly<Record<string, unknown>>, rows: number): NextPage | undefined {
  const { data: _, ...top } = body;
  const parts = [top, ...envelopes.map((name) => body[name])];
  for (const part of parts) {
    if (!isFields(part)) continue;
    for (const [name, value] of Object.entries(part)) {
      if (suggestsMore(name, value, part, rows))
        return {
          type: "unknown",
          because: `the response contains ${JSON.stringify({ [name]: value }).slice(1, -1)}`,
        };
    }
  }
  return undefined;
}

function suggestsMore(
  name: string,
  value: unknown,
  part: Readonly<Record<string, unknown>>,
  rows: number,
): boolean {
  const plain = toPlainName(name);
  if (value === true) return plain.includes("more") || plain.startsWith("hasnext");
  if (value === false) return plain === "islast" || plain === "last";
  if (typeof value === "number") {
    if (totals.has(plain)) return value > rows;
    return plain === "page" && pageCounts.some((count) => value < (getNumber(part, count) ?? 0));
  }
  return /(cursor|next|token)$/.test(plain) && !plain.startsWith("prev") && isAddress(value);
}

const totals = new Set(["total", "totalcount", "totalitems", "count"]);
const pageCounts = ["pages", "totalpages"];

function toPlainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

function getNumber(part: Readonly<Record<string, unknown>>, plain: string): number | undefined {
  const value = Object.entries(part).find(([name]) => toPlainName(name) === plain)?.[1];
  return typeof value === "number" ? value : undefined;
}

function isAddress(value: unknown): boolean {
  if (isFields(value)) return isAddress(value["href"]) || isAddress(value["url"]);
  return typeof value === "string" && value !== "";
}
