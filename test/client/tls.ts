import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { listen } from "./network.js";

const folder = join(import.meta.dirname, "..", "data", "tls");

/** An authority that only these tests use: its file and certificate. */
export const authorityFile = join(folder, "authority.pem");
export const authority = readFileSync(authorityFile, "utf8");

/** A server for `localhost` and 127.0.0.1 whose certificate that authority signed. */
export function serveTls(handler: RequestListener, host?: string): Promise<number> {
  const [key, cert] = [readFileSync(join(folder, "server.key")), readFileSync(join(folder, "server.pem"))];
  return listen(createServer({ key, cert }, handler), host);
}
