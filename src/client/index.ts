/** The client as a library: `voxctl/client`. */
export { type Clock, systemClock } from "../base/clock.js";
export { type Random, systemRandom } from "../base/random.js";
export {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../base/transport.js";
export type { SurfaceName } from "../contract/surfaces.js";
export type { OperationName } from "../contract/wire.js";
export { assertSafeAddress } from "./addresses.js";
export { createClient } from "./client.js";
export { ClientError, type ErrorDetail, type Outcome } from "./errors.js";
export type { LimitLedger } from "./limit-ledger.js";
export { createNetworkTransport, type NetworkTransport } from "./network-transport.js";
export type {
  Answer,
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
} from "./types.js";
