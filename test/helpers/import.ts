import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Transport } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";
import { publicApi } from "./public-api.js";

const data = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));

/** The files of `test/data`, each with the expected result of every row. */
export const files = [
  { file: data("contacts.csv"), expected: data("contacts.expected.jsonl") },
  { file: data("kunden.csv"), expected: data("kunden.expected.jsonl") },
  { file: data("contacts.jsonl"), expected: data("contacts-jsonl.expected.jsonl") },
] as const;

export interface Line {
  row: number;
  outcome: string;
  field?: string;
  of?: number;
  id?: string;
  [field: string]: unknown;
}

/** Returns the first rows, including the header of a CSV file, whose rows may have several lines. */
export function readBeginning(file: string, rows: number): Buffer {
  const isCsv = file.endsWith(".csv");
  const kept: string[] = [];
  let remaining = isCsv ? rows + 1 : rows;
  let isInQuotes = false;
  for (const line of readFileSync(file, "latin1").split("\n")) {
    if (remaining <= 0) break;
    kept.push(line);
    if (isCsv && line.split('"').length % 2 === 0) isInQuotes = !isInQuotes;
    if (!isInQuotes) remaining -= 1;
  }
  return Buffer.from(kept.join("\n"), "latin1");
}

export function readLines(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** Connects every profile to this emulator through a wrapped transport. The emulator stays open after the command. */
export function wrapTransport(emulator: Emulator, around: (transport: Transport) => Transport): Overrides {
  return {
    connect: async (profile, options) => {
      const connection = connectEmulator(emulator, profile, options);
      const transport = around(connection.clientOptions.transport);
      return {
        ...connection,
        clientOptions: { ...connection.clientOptions, transport },
        close: async () => {},
      };
    },
  };
}

/** Removes the header that identifies an emulator, so that voxctl treats the emulator as a real service. */
export function connectAsDeployment(emulator: Emulator): Overrides {
  return wrapTransport(emulator, (transport) => async (url, request) => {
    const response = await transport(url, request);
    const { "x-emulator-world": _, ...headers } = response.headers;
    return { ...response, headers };
  });
}

interface Contact {
  first_name: string;
  last_name: string;
  phone_numbers: string[];
  emails: string[];
}

/** Returns the contacts of a group, each as comparable text, sorted. */
export async function readContacts(emulator: Emulator, groupId: string): Promise<string[]> {
  const ask = publicApi(emulator);
  const contacts: Contact[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await ask("GET", `/contacts?group_id=${groupId}&limit=200${cursor}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    contacts.push(...body.data);
    if (!body.meta.has_more) return contacts.map(comparable).sort();
    cursor = `&cursor=${encodeURIComponent(body.meta.next_cursor)}`;
  }
}

function comparable({ first_name, last_name, phone_numbers, emails }: Contact): string {
  return JSON.stringify([first_name, last_name, phone_numbers, emails]);
}

export function toExpectedContacts(lines: readonly Line[]): string[] {
  return lines
    .filter(({ outcome }) => outcome === "created")
    .map((line) => comparable(line as unknown as Contact))
    .sort();
}
