import { organizationId } from "../../client/ids.js";
import type { ClientEvent } from "../../client/types.js";

/** The changes that a run of `main` is known to have made at the service, whatever fails after them. */
export interface Changes {
  /** Requests that change something, and that the service answered with success. */
  readonly done: number;
  /** The id of the only one, where its answer names what it made or changed. */
  readonly id: string | undefined;
  /** The service was asked at all: a command that never does may change files of its own. */
  readonly hasSentRequests: boolean;
}

/** Nothing yet; told by the client's events. */
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
