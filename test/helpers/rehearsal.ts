import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { apis } from "../../src/contract/apis.js";
import type { Emulator } from "../../src/emulator/index.js";
import type { BucketLimits } from "../../src/emulator/types.js";
import { commandLine } from "./cli.js";
import { inheritedEnvironment } from "./environment.js";
import { type Asking, createAsk } from "./mirror.js";
import { openSeededEmulator } from "./templates.js";

/** A service on this machine, a profile for it, and a mirror of it. */
export interface RehearsedSource {
  line: ReturnType<typeof commandLine>;
  emulator: Emulator;
  /** The URL with the path: `http://127.0.0.1:4011/api/v1`. */
  baseUrl: string;
  ask: Asking;
  /** Returns the mutating requests that arrived at the source since the last call. */
  writes(): Promise<string[]>;
  /** Returns every request that arrived since the last call. */
  requests(): Promise<string[]>;
  /** Returns a Node program as the words of a command. */
  script(text: string): string[];
}

export async function openRehearsedSource({
  profile = ["acme"],
  mirror = true,
  limits = {},
  api = "public",
}: {
  profile?: readonly string[];
  mirror?: boolean;
  limits?: BucketLimits;
  api?: "public" | "distributor-v2";
} = {}): Promise<RehearsedSource> {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "real", limits });
  onTestFinished(() => emulator.close());
  const server = await emulator.listen({ port: 0 });
  const isPublic = api === "public";
  const baseUrl = server.url + apis[api].basePath;
  const key = emulator.startLine.keys[isPublic ? "admin" : "distributor_v2"];
  const line = commandLine({ env: { SOURCE: key, ...inheritedEnvironment() } });
  const added = await line.run(
    "profiles",
    "add",
    ...profile,
    "--api",
    api,
    "--url",
    baseUrl,
    "--key-env",
    "SOURCE",
  );
  expect(added.code, added.stderr).toBe(0);
  if (mirror) {
    const made = await line.run("mirror", "create", profile[0] ?? "", "--api", api);
    expect(made.code, made.stderr).toBe(0);
  }
  let last = 0;
  const requests = async (): Promise<string[]> => {
    const logged = (await emulator.control("GET", "/requests?limit=200&brief=true")) as {
      id: number;
      method: string;
      path: string;
    }[];
    const fresh = logged.filter(({ id }) => id > last);
    last = Math.max(last, ...logged.map(({ id }) => id));
    return fresh.map(({ method, path }) => `${method} ${path}`);
  };
  await requests();
  let scripts = 0;
  return {
    line,
    emulator,
    baseUrl,
    ask: createAsk(fetch, baseUrl, key),
    requests,
    writes: async () => (await requests()).filter((request) => !request.startsWith("GET ")),
    script(text) {
      scripts += 1;
      const path = join(line.home, `script-${scripts}.cjs`);
      writeFileSync(path, text);
      return [process.execPath, path];
    },
  };
}

/** Code for scripts: `ask` sends a request to the API with the URL and key from the environment. */
export const askScript = `
const { VOXCTL_BASE_URL: base = process.env.VOXCTL_DISTRIBUTOR_URL, VOXCTL_API_KEY: key = process.env.VOXCTL_DISTRIBUTOR_KEY } = process.env;
const ask = async (method, path, body) => {
  const answer = await fetch(base + path, { method, headers: { authorization: "Bearer " + key, "content-type": "application/json" }, body: body && JSON.stringify(body) });
  return (await answer.json()).data;
};
`;

/**
 * The script requests a URL through the environment's proxy, and exits with code 4 if the proxy refuses the
 * request.
 */
export const formatProxyScript = (url: string): string => `
const proxy = new URL(process.env.http_proxy);
const { Agent, request } = require("node:http");
request(
  // An agent of its own: the global one of newer Nodes would go to the proxy by way of the proxy.
  { agent: new Agent(), host: proxy.hostname, port: proxy.port, path: ${JSON.stringify(url)}, headers: { host: ${JSON.stringify(new URL(url).host)} } },
  (answer) => { if (answer.statusCode === 403) process.exitCode = 4; answer.resume(); },
).end();
`;
