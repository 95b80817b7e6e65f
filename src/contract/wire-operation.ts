import type { ApiName } from "./apis.js";
import type { Bucket } from "./limits.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Shape of a successful response. `item`: one object in the envelope. `page`: a list with a cursor. `list`: a plain array in the envelope.
 * `empty`: the empty success response. `binary`: bytes. `bare`: an object without an envelope.
 */
export type ResponseShape = "item" | "page" | "list" | "empty" | "binary" | "bare";

/** The part of an operation that routing needs. It has no schemas, so that routing doesn't load zod. */
export interface WireOperation {
  /** The operation's resource, which is also the name of its files. */
  readonly resource: string;
  /** Determines the base path, envelope and error body. */
  readonly api: ApiName;
  readonly method: Method;
  /** Relative to the API's base path. `{contact_id}` is a parameter. */
  readonly path: string;
  readonly responseShape: ResponseShape;
  /** Bucket that counts the requests; null if they are not rate-limited. */
  readonly bucket: Bucket | null;
  /** Set if the operation requires no key. If so, no limit, permission or feature applies. */
  readonly keyless?: true;
  /** The decision that defines the path, if the documents don't. */
  readonly pathAssumed?: string;
}
