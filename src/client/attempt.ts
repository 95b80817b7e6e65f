import type { ConnectionError } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { ExceededBound } from "./response-bounds.js";

/** The result of one attempt. */
export type Attempt = LostAttempt | CompletedAttempt;

/** It was not sent: others have used up the limit since it got its slot. */
export interface WithdrawnAttempt {
  type: "withdrawn";
  headers: Readonly<Record<string, string>>;
}

/** Nothing came, or nothing in time. */
export interface LostAttempt {
  type: "lost";
  error: ConnectionError;
  timedOut: boolean;
}

export interface CompletedAttempt {
  type: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Undefined where it was cut, or is a stream. An error's text is without keys. */
  text: string | undefined;
  /** Parsed JSON, the text of another media type, or a stream. */
  body: unknown;
  /** Why the body can't be used. */
  flaw?: "cut" | "not_json" | "encoded" | undefined;
  /** The bound that it exceeds: it is no answer, whatever its status (T22). */
  exceeded?: ExceededBound | undefined;
}

/** The parts of a request that the policy needs. */
export interface Sent {
  api: ApiName;
  mutation: boolean;
  /** It triggers a call, after which the assistant has a cooldown (public.limits.1). */
  triggersCall: boolean;
  maxWaitMilliseconds: number;
  /** Where it goes, for messages: `https://host`. */
  origin?: string | undefined;
  /** Bound on waiting for an assistant's cooldown, where it differs. */
  maxCooldownMilliseconds?: number | undefined;
  /** How often a read is tried (default 4). */
  attempts?: number | undefined;
}
