import type { ApiName } from "./apis.js";
import type { Bucket } from "./limits.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The shape of a successful response. `item` is one object in the envelope, `page` is a list with a cursor, and `list` is a plain array in
 * the envelope. `empty` is the empty success response, `binary` is bytes, and `bare` is an object without an envelope.
 */
export type ResponseShape = "item" | "page" | "list" | "empty" | "binary" | "bare";

/** The part of an operation that routing needs. It contains no schemas, so that routing doesn't load zod. */
export interface WireOperation {
  /** The operation's resource, which is also the name of its files. */
  readonly resource: string;
  /** The operation's API, which determines its base path, envelope and error body. */
  readonly api: ApiName;
  readonly method: Method;
  /** Path relative to the API's base path; `{contact_id}` is a parameter. */
  readonly path: string;
  readonly responseShape: ResponseShape;
  /** Bucket that counts the requests; null if requests are not counted. */
  readonly bucket: Bucket | null;
  /** Set if the operation requires no key; then no limit, permission or feature is checked either. */
  readonly keyless?: true;
  /** The decision that defines the path if the documents do not. */
  readonly pathAssumed?: string;
}
