// A receiver of an assistant's pre-call webhook, with Node only: node server.mjs 3000
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { respond } from "./hook.mjs";

export function createHookServer(secret) {
  return createServer(async (request, response) => {
    const { authorization } = request.headers;
    const { status, json } = respond({ authorization, body: await text(request), secret });
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(json));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  createHookServer(process.env.HOOK_SECRET ?? "").listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
