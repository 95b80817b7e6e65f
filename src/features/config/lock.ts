/** The lock file: the ID and the last applied values of each key, as JSON Lines sorted by key. */
import * as z from "zod";
import { ConfigError } from "./errors.js";

/**
 * Hashes of the sent value and of the returned value; or `@KEY` for a reference that the service returned
 * unchanged.
 */
const KeptHashes = z.union([z.tuple([z.string(), z.string()]), z.string().startsWith("@")]);
export type KeptHashes = z.output<typeof KeptHashes>;

/** Fingerprints of a secret, one per API key, and the last `version` that was sent. */
const SecretState = z.record(z.string(), z.union([z.string(), z.int()]));
export type SecretState = z.output<typeof SecretState>;

const Line = z.strictObject({
  key: z.string().min(1),
  id: z.string().min(1),
  /** Whether this project created the resource. False if the resource was adopted. */
  made: z.boolean(),
  /**
   * Hash of the base file, without overlays and variables, to compare targets. Empty if only an overlay
   * exists.
   */
  source: z.string(),
  applied: z.record(z.string(), KeptHashes),
  secrets: z.record(z.string(), SecretState).optional(),
});
export type LockLine = z.output<typeof Line>;

const Header = z.strictObject({
  lock: z.literal(1),
  project: z.string(),
  base_url: z.string(),
  anchors: z.array(z.string()).default([]),
});

export interface Lock {
  project: string;
  base_url: string;
  /**
   * IDs of the oldest groups and assistants. They identify the organization, because all organizations of a
   * service have the same URL.
   */
  anchors: string[];
  lines: Map<string, LockLine>;
}

/**
 * @param file the file's name, for messages
 * @throws ConfigError with the line number
 */
export function parseLock(text: string, file: string): Lock {
  const fail = (line: number, reason: string): never => {
    throw new ConfigError(
      "config_invalid",
      `${file}, line ${line}: ${reason}`,
      "restore an earlier version with git, or delete the lock file and run `voxctl config adopt`",
    );
  };
  const [first = "", ...moreLines] = text.split(/\r?\n/);
  const header = Header.safeParse(jsonOf(first));
  if (!header.success) return fail(1, "unsupported format or version");
  const lines = new Map<string, LockLine>();
  for (const [index, line] of moreLines.entries()) {
    if (line === "") continue;
    if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) return fail(index + 2, "unresolved git conflict");
    const parsed = Line.safeParse(jsonOf(line));
    if (!parsed.success) return fail(index + 2, "invalid line");
    if (lines.has(parsed.data.key)) return fail(index + 2, `duplicate key ${parsed.data.key}`);
    lines.set(parsed.data.key, parsed.data);
  }
  const { project, base_url, anchors } = header.data;
  return { project, base_url, anchors, lines };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the text of a lock file: one line per resource, with sorted fields. */
export function lockText({ project, base_url, anchors, lines }: Lock): string {
  const sorted = [...lines.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
  const header = JSON.stringify({ lock: 1, project, base_url, anchors });
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

export function keptHashesOf(sent: string, returned: string, referenceKey: string | undefined): KeptHashes {
  return sent === returned && referenceKey !== undefined ? `@${referenceKey}` : [sent, returned];
}
