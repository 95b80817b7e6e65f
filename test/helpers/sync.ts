import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Transport } from "../../src/base/transport.js";
import type { Emulator } from "../../src/emulator/types.js";
import { commandLine, connectedTo, type RunOptions } from "./cli.js";
import { wrapTransport } from "./import.js";
import { readLog } from "./log.js";
import { openSeededEmulator } from "./templates.js";

interface SyncContact {
  id: string;
  first_name: string;
  last_name: string;
  phone_numbers: string[];
  emails: string[];
}

export interface Person {
  key?: string;
  first: string;
  last?: string;
  phone?: string;
  email?: string;
}

/** Returns a CSV file like the export of an office program. */
export function formatCsv(people: readonly Person[]): string {
  const lines = people.map(({ key = "", first, last = "", phone = "", email = "" }) =>
    [key, first, last, phone, email].map((cell) => (/[;"\n]/.test(cell) ? `"${cell}"` : cell)).join(";"),
  );
  return `${["Kundennummer;Vorname;Nachname;Telefon;E-Mail", ...lines].join("\n")}\n`;
}

/** Returns this many contacts, each with a unique phone number and email. */
export function createPeople(size: number, from = 0): Person[] {
  return Array.from({ length: size }, (_, index) => {
    const n = from + index;
    return {
      key: `K${1000 + n}`,
      first: `Vor${n}`,
      last: `Nach${n}`,
      phone: `0151 ${10000000 + n}`,
      email: `p${n}@example.org`,
    };
  });
}

/** Sets up an emulator with the group Kunden, and functions that sync the group with a file. */
export async function setUpSync({
  http = false,
  around,
  ...options
}: RunOptions & {
  http?: boolean;
  around?: ((transport: Transport, emulator: Emulator) => Transport) | undefined;
} = {}) {
  if (http) return officeOverHttp(options);
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const connected =
    around === undefined
      ? connectedTo(emulator)
      : wrapTransport(emulator, (transport) => around(transport, emulator));
  const overrides = { ...connected, ...options.overrides };
  const shell = commandLine({ ...options, overrides, env: { VOXCTL_PROFILE: "offline", ...options.env } });
  await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden");
  return { emulator, ...shell, ...syncing(shell) };
}

/** Like `setUpSync`, but over a socket and without limits, because the command waits in real time. */
async function officeOverHttp(options: RunOptions) {
  const limits = { read: 1_000_000, write: 1_000_000 };
  const emulator = await openSeededEmulator({ seed: "empty", clock: "real", limits });
  onTestFinished(() => emulator.close());
  const { url } = await emulator.listen({ port: 0 });
  const { admin } = emulator.startLine.keys;
  const env = { VOXCTL_BASE_URL: `${url}/api/v1`, VOXCTL_API_KEY: admin, ...options.env };
  const shell = commandLine({ ...options, env });
  await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden");
  return { emulator, ...shell, ...syncing(shell) };
}

type Shell = ReturnType<typeof commandLine>;

function syncing({ run, home }: Pick<Shell, "run" | "home">) {
  const write = (people: readonly Person[] | string, name = "kunden.csv") =>
    writeFileSync(join(home, name), typeof people === "string" ? people : formatCsv(people));
  const flags = ["--group", "Kunden", "--country", "DE", "-o", "json"];
  const sync = (...more: string[]) => run("contacts", "sync", "kunden.csv", ...flags, ...more);
  const syncTo = (people: readonly Person[] | string, ...more: string[]) => {
    write(people);
    return sync(...more);
  };
  const contacts = async (): Promise<SyncContact[]> => {
    const listed = await run("contacts", "list", "--group", "Kunden", "--all", "-o", "json");
    return [...listed.json].sort((left: SyncContact, right: SyncContact) => (left.id < right.id ? -1 : 1));
  };
  const names = async () => (await contacts()).map(({ first_name }) => first_name).sort();
  return { write, sync, syncTo, contacts, names };
}

export function parseError(stderr: string) {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
}

export async function countWrites(emulator: Emulator): Promise<number> {
  const requests = await readLog(emulator);
  return requests.filter(({ method }) => method !== "GET").length;
}
