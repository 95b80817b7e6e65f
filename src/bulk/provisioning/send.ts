import { ClientError } from "../../client/errors.js";
import type { CallInput, Pace } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Patience } from "../engine/patience.js";
import type { RunContext } from "../engine/run.js";

/** What requests one after the other go through. */
export interface Sender {
  context: RunContext;
  patience: Patience;
  /** The place of the next write under the limit: other commands find room beside it. */
  pace: Pace;
}

/** Writes down in the journal what a request is about. */
export interface Noting {
  sending(): void;
  /** Nobody knows yet what came of it. */
  lost(error: ClientError): void;
  /** It certainly did not happen. */
  again(): void;
}

type Sent = { data: unknown; error: undefined } | { data: undefined; error: ClientError };

/** Those that concern the item, not the key or the service. */
const refusals = new Set([400, 404, 409]);

/**
 * Sends one request, written down before; waits where the connection fails again and again.
 * @returns its answer, or that the service refused it, or that its answer was lost
 * @throws the signal's reason, or the ClientError that every further request would meet
 */
export async function send(
  { context, patience, pace }: Sender,
  operation: OperationName,
  input: CallInput,
  note: Noting,
): Promise<Sent> {
  const { client, signal } = context;
  for (;;) {
    await patience.wait();
    const turn = await pace.turn();
    if (signal.aborted) {
      turn.release();
      throw signal.reason;
    }
    note.sending();
    try {
      const { data } = await client.call(operation, input, { turn });
      patience.succeeded();
      return { data, error: undefined };
    } catch (error) {
      turn.release();
      if (!(error instanceof ClientError)) {
        // It was refused and waited to ask again when the run was interrupted.
        if (signal.aborted && error === signal.reason) note.again();
        throw error;
      }
      if (error.outcome === "unknown") {
        note.lost(error);
        patience.failed(error);
        return { data: undefined, error };
      }
      if (error.kind === "api" && refusals.has(error.status ?? 0)) return { data: undefined, error };
      note.again();
      if (error.kind !== "network") throw error;
      patience.failed(error);
    }
  }
}
