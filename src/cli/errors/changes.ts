import { organizationId } from "../../client/ids.js";
import type { ClientEvent } from "../../client/types.js";

export interface Changes {
  /** Number of mutations with a successful response. */
  readonly done: number;
  /** Set if exactly one resource was changed and the response contains its ID. */
  readonly id: string | undefined;
}

export function createChanges(): Changes & { onEvent(event: ClientEvent): void } {
  let done = 0;
  let id: string | undefined;
  return {
    get done() {
      return done;
    },
    get id() {
      return done === 1 ? id : undefined;
    },
    onEvent(event) {
      if (event.type !== "done") return;
      done += 1;
      id = organizationId(event.data);
    },
  };
}
