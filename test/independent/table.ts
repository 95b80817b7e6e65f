import { distributorV1Rows, distributorV2Rows, legacyRows } from "./table-distributor.js";
import { publicRows } from "./table-public.js";

/**
 * The statements of the documents about one operation, transcribed by hand: nothing here comes from the contract. A
 * wrong contract would be believed by client and emulator alike; this table would not believe it.
 */
export interface Row {
  /** Our own name, by which contract, client and emulator know it. */
  operation: string;
  /** Method and path, relative to the API's base path: `GET /contacts/{contact_id}`. */
  request: string;
  success: 200 | 201;
  /** `page` with meta, `list` without, `empty` the empty success, `bare` without an envelope. */
  responseType: "item" | "page" | "list" | "empty" | "binary" | "bare";
  /** The statuses that the documents (or a decision) name beyond those of every operation. */
  also: readonly number[];
  /** Query parameters, separated by spaces; `!` marks a required one. */
  query?: string;
  /** Fields of the body; `!` marks a required one. */
  body?: string;
  /**
   * Fields of the response, or of a page's rows. Documented ones precede the bar, those of a decision follow
   * it.
   */
  response?: string;
}

export interface ApiTable {
  api: "public" | "distributor-v1" | "distributor-v2" | "legacy";
  /** Its base path on a host. */
  basePath: string;
  rows: readonly Row[];
}

export const tables: readonly ApiTable[] = [
  { api: "public", basePath: "/api/v1", rows: publicRows },
  { api: "distributor-v1", basePath: "/api/distributor/v1", rows: distributorV1Rows },
  { api: "distributor-v2", basePath: "/api/distributor/v2", rows: distributorV2Rows },
  { api: "legacy", basePath: "", rows: legacyRows },
];

/** The names in a list of fields, without marks; sorted. */
export function parseNames(fields: string | undefined): string[] {
  return (fields ?? "")
    .split(/[\s|]+/)
    .filter((name) => name !== "")
    .map((name) => name.replace(/!$/, ""))
    .sort();
}

/** Those that are marked as required; sorted. */
export function parseRequired(fields: string | undefined): string[] {
  return (fields ?? "")
    .split(/[\s|]+/)
    .filter((name) => name.endsWith("!"))
    .map((name) => name.slice(0, -1))
    .sort();
}
