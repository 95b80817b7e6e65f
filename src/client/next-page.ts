import { ExactNumber } from "../base/exact-json.js";
import { type SurfaceName, surfaces } from "../contract/surfaces.js";
import { isRecord } from "./parsing.js";

/** A page's statement about the next one. */
export type NextPage =
  | { kind: "last" }
  /** The addition to the query of the next page's request. */
  | { kind: "next"; query: Readonly<Record<string, string>> }
  /** There are more rows, or there may be, and the way to them is not understood; `because` is a part of a sentence. */
  | { kind: "unknown"; because: string };

interface Page {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Rows of the list so far, this page's included. */
  rows: number;
  /** The list's own path, which a link must lead to. */
  path: string;
}

/**
 * Reads where a list goes on. The Public API's lists are documented; those of the distributor interfaces are not, so
 * what is understood there is followed and what only looks like more rows is told (T8).
 */
export function nextPage(surface: SurfaceName, page: Page): NextPage {
  const body = isRecord(page.body) ? page.body : {};
  if (surface === "public") return understood(surface, body, ["meta"]) ?? { kind: "last" };
  return (
    understood(surface, body, ["meta", undefined, "pagination", "page"], linkQuery(page)) ??
    suggested(body, page.rows) ?? { kind: "last" }
  );
}

/** Spellings of the flag and of the cursor that go with each other, by a surface's own first. */
function spellings(surface: SurfaceName): readonly { hasMore: string; nextCursor: string }[] {
  const own = surfaces[surface].meta;
  if (surface === "public") return [own];
  return [own, surfaces.public.meta];
}

/** The statement in one of the known ways; undefined where there is none. */
function understood(
  surface: SurfaceName,
  body: Readonly<Record<string, unknown>>,
  paths: readonly (string | undefined)[],
  link?: Readonly<Record<string, string>>,
): NextPage | undefined {
  let more: boolean | undefined;
  let cursor: string | undefined;
  for (const path of paths) {
    const part = path === undefined ? body : body[path];
    if (!isRecord(part)) continue;
    for (const { hasMore, nextCursor } of spellings(surface)) {
      const flag = part[hasMore];
      if (typeof flag === "boolean") more ??= flag;
      cursor ??= cursorText(part[nextCursor]);
    }
  }
  if (more === false) return { kind: "last" };
  if (cursor !== undefined && (more === true || surface !== "public"))
    return { kind: "next", query: { cursor } };
  if (link !== undefined) return { kind: "next", query: link };
  return more === true ? { kind: "unknown", because: "it says so, but names no next page" } : undefined;
}

/** A cursor is opaque: of a number its digits do. */
function cursorText(value: unknown): string | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The query of the page that a `Link` header names as the next (RFC 8288). Only its query is taken: the key goes to the
 * base address, whatever host a link has.
 */
function linkQuery({ headers, path }: Page): Readonly<Record<string, string>> | undefined {
  for (const [, target = "", parameters = ""] of (headers["link"] ?? "").matchAll(link)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const relation = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase();
    if (!relation.split(/\s+/).includes("next")) continue;
    const base = `http://list.invalid/${path.replace(/^\/+/, "")}`;
    if (!URL.canParse(target, base)) continue;
    const url = new URL(target, base);
    if (url.search !== "" && url.pathname.endsWith(new URL(base).pathname))
      return Object.fromEntries(url.searchParams);
  }
  return undefined;
}

const link = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;

/** T8: parts of the envelope that paging is told in. */
const envelopes = ["meta", "pagination", "page", "paging", "links"];

/** Signs of more rows, in the envelope only: a row's own fields are never read for it. */
function suggested(body: Readonly<Record<string, unknown>>, rows: number): NextPage | undefined {
  const { data: _, ...top } = body;
  const parts = [top, ...envelopes.map((name) => body[name])];
  for (const part of parts) {
    if (!isRecord(part)) continue;
    for (const [name, value] of Object.entries(part)) {
      if (suggestsMore(name, value, part, rows))
        return { kind: "unknown", because: `it says ${JSON.stringify({ [name]: value }).slice(1, -1)}` };
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
  const plain = plainName(name);
  if (value === true) return plain.includes("more") || plain.startsWith("hasnext");
  if (value === false) return plain === "islast" || plain === "last";
  if (typeof value === "number") {
    if (totals.has(plain)) return value > rows;
    return plain === "page" && pageCounts.some((count) => value < (numberIn(part, count) ?? 0));
  }
  return /(cursor|next|token)$/.test(plain) && !plain.startsWith("prev") && isAddress(value);
}

const totals = new Set(["total", "totalcount", "totalitems", "count"]);
const pageCounts = ["pages", "totalpages"];

/** `total_pages` as `totalPages`. */
function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

function numberIn(part: Readonly<Record<string, unknown>>, plain: string): number | undefined {
  const found = Object.entries(part).find(([name]) => plainName(name) === plain)?.[1];
  return typeof found === "number" ? found : undefined;
}

/** A text, or a link as an object. */
function isAddress(value: unknown): boolean {
  if (isRecord(value)) return isAddress(value["href"]) || isAddress(value["url"]);
  return typeof value === "string" && value !== "";
}
