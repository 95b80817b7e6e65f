import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createFleet } from "../helpers/fleet.js";
import { bin } from "../helpers/installed-cli.js";
import { type Ended, runBuilt } from "../helpers/processes.js";
import type { PostgresServer } from "./postgres.js";

/** Organizations of one emulator, a store, and machines that run a fleet of them. */
export async function setUpSharedFleet(
  postgres: PostgresServer,
  schema: string,
  names: readonly string[],
  settings = "",
) {
  const fleet = await createFleet(names, {
    settings,
    labels: (name) => `ring: ${name === names[0] ? "canary" : "wide"}`,
  });
  const address = postgres.address(schema);
  const owner = { HOME: temporaryFolder(), VOXCTL_STORE: address };
  const { key } = JSON.parse((await runBuilt(["store", "init", "-o", "json"], { env: owner })).stdout);
  const keys = Object.fromEntries(fleet.members.map((member) => [member.variable, member.key]));
  const membersFile = join(fleet.home, "fleet.yaml");
  const createMachine = (more: Record<string, string | undefined> = {}) => {
    const home = temporaryFolder();
    const all = {
      HOME: home,
      ...{
        VOXCTL_CONFIG_DIR: join(home, "config"),
        VOXCTL_DATA_DIR: join(home, "data"),
        VOXCTL_KEYCHAIN: "off",
      },
      ...{ VOXCTL_STORE: address, VOXCTL_STORE_KEY: key, VOXCTL_STORE_LEASE: "3s" },
      ...keys,
      ...more,
    };
    const env = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const run = (...argv: string[]): Promise<Ended> => runBuilt(argv, { env, cwd: home });
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
        onTestFinished(() => void child.kill("SIGKILL"));
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
  /** `fleet run` for all members. */
  const runWords = (...flags: string[]) => [
    ...["fleet", "run", "--fleet", membersFile, "--confirm", `${names.length} members`, ...flags, "--"],
  ];
  return { ...fleet, address, key, keys, createMachine, runWords };
}
export type SharedFleet = Awaited<ReturnType<typeof setUpSharedFleet>>;
export type Machine = ReturnType<SharedFleet["createMachine"]>;

/** Waits until a process has printed a text. */
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
