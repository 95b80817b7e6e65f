import { describe } from "vitest";
import * as z from "zod";
import { control } from "../../src/contract/control/control.js";
import type { ControlOperation } from "../../src/contract/control/operation.js";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";
import type { ControlDataAt, DataAt } from "./contract-types.js";
import { openSeededEmulator } from "./templates.js";

// biome-ignore lint/suspicious/noExplicitAny: the default is what nothing is known of
export interface Reply<Body = any> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if it is not JSON. */
  body: Body;
  bytes: Uint8Array;
}

interface Detail {
  path: string[];
  message: string;
}

/**
 * A response of the Public API, typed as both a success envelope and an error. A test fails if it reads a part that
 * the response lacks.
 */
export interface Envelope<Data> {
  data: Data;
  /** On the last page, `next_cursor` is null; tests read it only on other pages. */
  meta: { has_more: boolean; next_cursor: string };
  error: { code: string; message: string; details: [Detail, ...Detail[]] };
}

export interface Ask {
  body?: unknown;
  /** Raw bytes instead of `body`. */
  raw?: string | Uint8Array;
  key?: string | null;
  headers?: Record<string, string>;
}

export interface TestEmulator {
  instance: Emulator;
  keys: Emulator["startLine"]["keys"];
  /** The server's URL; a placeholder if the emulator runs in this process. */
  url: string;
  /** Sends a Public API request with the admin's key: `ask("POST", "/contacts", { body })`. */
  ask<const Method extends string, const Path extends string>(
    method: Method,
    path: Path,
    options?: Ask,
  ): Promise<Reply<Envelope<DataAt<Method, Path>>>>;
  /** Sends a request to any path of the host: `askHost("GET", "/api/distributor/v2/usage", …)`. */
  askHost(method: string, path: string, options?: Ask): Promise<Reply>;
  control<const Method extends string, const Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
  ): Promise<ControlDataAt<Method, Path>>;
  advance(seconds: number): Promise<void>;
  groupId(type: string): Promise<string>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type OpenTestEmulator = (options?: EmulatorOptions) => Promise<TestEmulator>;

export async function openTestEmulator(
  transport: "in process" | "over HTTP",
  options: EmulatorOptions = {},
): Promise<TestEmulator> {
  const emulator = await openSeededEmulator({ clock: "virtual", seed: "empty", ...options });
  const server = transport === "over HTTP" ? await emulator.listen({ port: 0 }) : undefined;
  const host = server?.url ?? "http://emulator.localhost";
  const { keys } = emulator.startLine;

  async function askHost(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const headers = new Headers(ask.headers);
    const key = ask.key === undefined ? keys.admin : ask.key;
    if (key !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit["body"]> }),
    };
    const response = server
      ? await fetch(host + path, init)
      : await emulator.fetch(new Request(host + path, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    let parsed: unknown;
    try {
      parsed = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      parsed = undefined;
    }
    return { status: response.status, headers: response.headers, body: parsed, bytes };
  }

  const ask: TestEmulator["ask"] = (method, path, options) => askHost(method, `/api/v1${path}`, options);
  return {
    instance: emulator,
    keys,
    url: host,
    ask,
    askHost,
    control: async (method, path, body) => {
      const data = await emulator.control(method, path, body);
      assertControlData(method, path, data);
      // assertControlData has checked the data against the contract.
      return data as ControlDataAt<typeof method, typeof path>;
    },
    advance: async (seconds) => {
      await emulator.control("PATCH", "/clock", { advance_seconds: seconds });
    },
    groupId: async (type) => (await ask("GET", `/groups?type=${type}`)).body.data[0].id,
    close: () => emulator.close(),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Checks every response of the control interface in a test against the contract. */
function assertControlData(method: string, path: string, data: unknown): void {
  const [plain = ""] = path.split("?");
  const operation: ControlOperation | undefined = Object.values<ControlOperation>(control).find(
    (candidate) =>
      candidate.method === method &&
      new RegExp(`^${candidate.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(plain),
  );
  if (!operation) throw new Error(`the contract has no control call ${method} ${plain}`);
  z.parse(operation.responseShape === "page" ? z.array(operation.response) : operation.response, data);
}

/** Defines the same tests twice: with the emulator's `fetch`, and over a socket. */
export function testOnBothTransports(title: string, define: (open: OpenTestEmulator) => void): void {
  for (const transport of ["in process", "over HTTP"] as const) {
    describe(`${title} (${transport})`, () => define((options) => openTestEmulator(transport, options)));
  }
}

/**
 * Defines tests that run in process and, with `npm run proof`, also over HTTP.
 * test/emulator/transports.test.ts shows that both transports give the same responses.
 */
export function testOnTransports(title: string, define: (open: OpenTestEmulator) => void): void {
  if (process.env["PROOF"] !== undefined) testOnBothTransports(title, define);
  else describe(title, () => define((options) => openTestEmulator("in process", options)));
}
