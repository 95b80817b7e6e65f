import type { Client } from "../../client/types.js";
import type { CircuitBreaker } from "./circuit-breaker.js";

/** The client for a run's reads: it waits until an outage is over. Writes have their own rules. */
export function patientClient(client: Client, breaker: CircuitBreaker): Client {
  const call: Client["call"] = (operation, input, options) =>
    breaker.through(() => client.call(operation, input, options));
  return {
    ...client,
    call,
    items: (operation, input, options) => client.items(operation, input, { ...options, call }),
  };
}
