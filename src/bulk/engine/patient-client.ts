import type { Client } from "../../client/types.js";
import type { CircuitBreaker } from "./circuit-breaker.js";

/**
 * The client of a run, whose reads wait until an outage is over (T14). What the run writes waits by its own rules: it
 * comes with a turn.
 */
export function patientClient(client: Client, breaker: CircuitBreaker): Client {
  const call: Client["call"] = (operation, input, options) =>
    options?.turn === undefined
      ? breaker.through(() => client.call(operation, input, options))
      : client.call(operation, input, options);
  return {
    ...client,
    call,
    items: (operation, input, options) => client.items(operation, input, { ...options, call }),
  };
}
