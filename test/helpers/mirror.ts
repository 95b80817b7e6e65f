import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parseExactJson } from "../../src/base/exact-json.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import { connectedTo, temporaryFolder } from "./cli.js";

// biome-ignore lint/suspicious/noExplicitAny: rows of any resource
type ApiData = any;

export type Asking = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: ApiData; headers: Headers }>;

export function createAsk(
  fetch: typeof globalThis.fetch | Emulator["fetch"],
  baseUrl: string,
  key: string,
): Asking {
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? undefined : parseExactJson(text),
      headers: response.headers,
    };
  };
}

export function createEmulatorAsk({ fetch, startLine }: Emulator): Asking {
  return createAsk(fetch, startLine.base_url, startLine.keys.admin);
}

/** Connects every profile to this emulator, and calls `before` with each request before the emulator responds. */
export function watchSource(
  emulator: Emulator,
  before: (request: { method: string; path: string }) => Promise<void>,
): Overrides {
  const { connect } = connectedTo(emulator);
  return {
    connect: async (profile, options) => {
      const connection = await connect?.(profile, options);
      if (!connection) throw new Error("nothing connects");
      const { transport } = connection.clientOptions;
      return {
        ...connection,
        clientOptions: {
          ...connection.clientOptions,
          transport: async (url, request) => {
            await before({ method: request.method, path: new URL(url).pathname });
            return transport(url, request);
          },
        },
      };
    },
  };
}

export async function openFork(data: string, name: string): Promise<{ emulator: Emulator; ask: Asking }> {
  const folder = temporaryFolder();
  const [from, to] = [join(data, "mirrors", name, "world.db"), join(folder, "fork.db")];
  copyFileSync(from, to);
  copyFileSync(`${from}.key`, `${to}.key`);
  const emulator = await openEmulator({ db: to, exclusive: true });
  onTestFinished(() => emulator.close());
  return { emulator, ask: createEmulatorAsk(emulator) };
}

/** Paths of the lists that a copy can contain, by resource type. */
export const copiedLists: Readonly<Record<string, string>> = {
  voices: "/voices",
  groups: "/groups",
  prompts: "/prompts",
  calendars: "/calendars",
  tools: "/tools",
  forwardings: "/forwardings",
  glossary: "/glossary",
  pronunciation: "/pronunciation",
  knowledge: "/knowledge-items",
  assistants: "/assistants",
  contacts: "/contacts",
  calls: "/calls",
};

export async function readAllRows(ask: Asking, path: string): Promise<ApiData[]> {
  const rows: ApiData[] = [];
  let cursor: string | null = null;
  do {
    const page = cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const { body, status } = await ask("GET", `${path}${page}`);
    expect(status, path).toBe(200);
    rows.push(...body.data);
    cursor = body.meta?.next_cursor ?? null;
  } while (cursor !== null);
  return rows;
}

/** Compares each list and each get of a copy with the source, byte for byte. The order of rows can differ. */
export async function expectSameContent(
  source: Asking,
  copy: Asking,
  resources: readonly string[],
  { gets = true }: { gets?: boolean } = {},
): Promise<void> {
  for (const resource of resources) {
    const path = copiedLists[resource] ?? "";
    const texts = async (ask: Asking) =>
      (await readAllRows(ask, path)).map((row) => JSON.stringify(row)).sort();
    const listed = await texts(source);
    expect(await texts(copy), resource).toEqual(listed);
    if (resource === "voices" || !gets) continue;
    for (const text of listed) {
      const itemPath = `${path}/${JSON.parse(text).id}`;
      const get = async (ask: Asking) => JSON.stringify((await ask("GET", itemPath)).body);
      expect(await get(copy), itemPath).toBe(await get(source));
    }
  }
}
