import type { Command, CommandGroup, Input } from "../command.js";
import { usageError } from "../errors.js";
import { runningServer } from "../local-server.js";
import type { Column } from "../output/output.js";
import { controlCommand, secondsOf, withControl, worldFlags } from "./emulator-control.js";
import { coverage, explain } from "./emulator-explain.js";
import { databasePath, emulatorStart } from "./emulator-start.js";

const clockCommands: readonly Command[] = [
  controlCommand({
    name: "show",
    summary: "Show the world's time and whether it moves by itself",
    examples: [{ command: "voxctl emulator clock show" }],
    call: () => ({ method: "GET", path: "/clock" }),
  }),
  controlCommand({
    name: "advance",
    summary: "Move the world's time forward",
    arguments: [{ name: "duration", description: "like 90s, 15m, 1h or 2d" }],
    examples: [{ command: "voxctl emulator clock advance 1h" }],
    call: (input) => ({
      method: "PATCH",
      path: "/clock",
      body: { advance_seconds: secondsOf(input.arguments[0] ?? "", "duration") },
    }),
  }),
  controlCommand({
    name: "set",
    summary: "Set the world's time; it never goes back",
    arguments: [{ name: "time", description: "like 2026-12-24T18:00:00Z" }],
    examples: [{ command: "voxctl emulator clock set 2030-01-01T00:00:00Z" }],
    call: (input) => ({ method: "PATCH", path: "/clock", body: { set: input.arguments[0] } }),
  }),
  controlCommand({
    name: "mode",
    summary: "Let the time run with the wall clock, or freeze it",
    arguments: [{ name: "mode", description: "real or virtual" }],
    examples: [{ command: "voxctl emulator clock mode virtual" }],
    call: (input) => ({ method: "PATCH", path: "/clock", body: { mode: input.arguments[0] } }),
  }),
];

const keyColumns: readonly Column[] = [
  { header: "ID", value: "id", keep: true },
  { header: "NAME", value: "name" },
  { header: "KIND", value: "kind" },
  { header: "PREFIX", value: "prefix" },
  { header: "ROLE", value: "role" },
  { header: "STATUS", value: "status", as: "status" },
  { header: "CREATOR", value: "creator" },
  { header: "EXPIRES", value: "expires_at", as: "time" },
];

const keyCommands: readonly Command[] = [
  controlCommand({
    name: "list",
    summary: "List the world's keys, never their values",
    examples: [{ command: "voxctl emulator keys list" }],
    list: true,
    view: { columns: keyColumns, empty: "no keys" },
    call: () => ({ method: "GET", path: "/keys" }),
  }),
  controlCommand({
    name: "create",
    summary: "Make a key; its value is shown this once",
    flags: [
      {
        name: "kind",
        value: "kind",
        description: "whose key it is",
        choices: ["public", "legacy", "oauth", "distributor"],
        strict: true,
        default: "public",
      },
      { name: "name", value: "name", description: "what to call it" },
      {
        name: "role",
        value: "role",
        description: "role of an organization's key",
        choices: ["admin", "editor", "caller", "viewer"],
        strict: true,
      },
      { name: "organization", value: "id", description: "organization it opens (default: the first)" },
      { name: "distributor", value: "id", description: "distributor it opens (default: the first)" },
      { name: "permission", value: "area:action", description: "in place of the role's", repeatable: true },
      { name: "version", value: "v1|v2", description: "distributor API version", repeatable: true },
      { name: "expires", value: "time", description: "when it ends, ISO 8601" },
    ],
    examples: [{ command: "voxctl emulator keys create --role viewer --name dashboard" }],
    call: (input) => ({ method: "POST", path: "/keys", body: keyBody(input) }),
  }),
  controlCommand({
    name: "revoke",
    summary: "Stop a key from working, until it is activated again",
    arguments: [{ name: "id", description: "the key's id" }],
    examples: [{ command: "voxctl emulator keys revoke 6b016cca22b109816a000005" }],
    call: (input) => ({ method: "PATCH", path: `/keys/${input.arguments[0]}`, body: { status: "revoked" } }),
  }),
  controlCommand({
    name: "activate",
    summary: "Let a revoked key work again",
    arguments: [{ name: "id", description: "the key's id" }],
    examples: [{ command: "voxctl emulator keys activate 6b016cca22b109816a000005" }],
    call: (input) => ({ method: "PATCH", path: `/keys/${input.arguments[0]}`, body: { status: "active" } }),
  }),
  controlCommand({
    name: "delete",
    summary: "Delete a key",
    arguments: [{ name: "id", description: "the key's id" }],
    examples: [{ command: "voxctl emulator keys delete 6b016cca22b109816a000005" }],
    call: (input) => ({ method: "DELETE", path: `/keys/${input.arguments[0]}` }),
  }),
];

function keyBody(input: Input): Record<string, unknown> {
  const permissions = input.texts("permission");
  const versions = input.texts("version");
  return withoutUndefined({
    kind: input.text("kind") ?? "public",
    name: input.text("name"),
    role: input.text("role"),
    organization_id: input.text("organization"),
    distributor_id: input.text("distributor"),
    permissions: permissions.length > 0 ? permissions : undefined,
    versions: versions.length > 0 ? versions : undefined,
    expires_at: input.text("expires"),
  });
}

const faultCommands: readonly Command[] = [
  controlCommand({
    name: "list",
    summary: "List the faults and how often they struck",
    examples: [{ command: "voxctl emulator faults list" }],
    list: true,
    view: {
      columns: [
        { header: "ID", value: "id", keep: true },
        { header: "KIND", value: "kind" },
        { header: "OPERATION", value: "operation" },
        { header: "PATH", value: "path" },
        { header: "TIMES", value: "times" },
        { header: "PROBABILITY", value: "probability" },
        { header: "MATCHED", value: "matched", align: "right" },
        { header: "STRUCK", value: "struck", align: "right" },
      ],
      empty: "no faults",
    },
    call: () => ({ method: "GET", path: "/faults" }),
  }),
  controlCommand({
    name: "add",
    summary: "Plan a fault",
    arguments: [
      {
        name: "kind",
        description:
          "error_before, error_after, drop_before, drop_after, truncate, garbage, delay, limiter_down …",
      },
    ],
    flags: [
      { name: "operation", value: "name", description: "strike this operation: contacts.create" },
      { name: "method", value: "method", description: "strike this method" },
      {
        name: "path",
        value: "glob",
        description: "strike these paths; * stays within a segment, ** crosses them",
      },
      { name: "key", value: "id", description: "strike this key's requests" },
      { name: "times", value: "n", description: "strike so often, then no more" },
      { name: "skip", value: "n", description: "let so many pass first" },
      { name: "probability", value: "0..1", description: "strike by chance" },
      { name: "delay-ms", value: "n", description: "of a delay" },
      { name: "expires", value: "duration", description: "end by itself after this time" },
    ],
    examples: [{ command: "voxctl emulator faults add drop_after --operation contacts.create --times 3" }],
    call: (input) => ({ method: "POST", path: "/faults", body: faultBody(input) }),
  }),
  controlCommand({
    name: "clear",
    summary: "Take back one fault, or all",
    arguments: [{ name: "id", description: "the fault's id", optional: true }],
    examples: [{ command: "voxctl emulator faults clear" }],
    call: (input) => ({
      method: "DELETE",
      path: input.arguments[0] ? `/faults/${input.arguments[0]}` : "/faults",
    }),
  }),
];

function faultBody(input: Input): Record<string, unknown> {
  const number = (name: string) => {
    const text = input.text(name);
    if (text === undefined) return undefined;
    if (!Number.isFinite(Number(text)) || text.trim() === "")
      throw usageError(`--${name}: "${text}" is no number`);
    return Number(text);
  };
  const expires = input.text("expires");
  return withoutUndefined({
    kind: input.arguments[0],
    operation: input.text("operation"),
    method: input.text("method"),
    path: input.text("path"),
    key_id: input.text("key"),
    times: number("times"),
    skip: number("skip"),
    probability: number("probability"),
    delay_ms: number("delay-ms"),
    expires_in_seconds: expires === undefined ? undefined : secondsOf(expires, "--expires"),
  });
}

const logs = controlCommand({
  name: "logs",
  summary: "Show the last requests, newest first",
  flags: [
    { name: "limit", value: "n", description: "how many", default: "50" },
    { name: "status", value: "code", description: "only these" },
    { name: "path", value: "path", description: "only this path" },
    { name: "after", value: "id", description: "only what came after this one" },
  ],
  examples: [{ command: "voxctl emulator logs --status 429" }],
  list: true,
  view: {
    columns: [
      { header: "ID", value: "id", keep: true, align: "right" },
      { header: "AT", value: "at", as: "time", keep: true },
      { header: "METHOD", value: "method" },
      { header: "PATH", value: "path" },
      { header: "STATUS", value: "status", as: "status" },
      { header: "CODE", value: "code" },
      { header: "RULE", value: "rule" },
    ],
    empty: "no requests",
  },
  call: (input) => {
    const query = new URLSearchParams({ limit: input.text("limit") ?? "50" });
    for (const name of ["status", "path", "after"]) {
      const value = input.text(name);
      if (value !== undefined) query.set(name, value);
    }
    return { method: "GET", path: `/requests?${query}` };
  },
});

const status: Command = {
  name: "status",
  summary: "Show a world: its server, clock and what is in it",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator status" }],
  run: async (session, input) => {
    const path = await databasePath(session, input);
    const { createUndiciTransport } = await import("../../client/undici-transport.js");
    const network = createUndiciTransport({ env: session.io.env });
    const line = await runningServer(path, network.transport).finally(() => network.close());
    await withControl(session, input, async (control) => {
      const state = await control("GET", "/status");
      const server = line ? { running: true, url: line.url, pid: line.pid } : { running: false };
      await session.output.item({ ...server, ...(typeof state === "object" ? state : {}) });
    });
  },
};

const stop: Command = {
  name: "stop",
  summary: "Stop the server of a world",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const path = await databasePath(session, input);
    const { createUndiciTransport } = await import("../../client/undici-transport.js");
    const network = createUndiciTransport({ env: session.io.env });
    try {
      const line = await runningServer(path, network.transport);
      if (!line) {
        session.notes.note(`no emulator serves ${path}`);
        return;
      }
      // It answered with its own token: the process is the emulator, not a stranger with its old number.
      process.kill(line.pid, "SIGTERM");
      const deadline = session.clock.now() + 10_000;
      while ((await runningServer(path, network.transport)) && session.clock.now() < deadline)
        await session.clock.sleep(50, session.signal);
      session.notes.note(`stopped the emulator at ${line.url}`);
    } finally {
      await network.close();
    }
  },
};

const reset: Command = {
  ...controlCommand({
    name: "reset",
    summary: "Empty a world and fill it anew; its keys change",
    flags: [
      {
        name: "seed",
        value: "seed",
        description: "what it holds then",
        choices: ["demo", "empty"],
        strict: true,
        default: "demo",
      },
    ],
    examples: [{ command: "voxctl emulator reset --seed empty --yes" }],
    call: (input) => ({ method: "POST", path: "/reset", body: { seed: input.text("seed") ?? "demo" } }),
  }),
};

const resetAfterQuestion: Command = {
  ...reset,
  run: async (session, input) => {
    await session.confirm(
      `Everything in the world ${await databasePath(session, input)} will be deleted. Go on?`,
    );
    await reset.run(session, input);
  },
};

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** `voxctl emulator …` */
export const emulator: CommandGroup = {
  name: "emulator",
  summary: "Run and steer a local world of the whole service",
  commands: [
    emulatorStart,
    stop,
    status,
    resetAfterQuestion,
    logs,
    explain,
    coverage,
    { name: "clock", summary: "Show and move the world's time", commands: clockCommands },
    { name: "keys", summary: "The world's keys", commands: keyCommands },
    { name: "faults", summary: "Make things go wrong on purpose", commands: faultCommands },
  ],
};
