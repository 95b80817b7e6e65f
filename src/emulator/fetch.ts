import type { Respond } from "./transport.js";
import { cutBody } from "./transport.js";
import type { Emulator } from "./types.js";

/**
 * If a fault drops the connection, `fetch` rejects with a TypeError, as for a network error.
 * @param baseUrl base for relative URLs
 */
export function createFetch(respond: Respond, baseUrl: string): Emulator["fetch"] {
  return async (input, init) => {
    const request = toRequest(input, init, baseUrl);
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const record = await respond({
      method: request.method,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body,
    });
    if (record.disturbance === "drop") {
      throw new TypeError("fetch failed", {
        cause: new Error("the connection was closed before a response was received"),
      });
    }
    if (record.disturbance === "truncate") {
      const part = cutBody(record.body);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(part);
          controller.error(new TypeError("terminated"));
        },
      });
      return new Response(stream, { status: record.status, headers: record.headers });
    }
    const isEmpty = record.body === undefined || record.body === "" || request.method === "HEAD";
    const bytes = isEmpty ? null : toFetchBody(record.body ?? "");
    return new Response(bytes, { status: record.status, headers: record.headers });
  };
}

/** Copies a `Request` only if `init` changes it, because a copy takes as long as handling many requests. */
function toRequest(input: string | URL | Request, init: RequestInit | undefined, baseUrl: string): Request {
  if (typeof input === "string" || input instanceof URL) return new Request(new URL(input, baseUrl), init);
  return init === undefined ? input : new Request(input, init);
}

function toFetchBody(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}
