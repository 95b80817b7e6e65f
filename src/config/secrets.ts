/** Secrets are found changed without being read back, and never written anywhere (S2, S3, S6). */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import type { SecretChange } from "./decision.js";
import type { SecretSource } from "./folder/objects.js";
import type { SecretState } from "./lock.js";

/** Keys that a committed fingerprint can't be guessed with offline (S2). */
const shortestKey = 40;
const legacyPrefix = "vak_";

/** Makes fingerprints of secrets for one API key and project; undefined where the key is too weak for them. */
export interface Fingerprints {
  /** Four hexadecimal digits by which fingerprints of this key are known. */
  tag: string;
  of(secret: string): string;
}

export function fingerprintsOf(apiKey: string, project: string): Fingerprints | undefined {
  if (apiKey.length < shortestKey || apiKey.startsWith(legacyPrefix)) return undefined;
  const key = Buffer.from(hkdfSync("sha256", apiKey, project, "voxctl-secret-fingerprint", 32));
  const tag = createHash("sha256").update(key).digest("hex").slice(0, 4);
  return { tag, of: (secret) => createHmac("sha256", key).update(secret).digest("hex").slice(0, 32) };
}

interface SecretInput {
  field: string;
  source: SecretSource | null;
  /** Undefined: its source holds nothing now. */
  value: string | undefined;
  state: SecretState | undefined;
  fingerprints: Fingerprints | undefined;
  /** The live thing's statement about it; undefined where it makes none. */
  isStored: boolean | undefined;
  /** The thing is created, or its kind of authentication changes: nothing is kept. */
  isFresh: boolean;
  rewrite: boolean;
}

/** S3: whether a secret is sent. */
export function judgeSecret(input: SecretInput): SecretChange {
  const { field, source, value, state = {}, fingerprints, isStored, isFresh, rewrite } = input;
  if (source === null)
    return { field, source, state: isStored === false ? "unchanged" : "cleared", isSent: isStored !== false };
  const unset =
    value === undefined
      ? { reason: `${source.from} is ${source.from.startsWith("env:") ? "unset" : "missing"}` }
      : {};
  const sent = (word: "new" | "changed"): SecretChange => ({
    field,
    source,
    state: value === undefined ? "unknown" : word,
    isSent: true,
    ...unset,
  });
  const kept = fingerprints === undefined ? undefined : state[fingerprints.tag];
  const isKnown = Object.keys(state).some((name) => name !== "version");
  const version = typeof state["version"] === "number" ? state["version"] : undefined;
  if (isFresh || isStored === false) return sent("new");
  if (rewrite) return sent("changed");
  const former = version ?? (isKnown ? 0 : undefined);
  if (source.version !== undefined && former !== undefined && source.version > former) return sent("changed");
  if (typeof kept === "string") {
    if (value === undefined) return { field, source, state: "unknown", isSent: false, ...unset };
    return fingerprints?.of(value) === kept
      ? { field, source, state: "unchanged", isSent: false }
      : sent("changed");
  }
  // Nothing is known of it, and nothing says that there is one.
  if (!isKnown && version === undefined && isStored === undefined) return sent("new");
  if (version !== undefined && source.version === version)
    return { field, source, state: "unchanged", isSent: false };
  // S4: another API key's fingerprint, or none, says nothing.
  const reason =
    fingerprints === undefined
      ? "the API key is too weak for fingerprints"
      : isKnown
        ? "another API key"
        : "it was never sent from here";
  return { field, source, state: "unknown", isSent: false, reason };
}

/** L1: a header that the service answers otherwise than it was sent, masked for instance. */
function returnedTag({ tag }: Fingerprints): string {
  return `${tag}~`;
}

interface HeaderInput extends Pick<SecretInput, "field" | "value" | "state" | "fingerprints"> {
  source: SecretSource;
  /** As the service answered it last; undefined where it has no such header. */
  shown: string | undefined;
}

/**
 * A header that is a secret: the service shows it, so that it is compared three ways, as fields are.
 * @returns `drift` where it was changed live since it was sent
 */
export function judgeHeader(input: HeaderInput): Omit<SecretChange, "isSent"> & {
  verdict: "in_sync" | "changed" | "drift" | "unknown";
} {
  const { field, source, value, shown, state = {}, fingerprints } = input;
  const buildResult = (verdict: "in_sync" | "changed" | "drift" | "unknown", reason?: string) => {
    const word = { in_sync: "unchanged", changed: "changed", drift: "changed", unknown: "unknown" } as const;
    return { field, source, verdict, state: word[verdict], ...(reason === undefined ? {} : { reason }) };
  };
  const isUnset = value === undefined;
  const missing = `${source.from} is ${source.from.startsWith("env:") ? "unset" : "missing"}`;
  const sent = fingerprints === undefined ? undefined : state[fingerprints.tag];
  const returned = fingerprints === undefined ? undefined : (state[returnedTag(fingerprints)] ?? sent);
  const isLiveChanged =
    typeof returned === "string" && shown !== undefined && fingerprints?.of(shown) !== returned;
  if (!isUnset && shown === value) return buildResult("in_sync");
  if (isLiveChanged)
    return buildResult("drift", isUnset ? missing : "it was changed live since the last apply");
  if (isUnset) return buildResult("unknown", missing);
  if (typeof sent === "string") return buildResult(fingerprints?.of(value) === sent ? "in_sync" : "changed");
  const version = typeof state["version"] === "number" ? state["version"] : 0;
  if (source.version !== undefined && state["version"] === source.version) return buildResult("in_sync");
  // S4: where answers mask it, nothing tells what another API key's fingerprint is of.
  const hasOtherKeyTag = Object.keys(state).some((name) => name !== "version");
  if (hasOtherKeyTag && (source.version ?? 0) <= version) return buildResult("unknown", "another API key");
  return buildResult("changed");
}

/** The lock's knowledge of a secret once it was sent, or confirmed: fingerprints of other keys are dropped. */
export function stateAfter(
  { version }: Pick<SecretSource, "version">,
  value: string,
  fingerprints: Fingerprints | undefined,
  shown?: string,
): SecretState {
  const isNormalized = shown !== undefined && shown !== value;
  return {
    ...(fingerprints === undefined ? {} : { [fingerprints.tag]: fingerprints.of(value) }),
    ...(fingerprints === undefined || !isNormalized
      ? {}
      : { [returnedTag(fingerprints)]: fingerprints.of(shown) }),
    ...(version === undefined ? {} : { version }),
  };
}
