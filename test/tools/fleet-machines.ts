import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createFleet, type FleetOptions } from "../helpers/fleet.js";
import { bin } from "../helpers/installed-cli.js";
import type { PostgresServer } from "./postgres.js";
import { createStore } from "./store-machines.js";

/** Creates organizations and a store. `createMachine` creates a machine that can run their fleet. */
export async function setUpSharedFleet(
  postgres: PostgresServer,
  schema: string,
  names: readonly string[],
  options: FleetOptions = {},
) {
  const fleet = await createFleet(names, {
    ...options,
    labels: (name) => `ring: ${name === names[0] ? "canary" : "wide"}`,
  });
  const keys = Object.fromEntries(fleet.members.map((member) => [member.variable, member.key]));
  const store = await createStore(postgres, schema, keys);
  const membersFile = join(fleet.home, "fleet.yaml");
  const createMachine = (more: Record<string, string | undefined> = {}) => {
    const { home, env, run } = store.createMachine(more);
    return {
      ...{ home, env, run },
      data: join(home, "data"),
      write: (name: string, text: string) => writeFileSync(join(home, name), text),
      /** Starts a command that the test can signal. */
      start(...argv: string[]) {
        const child = spawn(process.execPath, [bin, ...argv], {
          cwd: home,
          env: { ...inheritedEnvironment(), ...env },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const output = { text: "" };
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => {
            output.text += chunk.toString();
          });
        const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
        onTestFinished(async () => {
          child.kill("SIGKILL");
          await ended;
        });
        return { child, output, ended };
      },
      // biome-ignore lint/suspicious/noExplicitAny: tests look into results of any shape
      async json(...argv: string[]): Promise<any> {
        const { stdout, stderr } = await run(...argv, "-o", "json");
        if (stdout === "") throw new Error(stderr);
        return JSON.parse(stdout);
      },
    };
  };
  /** Returns the arguments of `fleet run` for all members, without the command that the members run. */
  const runWords = (...flags: string[]) => [
    ...[
      "fleet",
      "run",
      "--fleet",
      membersFile,
      "--confirm",
      names.length === 1 ? "1 member" : `${names.length} members`,
      ...flags,
      "--",
    ],
  ];
  return { ...fleet, key: store.key, createMachine, runWords };
}
type SharedFleet = Awaited<ReturnType<typeof setUpSharedFleet>>;
type Machine = ReturnType<SharedFleet["createMachine"]>;

const rows = (count: number) =>
  `Vorname;Nachname;Telefon\n${Array.from({ length: count }, (_, row) => `Anna;Ahr${row};0170 ${2_000_000 + row}\n`).join("")}`;

export const importing = [
  ...["contacts", "import", "rows.csv", "--group", "Kunden", "--create-group", "--country", "DE"],
];

export const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `org${String(index).padStart(2, "0")}`);

export function createStarter(fleet: SharedFleet, count: number, more?: Record<string, string>): Machine {
  const machine = fleet.createMachine(more);
  machine.write("rows.csv", rows(count));
  return machine;
}

export async function expectImported(fleet: SharedFleet, count: number): Promise<void> {
  const expected = Array.from({ length: count }, (_, row) => `Ahr${row}`).sort();
  for (const { name } of fleet.members) expect([name, await fleet.contacts(name)]).toEqual([name, expected]);
}

export async function waitForOutput(
  { child, output }: ReturnType<Machine["start"]>,
  text: string | RegExp,
): Promise<void> {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    if (typeof text === "string" ? output.text.includes(text) : text.test(output.text)) return;
    await setTimeout(100);
  }
  throw new Error(`no ${text} in: ${output.text}`);
}
