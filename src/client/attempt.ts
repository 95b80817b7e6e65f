import type { ConnectionError } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { ExceededBound } from "./response-bounds.js";

/** The result of one attempt. */
export type Attempt = LostAttempt | CompletedAttempt;

/** It was not sent: others have used up the limit since it took its slot. */
export interface WithdrawnAttempt {
  type: "withdrawn";
  headers: Readonly<Record<string, string>>;
}

/** No response arrived, or none in time. */
export interface LostAttempt {
  type: "lost";
  error: ConnectionError;
  timedOut: boolean;
}

export interface CompletedAttempt {
  type: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Undefined if it was truncated or is a stream. Keys are masked in an error's text. */
  text: string | undefined;
  /** Parsed JSON, the text of another media type, or a stream. */
  body: unknown;
  /** Reason why the body is unusable. */
  flaw?: "cut" | "not_json" | "encoded" | undefined;
  /** The exceeded bound. Such a response counts as none, regardless of its status. */
  exceeded?: ExceededBound | undefined;
}

/** The properties of a request that the retry policy needs. */
export interface Sent {
  api: ApiName;
  mutation: boolean;
  /** Whether it triggers a call, after which the assistant has a cooldown (public.limits.1). */
  triggersCall: boolean;
  maxWaitMilliseconds: number;
  /** Its target, for messages: `https://host`. */
  origin?: string | undefined;
  /** Longest wait for an assistant's cooldown, if it differs. */
  maxCooldownMilliseconds?: number | undefined;
  /** Maximum number of attempts of a read (default 4). */
  attempts?: number | undefined;
}
