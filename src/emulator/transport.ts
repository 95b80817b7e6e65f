import { ConnectionError, LimitUsedUp, type Transport, type TransportResponse } from "../base/transport.js";
import type { PendingRecord, RequestRecord, ResponseRecord } from "./records.js";

/** Answers a record, at once where nothing is to be waited for; applied faults are left to the adapter. */
export type Respond = (request: RequestRecord) => PendingRecord | Promise<ResponseRecord>;

/** The body that arrives when a connection is cut in it. */
export function cutBody(body: string | Uint8Array | undefined): Buffer {
  const bytes = Buffer.from(body ?? "");
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/**
 * The seam's in-process side: no sockets, no web-standard objects, the same faults as on the network. Where the world's
 * file itself is unusable, it rejects with that error: there is no network between.
 */
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
      throw new ConnectionError("the connection was closed before an answer came", true, "ECONNRESET");
    if (request.method === "HEAD") record.body = undefined;
    return toTransportResponse(record, lowerCased(record.headers));
  };
}

type Headers = Readonly<Record<string, string>>;

/** The service's names of headers are few: each is made lower case once, which would take longer than the rest of an answer's. */
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
    new ConnectionError("the connection was closed in the middle of the answer", true, "ECONNRESET");
  return {
    status: record.status,
    headers,
    async text() {
      if (cut) throw cutError();
      return typeof record.body === "string" ? record.body : new TextDecoder().decode(record.body);
    },
    // Made when it is asked for: most answers are read as text.
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
