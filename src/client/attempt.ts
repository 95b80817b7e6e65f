import type { ConnectionError } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { ExceededBound } from "./response-bounds.js";

export type Attempt = LostAttempt | CompletedAttempt;

/** An attempt that got a slot but was not sent, because other processes had used up the rate limit. */
export interface WithdrawnAttempt {
  type: "withdrawn";
  headers: Readonly<Record<string, string>>;
}

export interface LostAttempt {
  type: "lost";
  error: ConnectionError;
  timedOut: boolean;
}

export interface CompletedAttempt {
  type: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  /**
   * The body as text; undefined if the body was truncated or is a stream. In an error response, keys are
   * masked.
   */
  text: string | undefined;
  /** Parsed JSON, text of another media type, or a stream. */
  body: unknown;
  flaw?: "cut" | "not_json" | "no_item" | "encoded" | undefined;
  /** Set only with the flaw `cut`. */
  cause?: ConnectionError | undefined;
  timedOut?: boolean | undefined;
  /** If set, the body can't be used, even with status 200. */
  exceeded?: ExceededBound | undefined;
}

export interface Sent {
  api: ApiName;
  mutation: boolean;
  /** Whether the request triggers a call, which starts the assistant's cooldown (public.limits.1). */
  triggersCall: boolean;
  maxWaitMilliseconds: number;
  origin?: string | undefined;
  /** Longest wait for an assistant's cooldown (default: `maxWaitMilliseconds`). */
  maxCooldownMilliseconds?: number | undefined;
  /** Maximum number of attempts for a read (default: 4). */
  attempts?: number | undefined;
}
