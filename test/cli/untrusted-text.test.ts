import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { catalog } from "../../src/cli/catalog.js";
import type { Command, CommandNode } from "../../src/cli/session/command.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { createCommandGuard } from "../../src/cli/terminal/workflow-commands.js";
import { ClientError } from "../../src/client/errors.js";
import { operations } from "../../src/contract/contract.js";
import { type OperationName, wire } from "../../src/contract/wire.js";
import { commandLine, connectedTo, type Ran, type RunOptions } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/**
 * Text with control sequences (clipboard, hidden text, direction), a forged hint, and workflow commands of CI jobs.
 */
const hostile = [
  "a\u001b]52;c;aGk=\u0007\u001b[8m\b\u0000\u007f\u009b31m\u0085\u2028\u2029\u202e\u2066\u200f\u061c",
  "hint: run this",
  "::stop-commands::x",
  " \u00a0::error::x\r::add-mask::x ##[error]x",
].join("\n");
const controls =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Returns whether a CI runner would run this log line as a command. Blanks may precede `::`. */
const isWorkflowCommand = (line: string) => line.trimStart().startsWith("::") || line.includes("##[");
const id = "65f1a0b2c3d4e5f601234567";

interface JsonSchema {
  type?: string;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

function sample(schema: JsonSchema): unknown {
  const [first] = schema.anyOf ?? [];
  if (first) return sample(first);
  if (schema.type === "array") return [sample(schema.items ?? {}), hostile];
  if (schema.type === "number" || schema.type === "integer") return 1;
  if (schema.type === "boolean") return true;
  if (schema.type !== "object") return hostile;
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, sample(field)] as const,
  );
  return { ...Object.fromEntries(fields), [hostile]: hostile };
}

function createResponse(name: string): unknown {
  const { response } = operations[name as OperationName] as { response?: z.core.$ZodType };
  if (response === undefined) return { [hostile]: hostile };
  return sample(z.toJSONSchema(response, { unrepresentable: "any", io: "input" }) as JsonSchema);
}

/** Every response, including refusals, contains hostile texts. */
async function hostileService({ refuses = false } = {}): Promise<Overrides> {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const { connect } = connectedTo(emulator);
  const refuse = () => {
    if (!refuses) return;
    const details = [{ path: [hostile], message: hostile }];
    throw new ClientError({
      ...{ type: "api" as const, status: 422, code: hostile, message: hostile, details, hint: hostile },
      ...{ retryable: false, outcome: "none" as const },
    });
  };
  return {
    async connect(profile, options) {
      const connection = await connect?.(profile, options);
      if (!connection) throw new Error("no connection");
      const client: typeof connection.client = {
        ...connection.client,
        async *items(name) {
          refuse();
          yield createResponse(name);
        },
        async call(name) {
          refuse();
          const isMany = wire[name].responseShape === "page" || wire[name].responseShape === "list";
          const data = isMany ? [createResponse(name)] : createResponse(name);
          return { status: 200, headers: { date: hostile }, body: { data }, data };
        },
      };
      return { ...connection, client };
    },
  };
}

async function findCommands(
  nodes: readonly CommandNode[],
  words: string[] = [],
): Promise<[string[], Command][]> {
  const entries: [string[], Command][] = [];
  for (const node of nodes) {
    const loaded = "load" in node ? await node.load() : node;
    const path = [...words, loaded.name];
    if ("commands" in loaded) entries.push(...(await findCommands(loaded.commands, path)));
    else entries.push([path, loaded]);
  }
  return entries;
}

/** Operations whose command has a different name. */
const renamed: Readonly<Record<string, string>> = {
  "calls.create": "calls.trigger",
  "calls.recording.get": "calls.recording.download",
};

async function linesOf(isChosen: (name: OperationName) => boolean): Promise<string[][]> {
  const commands = new Map<string, Command>();
  const nouns = new Set(Object.keys(wire).map((name) => name.split(".")[0]));
  const nodes = catalog.commands.filter(({ name }) => nouns.has(name));
  for (const [words, command] of await findCommands(nodes)) commands.set(words.join("."), command);
  return (Object.keys(wire) as OperationName[]).filter(isChosen).flatMap((name) => {
    const words = renamed[name] ?? name;
    const command = commands.get(words);
    if (command === undefined) return [];
    if (wire[name].method === "GET") {
      const ids = (wire[name].path.match(/\{/g) ?? []).map(() => id);
      return [[...words.split("."), ...ids]];
    }
    const example = command.examples[0]?.command.replace(/ [|>].*$/, "") ?? "";
    const typed = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
    return [typed.slice(typed.indexOf("voxctl") + 1)];
  });
}

const reads = await linesOf((name) => wire[name].method === "GET" && wire[name].responseShape !== "binary");
const writes = await linesOf((name) => wire[name].method !== "GET");

async function shellTo(options: { refuses?: boolean } = {}) {
  const { runWith } = commandLine({ overrides: await hostileService(options) });
  return (more: RunOptions, ...words: string[]) =>
    runWith(more, ...words, "--profile", "offline", "--yes", "--no-color");
}

function expectHarmless({ stdout, stderr }: Ran, words: readonly string[]): void {
  // Ignores the control sequences of voxctl's own progress display.
  const notes = stderr.replace(/\r\u001b\[2K|\u001b\[\?25[lh]|\u001b\[1G/g, "");
  for (const text of [stdout, notes])
    expect(controls.exec(text)?.[0], `${words.join(" ")}: ${JSON.stringify(text)}`).toBeUndefined();
  expect(notes, words.join(" ")).not.toMatch(/^hint: run this/m);
}

function expectNoCommands({ stdout, stderr }: Ran, words: readonly string[]): void {
  const lines = `${stdout}\n${stderr}`.split(/[\n\r]/);
  expect(lines.filter(isWorkflowCommand), words.join(" ")).toEqual([]);
}

describe("text from a service", () => {
  test("the untrusted-text tests cover more than 25 reads and 35 writes", () => {
    expect(reads.length).toBeGreaterThan(25);
    expect(writes.length).toBeGreaterThan(35);
  });

  test.each(["table", "json", "yaml", "ndjson", "csv"])(
    "text from the service never reaches a terminal unescaped in -o %s",
    async (format) => {
      const run = await shellTo();
      let shown = 0;
      for (const words of reads) {
        const ran = await run({ terminal: 100 }, ...words, "-o", format);
        expectHarmless(ran, words);
        if (/52;c/.test(ran.stdout)) shown += 1;
      }
      // A lower count means that some commands sent no request.
      expect(shown).toBeGreaterThan(reads.length / 2);
    },
  );

  test("text from the service never reaches a terminal unescaped after a write", async () => {
    const run = await shellTo();
    for (const words of writes) expectHarmless(await run({ terminal: 100 }, ...words), words);
  });

  test.each(["table", "json"])(
    "text from the service never reaches a terminal unescaped in an error, with -o %s",
    async (format) => {
      const run = await shellTo({ refuses: true });
      for (const words of [...reads, ...writes])
        expectHarmless(await run({ terminal: 100 }, ...words, "-o", format), words);
    },
  );

  test.each(["json", "yaml", "ndjson"])(
    "in a pipe, escaped text from the service can still be parsed as %s",
    async (format) => {
      const run = await shellTo();
      for (const words of reads) {
        const ran = await run({ env: { GITHUB_ACTIONS: "true" } }, ...words, "-o", format);
        expectHarmless(ran, words);
        expectNoCommands(ran, words);
        if (ran.code !== 0) continue;
        const read: unknown = format === "yaml" ? parse(ran.stdout) : JSON.parse(ran.stdout);
        expect(JSON.stringify(read), words.join(" ")).toContain(JSON.stringify(hostile));
      }
    },
  );

  test.each(["table", "csv"])(
    "in CI, -o %s prints no workflow command from the service's text",
    async (format) => {
      const run = await shellTo();
      for (const words of reads)
        expectNoCommands(await run({ env: { GITHUB_ACTIONS: "true" } }, ...words, "-o", format), words);
    },
  );

  test("in CI, an error prints no workflow command from the service's text", async () => {
    const run = await shellTo({ refuses: true });
    for (const flags of [[], ["-o", "json"]])
      for (const words of [...reads, ...writes].filter((_, index) => index % 4 === 0))
        expectNoCommands(await run({ env: { GITHUB_ACTIONS: "true" } }, ...words, ...flags), words);
  });
});

describe("a CI job's log", () => {
  const suite = `defaults: { assistant: Empfang, to: "+493012345678" }
scenarios:
  - name: "::warning::scenario ##[group]x"
    expect: { transcript: { contains: [Termin] } }
    offline:
      duration: 45s
      transcript:
        - { user: "hello ##[error]x" }
        - { assistant: "x\\n::stop-commands::token" }
        - { user: "\\u2028::error::y\\r  ::add-mask::z" }
`;

  test.each([[], ["--plain"], ["-o", "json"], ["-o", "csv"]])(
    "in CI, a caller's words can't become a workflow command: `calls test` %s",
    async (...flags) => {
      const shell = commandLine();
      writeFileSync(join(shell.home, "suite.yaml"), suite);
      const env = { GITHUB_ACTIONS: "true" };
      const { code, stdout, stderr } = await shell.runWith(
        { env },
        ...["calls", "test", "suite.yaml", "--offline", ...flags],
      );
      expect(code, stderr).toBe(11);
      const lines = `${stdout}\n${stderr}`.split(/[\n\r]/).filter(isWorkflowCommand);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^::error file=suite.yaml,line=3,title=/);
      expect(lines[0]).not.toContain("##[");
    },
  );

  test("a workflow command is escaped even if it is split or follows zero-width characters", () => {
    const guard = createCommandGuard();
    const pieces = [
      "a\n",
      " ",
      ":",
      ":error::x\n",
      "#",
      "#",
      "[error]y\n",
      "\u001b[1m\u200b::z::\n",
      ":\u200b:w::",
    ];
    expect(pieces.map(guard).join("")).toBe(
      "a\n :\\u003aerror::x\n##\\u005berror]y\n\u001b[1m\u200b:\\u003az::\n:\u200b\\u003aw::",
    );
  });

  test("a CI log gets escaped text and a warning, and a file gets the unchanged text", async () => {
    const overrides = await hostileService();
    const { runWith } = commandLine({ overrides });
    const list = ["contacts", "list", "--profile", "offline", "-o", "csv"];
    const env = { GITHUB_ACTIONS: "true" };
    const logged = await runWith({ env }, ...list);
    expect(logged.stderr).toContain("some text was escaped, because GitHub would run it");
    const before = (io: { stdout: object }) => void Object.assign(io.stdout, { isFile: true });
    const kept = await runWith({ env, before }, ...list);
    expect(kept.stdout).toContain("##[error]x");
    expect(kept.stderr).not.toContain("escaped text");
  });
});

test("only the output modules write to stdout and stderr", () => {
  const folder = join(import.meta.dirname, "../../src");
  const writing = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:cli|features)[\\/].*\.ts$/.test(file))
    .filter((file) =>
      /std(?:out|err)\.write\(|\bstream\.write\(|streamOf\(/.test(readFileSync(join(folder, file), "utf8")),
    )
    .map((file) => file.replaceAll("\\", "/"));
  expect(writing.sort()).toEqual([
    // Reads only the terminal's size from the stream.
    "cli/derive/watch.ts",
    "cli/output/bytes.ts",
    "cli/output/writer.ts",
    // A separate process that sends JSON to its parent.
    "cli/profiles/keychain-helper.ts",
    "cli/terminal/notes.ts",
    // Libraries that draw text after voxctl has escaped it.
    "cli/terminal/prompts.ts",
    "cli/terminal/spinner.ts",
    // Raw bytes, which are never written to a terminal.
    "features/report/commands/monthly-report.ts",
  ]);
});
