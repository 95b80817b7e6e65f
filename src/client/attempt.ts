import type { ConnectionError } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { ExceededBound } from "./response-bounds.js";

/** The result of one attempt. */
export type Attempt = LostAttempt | CompletedAttempt;

/** The request was not sent because other processes used up the limit after it took its slot. */
export interface WithdrawnAttempt {
  type: "withdrawn";
  headers: Readonly<Record<string, string>>;
}

/** No response arrived, or it did not arrive in time. */
export interface LostAttempt {
  type: "lost";
  error: ConnectionError;
  timedOut: boolean;
}

export interface CompletedAttempt {
  type: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as text, undefined if the body was truncated or is a stream. If the response is an error, keys are masked. */
  text: string | undefined;
  /** Parsed JSON, the text of another media type, or a stream. */
  body: unknown;
  /** The reason why the body is unusable. */
  flaw?: "cut" | "not_json" | "encoded" | undefined;
  /** The bound that the response exceeds. Such a response is treated as missing, regardless of its status. */
  exceeded?: ExceededBound | undefined;
}

/** The request properties that the retry policy needs. */
export interface Sent {
  api: ApiName;
  mutation: boolean;
  /** Whether the request triggers a call, which starts the assistant's cooldown (public.limits.1). */
  triggersCall: boolean;
  maxWaitMilliseconds: number;
  /** Origin of the target (`https://host`), for messages. */
  origin?: string | undefined;
  /** Longest wait for an assistant's cooldown, if it differs from the longest wait for limits. */
  maxCooldownMilliseconds?: number | undefined;
  /** Maximum number of attempts for a read (default: 4). */
  attempts?: number | undefined;
}
