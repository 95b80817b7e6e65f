import { organizationId } from "../../client/ids.js";
import type { ClientEvent } from "../../client/types.js";

/** The changes that a run of `main` is known to have made in the service, even if it fails later. */
export interface Changes {
  /** Mutations with a successful response. */
  readonly done: number;
  /** The id of the only changed resource, if its response contains one. */
  readonly id: string | undefined;
  /** Whether the service was called: a command without requests may change local files. */
  readonly hasSentRequests: boolean;
}

/** Starts empty; updated by the client's events. */
export function createChanges(): Changes & { onEvent(event: ClientEvent): void } {
  let done = 0;
  let id: string | undefined;
  let hasSentRequests = false;
  return {
    get done() {
      return done;
    },
    get id() {
      return done === 1 ? id : undefined;
    },
    get hasSentRequests() {
      return hasSentRequests;
    },
    onEvent(event) {
      if (event.type === "request") hasSentRequests = true;
      if (event.type !== "done") return;
      done += 1;
      id = organizationId(event.data);
    },
  };
}
