import { distributorV1Rows, distributorV2Rows, legacyRows } from "./table-distributor.js";
import { publicRows } from "./table-public.js";

/**
 * The documents' statements about one operation, transcribed manually: the client and the emulator would both
 * repeat an error in the contract.
 */
export interface Row {
  operation: string;
  /** Method and path, relative to the API's base path: `GET /contacts/{contact_id}`. */
  request: string;
  success: 200 | 201;
  /** `page` with meta, `list` without meta, `empty` for the empty success, `bare` without an envelope. */
  responseType: "item" | "page" | "list" | "empty" | "binary" | "bare";
  /**
   * Error statuses from the documents or a decision, in addition to the error statuses of every operation.
   */
  also: readonly number[];
  /** Query parameters, separated by spaces; `!` marks a required one. */
  query?: string;
  /** Fields of the body; `!` marks a required one. */
  body?: string;
  /**
   * Fields of the response, or of a page's rows: first the documented fields, then a bar and the fields by
   * decision.
   */
  response?: string;
}

export interface ApiTable {
  api: "public" | "distributor-v1" | "distributor-v2" | "legacy";
  basePath: string;
  rows: readonly Row[];
}

export const tables: readonly ApiTable[] = [
  { api: "public", basePath: "/api/v1", rows: publicRows },
  { api: "distributor-v1", basePath: "/api/distributor/v1", rows: distributorV1Rows },
  { api: "distributor-v2", basePath: "/api/distributor/v2", rows: distributorV2Rows },
  { api: "legacy", basePath: "", rows: legacyRows },
];

/** Returns the sorted names in a list of fields, without marks. */
export function parseNames(fields: string | undefined): string[] {
  return (fields ?? "")
    .split(/[\s|]+/)
    .filter((name) => name !== "")
    .map((name) => name.replace(/!$/, ""))
    .sort();
}

export function parseRequired(fields: string | undefined): string[] {
  return (fields ?? "")
    .split(/[\s|]+/)
    .filter((name) => name.endsWith("!"))
    .map((name) => name.slice(0, -1))
    .sort();
}
