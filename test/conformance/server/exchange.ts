/** A request as the service receives it, from a socket or from the same process. */
export interface ServiceRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** A handler's response; the service adds the headers common to all responses. */
export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON; `bytes` contains a body in any other format. */
  body?: unknown;
  bytes?: Uint8Array;
}

/** A response in transit: its bytes, and the behavior of the connection. */
export interface Delivery {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Statuses of the interim responses that precede this response (RFC 9110, 15.2). */
  interim: readonly number[];
  /** Bytes per chunk; if undefined, the body is sent at once with a declared length. */
  chunk: number | undefined;
  closes: boolean;
  /**
   * With `nothing`, the connection ends without a response; with a number, after this many bytes of the body.
   */
  reaches: "whole" | "nothing" | number;
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly { path: readonly (string | number)[]; message: string }[] = [],
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export function createInvalid(field: string | undefined, message: string): Refusal {
  return new Refusal(
    400,
    "validation_failed",
    message,
    field === undefined ? [] : [{ path: [field], message }],
  );
}

export function createNotFound(what: string): Refusal {
  return new Refusal(404, "not_found", `${what} does not exist`);
}

export function createConflict(message: string): Refusal {
  return new Refusal(409, "conflict", message);
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses a body. Rounds large numbers, like most JSON parsers.
 * @throws Refusal 400
 */
export function objectOf(body: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  if (!isFields(value)) throw createInvalid(undefined, "the body must be a JSON object");
  return value;
}
