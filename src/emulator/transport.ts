import { ConnectionError, LimitUsedUp, type Transport, type TransportResponse } from "../base/transport.js";
import type { PendingRecord, RequestRecord, ResponseRecord } from "./records.js";

/** Synchronous if possible; the caller applies faults to the response. */
export type Respond = (request: RequestRecord) => PendingRecord | Promise<ResponseRecord>;

/** Returns the part of a body that a client receives before a fault closes the connection. */
export function cutBody(body: string | Uint8Array | undefined): Buffer {
  const bytes = Buffer.from(body ?? "");
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** Applies the same faults as the server, and rejects if the database can't be used. */
export function inProcessTransport(respond: Respond): Transport {
  const lowerCased = headersInLowerCase();
  return async (url, request) => {
    request.signal?.throwIfAborted();
    const { pathname, search } = new URL(url);
    const record = await respond({
      method: request.method,
      target: pathname + search,
      headers: request.headers,
      body: request.body,
      waitsForLimit: request.waitsForLimit,
    });
    if (record.unusable) throw record.unusable;
    if (record.withdrawn) throw new LimitUsedUp(lowerCased(record.headers));
    if (record.disturbance === "drop")
      throw new ConnectionError(
        "the connection was closed before a response was received",
        true,
        "ECONNRESET",
      );
    if (request.method === "HEAD") record.body = undefined;
    return toTransportResponse(record, lowerCased(record.headers));
  };
}

type Headers = Readonly<Record<string, string>>;

/** Caches header names, because converting them takes longer than the rest of a response. */
function headersInLowerCase(): (named: Headers) => Headers {
  const names = new Map<string, string>();
  return (named) => {
    const headers: Record<string, string> = {};
    for (const [given, value] of Object.entries(named)) {
      let name = names.get(given);
      if (name === undefined) {
        name = given.toLowerCase();
        names.set(given, name);
      }
      headers[name] = value;
    }
    return headers;
  };
}

function toTransportResponse(record: ResponseRecord, headers: Headers): TransportResponse {
  const cut = record.disturbance === "truncate";
  const cutError = () =>
    new ConnectionError("the connection was closed in the middle of the response", true, "ECONNRESET");
  return {
    status: record.status,
    headers,
    async text() {
      if (cut) throw cutError();
      return typeof record.body === "string" ? record.body : new TextDecoder().decode(record.body);
    },
    // Most responses are read as text, so create the stream only when needed.
    get body() {
      return (async function* () {
        if (cut) {
          yield cutBody(record.body);
          throw cutError();
        }
        if (record.body !== undefined) yield Buffer.from(record.body);
      })();
    },
  };
}
