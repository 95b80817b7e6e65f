import type { Client } from "../../client/types.js";
import type { CircuitBreaker } from "./circuit-breaker.js";

/** Returns a client that waits during an outage. Only reads use it. */
export function patientClient(client: Client, breaker: CircuitBreaker): Client {
  const call: Client["call"] = (operation, input, options) =>
    breaker.through(() => client.call(operation, input, options));
  return {
    ...client,
    call,
    items: (operation, input, options) => client.items(operation, input, { ...options, call }),
  };
}
