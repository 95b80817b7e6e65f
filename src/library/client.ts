/** Exports of `voxctl/client`, for library users. */
import { systemClock } from "../base/clock.js";
import { systemRandom } from "../base/random.js";
import { createClient as createBareClient } from "../client/client.js";
import type { NetworkTransport } from "../client/network-transport.js";
import type { Client, ClientOptions } from "../client/types.js";
import type { ApiName } from "../contract/apis.js";
import type { ServiceClient } from "./types.js";

export { type Clock, systemClock } from "../base/clock.js";
export { type Random, systemRandom } from "../base/random.js";
export {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../base/transport.js";
export { assertSafeAddress } from "../client/addresses.js";
export { ClientError, type ErrorDetail, type Outcome } from "../client/errors.js";
export type { LimitLedger } from "../client/limit-ledger.js";
export { createNetworkTransport, type NetworkTransport } from "../client/network-transport.js";
export type {
  ApiResponse,
  CallInput,
  CallOptions,
  Client,
  ClientEvent,
  ClientOptions,
  ItemsOptions,
  Pace,
  RawRequest,
  Target,
  Turn,
} from "../client/types.js";
export type { ApiName } from "../contract/apis.js";
export type {
  ListName,
  OperationBody,
  OperationData,
  OperationInput,
  OperationName,
  OperationPath,
  OperationQuery,
  OperationRow,
  ServiceClient,
  ServiceResponse,
} from "./types.js";

/** Options of a client for one API. Only the base URL and the key are required. */
export interface ServiceOptions extends Partial<Omit<ClientOptions, "targets">> {
  /** The API's base URL, such as `https://host/api/v1`. */
  baseUrl: string;
  key: string;
  /** The API (default: `public`). */
  api?: ApiName;
}

/** Options of a client for several APIs. See `ClientOptions`. */
export interface ServicesOptions extends Partial<Omit<ClientOptions, "targets">> {
  targets: ClientOptions["targets"];
}

/**
 * Creates a client for a service. The client respects the rate limits, retries reads and sends mutations once. By default it uses the
 * network without a proxy; to use proxies, pass `createNetworkTransport({ env })`.
 */
export function createClient(options: ServiceOptions | ServicesOptions): ServiceClient {
  const network = lazyNetwork();
  const { targets, ...clientOptions } = toServicesOptions(options);
  const client = createBareClient({
    clock: systemClock(),
    random: systemRandom(),
    ...clientOptions,
    targets,
    transport: options.transport ?? network.transport,
  });
  return serviceClient(client, network.close);
}

function toServicesOptions(options: ServiceOptions | ServicesOptions): ServicesOptions {
  if ("targets" in options) return options;
  const { baseUrl, key, api = "public", ...clientOptions } = options;
  return { ...clientOptions, targets: { [api]: { baseUrl, key } } };
}

function lazyNetwork(): NetworkTransport {
  let opened: Promise<NetworkTransport> | undefined;
  const open = async () => {
    const { createNetworkTransport } = await import("../client/network-transport.js");
    return createNetworkTransport();
  };
  return {
    async transport(url, request) {
      opened ??= open();
      return (await opened).transport(url, request);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Adds the documented types of the operations to a client. Responses are not checked against these types. */
export function serviceClient(client: Client, close: () => Promise<void>): ServiceClient {
  return {
    call: client.call as ServiceClient["call"],
    items: client.items as ServiceClient["items"],
    request: client.request,
    close,
    [Symbol.asyncDispose]: close,
  };
}
