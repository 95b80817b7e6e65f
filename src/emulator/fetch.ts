import type { Respond } from "./transport.js";
import { cutBody } from "./transport.js";

/** The web-standard skin: `Request` in, `Response` out; a dropped connection rejects as the network's would. */
export function createFetch(respond: Respond): (request: Request) => Promise<Response> {
  return async (request) => {
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
        cause: new Error("the connection was closed before an answer came"),
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
    const bytes = record.body === undefined || record.body === "" ? null : bodyOf(record.body);
    return new Response(bytes, { status: record.status, headers: record.headers });
  };
}

function bodyOf(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}
