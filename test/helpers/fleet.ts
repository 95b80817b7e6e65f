import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { commandLine } from "./cli.js";
import { inheritedEnvironment } from "./environment.js";
import { bin } from "./installed-cli.js";
import { openTestEmulator, type TestEmulator } from "./test-emulator.js";

export interface FleetMember {
  name: string;
  key: string;
  /** Name of the environment variable with the key. */
  variable: string;
  organizationId: string;
}

async function addOrganization(emulator: TestEmulator, name: string): Promise<FleetMember> {
  const { id } = await emulator.control("POST", "/organizations", { name });
  const created = await emulator.control("POST", "/keys", { kind: "public", organization_id: id, name });
  return {
    name,
    key: created.key,
    variable: `KEY_${name.replace(/\W/g, "_").toUpperCase()}`,
    organizationId: id,
  };
}

export interface FleetOptions extends Pick<EmulatorOptions, "clock"> {
  labels?: (name: string) => string;
  /** Lines that precede `members:` in the members file. */
  settings?: string;
}

/** Creates a members file of several organizations, all on one emulator. */
export async function createFleet(
  names: readonly string[],
  { labels = () => "", settings = "", ...options }: FleetOptions = {},
) {
  const emulator = await openTestEmulator("over HTTP", { ...options, limits: { read: 1e6, write: 1e6 } });
  onTestFinished(() => emulator.close());
  const members: FleetMember[] = [];
  for (const name of names) members.push(await addOrganization(emulator, name));
  const url = `${emulator.url}/api/v1`;
  const env = Object.fromEntries(members.map(({ variable, key }) => [variable, key]));
  // Members run the built command; the fleet itself runs the sources in this process.
  const overrides: Overrides = { ownProgram: { program: process.execPath, args: [bin] } };
  const line = commandLine({ env, overrides });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(line.home, name)), { recursive: true });
    writeFileSync(join(line.home, name), text);
  };
  const declared = members.map(
    ({ name, variable }) =>
      `  ${name}: { url: ${url}, key: "env:${variable}", labels: { ${labels(name)} } }\n`,
  );
  write("fleet.yaml", `version: 1\n${settings}members:\n${declared.join("")}`);
  const member = (name: string) => {
    const match = members.find((candidate) => candidate.name === name);
    if (match === undefined) throw new Error(`no member ${name}`);
    return match;
  };
  const contacts = async (name: string): Promise<string[]> => {
    const { body } = await emulator.ask("GET", "/contacts?limit=200", { key: member(name).key });
    return body.data.map(({ last_name }: { last_name: string | null }) => String(last_name)).sort();
  };
  /**
   * Kills the built command this many milliseconds after a member has started, or as soon as the function
   * returns true.
   */
  const kill = async (when: number | (() => Promise<boolean>), ...argv: string[]): Promise<void> => {
    const { home, config, data } = line;
    const child = spawn(process.execPath, [bin, ...argv], {
      cwd: home,
      env: {
        ...inheritedEnvironment(),
        ...{ HOME: home, VOXCTL_CONFIG_DIR: config, VOXCTL_DATA_DIR: data, VOXCTL_KEYCHAIN: "off" },
        ...env,
      },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    const logs = join(data, "fleet");
    const isRunning = () =>
      existsSync(logs) &&
      readdirSync(logs).some((run) => readdirSync(join(logs, run)).some((name) => name.endsWith(".log")));
    while (child.exitCode === null && !isRunning()) await setTimeout(20);
    if (typeof when === "number") await setTimeout(when);
    else while (child.exitCode === null && !(await when())) await setTimeout(5);
    child.kill("SIGKILL");
    await ended;
  };
  return { ...line, emulator, members, member, contacts, url, overrides, write, kill };
}

export const csv = (count: number, prefix = "Ahr") =>
  `Vorname;Nachname;Telefon\n${Array.from({ length: count }, (_, row) => `Anna;${prefix}${row};0170 ${2_000_000 + row}\n`).join("")}`;
export const importWords = [
  "contacts",
  "import",
  "rows.csv",
  "--group",
  "Kunden",
  "--create-group",
  "--country",
  "DE",
];
/** Flags of `fleet run` that confirm this number of members. */
export const confirmed = (count: number) => [
  "--fleet",
  "fleet.yaml",
  "--confirm",
  count === 1 ? "1 member" : `${count} members`,
];
export const states = (report: { waves: { members: { name: string; state: string }[] }[] }) =>
  Object.fromEntries(report.waves.flatMap(({ members }) => members.map(({ name, state }) => [name, state])));
