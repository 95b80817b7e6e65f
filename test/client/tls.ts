import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { listen } from "./network.js";

const folder = join(import.meta.dirname, "..", "data", "tls");

/** Only these tests use this certificate authority. */
export const authorityFile = join(folder, "authority.pem");
export const authority = readFileSync(authorityFile, "utf8");

/** Serves `localhost` and 127.0.0.1 with a certificate from the tests' authority. */
export function serveTls(handler: RequestListener, host?: string): Promise<number> {
  const [key, cert] = [readFileSync(join(folder, "server.key")), readFileSync(join(folder, "server.pem"))];
  return listen(createServer({ key, cert }, handler), host);
}
