import { once, setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** Starts a conforming service in which a create takes effect late, even if its client has disconnected. */
export async function startSlowService(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl);
  const service = { creates: 0, delayMilliseconds: 0, hidesLimits: false, hidesRecordings: false };
  const release = new AbortController();
  setMaxListeners(0, release.signal);
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const body = await buffer(request);
    if (method === "POST" && url.endsWith("/contacts")) {
      service.creates += 1;
      await sleep(service.delayMilliseconds, undefined, { signal: release.signal }).catch(() => {});
    }
    const { host, connection, "content-length": length, ...sent } = headers;
    const forwarded = await fetch(new URL(url, origin), {
      method,
      headers: Object.entries(sent).map(([name, value]) => [name, String(value)]),
      ...(body.length > 0 ? { body } : {}),
    });
    const text = Buffer.from(await forwarded.arrayBuffer());
    const answer =
      service.hidesRecordings && url.includes("/calls")
        ? Buffer.from(
            JSON.stringify(JSON.parse(String(text)), (name, value) =>
              name === "recording" ? undefined : value,
            ),
          )
        : text;
    const {
      "transfer-encoding": coding,
      "content-length": size,
      ...received
    } = Object.fromEntries(forwarded.headers);
    const shown = Object.entries(received).filter(
      ([name]) => !service.hidesLimits || !name.startsWith("x-ratelimit-"),
    );
    response.writeHead(forwarded.status, Object.fromEntries(shown)).end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
    release: () => release.abort(),
  });
}
