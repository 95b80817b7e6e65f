import type { ApiName } from "./apis.js";
import type { Bucket } from "./limits.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The form of a success response:
 * `item` one object in the envelope, `page` a list with a cursor, `list` a plain array in the envelope,
 * `empty` the empty success, `binary` bytes, `bare` an object without an envelope.
 */
export type ResponseShape = "item" | "page" | "list" | "empty" | "binary" | "bare";

/** The part of an operation that routing needs: no schemas, so that it does not load zod. */
export interface WireOperation {
  /** The resource it belongs to: the name of its files. */
  readonly resource: string;
  /** The API it belongs to: it determines base path, envelope and error body. */
  readonly api: ApiName;
  readonly method: Method;
  /** Relative to the API's base path; `{contact_id}` is a parameter. */
  readonly path: string;
  readonly responseShape: ResponseShape;
  /** Null if requests are not counted. */
  readonly bucket: Bucket | null;
  /** Whether it requires no key, so that no limit, permission or feature is checked. */
  readonly keyless?: true;
  /** The decision that defines the path if the documents do not. */
  readonly pathAssumed?: string;
}
