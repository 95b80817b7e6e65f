import type { ApiName } from "./apis.js";
import type { Bucket } from "./limits.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Shape of a successful response. With an envelope: `item` is one object, `page` is a list with a cursor,
 * `list` is a list without a cursor, and `empty` is `{}`. Without an envelope: `binary` is bytes, and `bare`
 * is an object.
 */
export type ResponseShape = "item" | "page" | "list" | "empty" | "binary" | "bare";

/** The part of an operation that routing needs, without schemas, so that routing doesn't load zod. */
export interface WireOperation {
  readonly resource: string;
  readonly api: ApiName;
  readonly method: Method;
  /** Path relative to the API's base path. A name in braces is a parameter: `{contact_id}`. */
  readonly path: string;
  readonly responseShape: ResponseShape;
  readonly bucket: Bucket | null;
  /**
   * Set if the operation requires no key. Such an operation has no rate limit, and requires no permission and
   * no feature.
   */
  readonly keyless?: true;
  /** ID of the decision that defines the path, if the documents don't. */
  readonly pathAssumed?: string;
}
