/** The lock of a target: which key is which id, and what was applied last. JSON Lines, sorted by key (L1). */
import * as z from "zod";
import { ConfigError } from "./errors.js";

/** The hashes of the value that was sent and of the answer; `@KEY` of a reference that was answered as it was sent. */
const KeptHashes = z.union([z.tuple([z.string(), z.string()]), z.string().startsWith("@")]);
export type KeptHashes = z.output<typeof KeptHashes>;

/** A secret's fingerprints by the tags of their keys, and its `version` when it was sent last. */
const SecretState = z.record(z.string(), z.union([z.string(), z.int()]));
export type SecretState = z.output<typeof SecretState>;

const Line = z.strictObject({
  key: z.string().min(1),
  id: z.string().min(1),
  /** This project created it; else it was adopted (L2). */
  made: z.boolean(),
  /** The hash of the base file, without overlay and variables, for promotion; empty where only an overlay has it. */
  source: z.string(),
  applied: z.record(z.string(), KeptHashes),
  secrets: z.record(z.string(), SecretState).optional(),
});
export type LockLine = z.output<typeof Line>;

const Header = z.strictObject({ lock: z.literal(1), project: z.string(), base_url: z.string() });

export interface Lock {
  project: string;
  base_url: string;
  lines: Map<string, LockLine>;
}

/**
 * Reads a lock.
 * @param file its name, for messages
 * @throws ConfigError with the line
 */
export function parseLock(text: string, file: string): Lock {
  const fail = (line: number, reason: string): never => {
    throw new ConfigError(
      "config_invalid",
      `${file}, line ${line}: ${reason}; nothing was sent`,
      "git has an earlier one; without any lock, voxctl config adopt --by-name binds what is there by its names",
    );
  };
  const [first = "", ...moreLines] = text.split(/\r?\n/);
  const header = Header.safeParse(jsonOf(first));
  if (!header.success) return fail(1, "it is no lock that this voxctl understands");
  const lines = new Map<string, LockLine>();
  for (const [index, line] of moreLines.entries()) {
    if (line === "") continue;
    if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) return fail(index + 2, "git left a conflict in it");
    const parsed = Line.safeParse(jsonOf(line));
    if (!parsed.success) return fail(index + 2, "it is no line of a lock");
    if (lines.has(parsed.data.key)) return fail(index + 2, `${parsed.data.key} is there twice`);
    lines.set(parsed.data.key, parsed.data);
  }
  const { project, base_url } = header.data;
  return { project, base_url, lines };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A lock as its file holds it: fields sorted, one line a thing. */
export function lockText({ project, base_url, lines }: Lock): string {
  const sorted = [...lines.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
  const header = JSON.stringify({ lock: 1, project, base_url });
  return `${[header, ...sorted.map(lineText)].join("\n")}\n`;
}

function lineText({ key, id, made, source, applied, secrets }: LockLine): string {
  const states = Object.entries(secrets ?? {});
  return JSON.stringify({
    key,
    id,
    made,
    source,
    applied: byName(applied),
    ...(states.length === 0
      ? {}
      : { secrets: byName(Object.fromEntries(states.map(([field, state]) => [field, byName(state)]))) }),
  });
}

function byName<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** How a field's two hashes are kept; a reference that came back as it went is readable. */
export function keptHashesOf(sent: string, returned: string, referenceKey: string | undefined): KeptHashes {
  return sent === returned && referenceKey !== undefined ? `@${referenceKey}` : [sent, returned];
}
