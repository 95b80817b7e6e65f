/** Detects changed secrets by fingerprints in the lock file, because the service never returns secrets. */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import type { SecretChange } from "./decision.js";
import type { SecretSource } from "./folder/objects.js";
import type { SecretState } from "./lock.js";

/**
 * Minimum length of an API key. A shorter key would let attackers guess secrets from committed fingerprints.
 */
const shortestKey = 40;
const legacyPrefix = "vak_";

export interface Fingerprints {
  /** Four hexadecimal digits that identify the API key. */
  tag: string;
  of(secret: string): string;
}

/** @returns undefined if the API key is too short */
export function fingerprintsOf(apiKey: string, project: string): Fingerprints | undefined {
  if (apiKey.length < shortestKey || apiKey.startsWith(legacyPrefix)) return undefined;
  const key = Buffer.from(hkdfSync("sha256", apiKey, project, "voxctl-secret-fingerprint", 32));
  const tag = createHash("sha256").update(key).digest("hex").slice(0, 4);
  return { tag, of: (secret) => createHmac("sha256", key).update(secret).digest("hex").slice(0, 32) };
}

interface SecretInput {
  field: string;
  source: SecretSource | null;
  value: string | undefined;
  state: SecretState | undefined;
  fingerprints: Fingerprints | undefined;
  /** Whether the service stores a value. Undefined if responses don't show it. */
  isStored: boolean | undefined;
  /** True for a new resource or a new authentication type, for which the service has no stored value. */
  isFresh: boolean;
  rewrite: boolean;
}

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
  // Send the secret, because no data shows whether it was ever sent.
  if (!isKnown && version === undefined && isStored === undefined) return sent("new");
  if (version !== undefined && source.version === version)
    return { field, source, state: "unchanged", isSent: false };
  // The state contains no fingerprint for this API key, so voxctl can't detect a change of the secret.
  const reason =
    fingerprints === undefined
      ? "the API key is too short to create fingerprints of secrets"
      : isKnown
        ? "its fingerprint was made with another API key"
        : "never sent from this directory";
  return { field, source, state: "unknown", isSent: false, reason };
}

/**
 * Returns the name under which the returned value's fingerprint is stored. This fingerprint exists only if the
 * service changes the value, for example to mask it.
 */
function returnedTag({ tag }: Fingerprints): string {
  return `${tag}~`;
}

interface HeaderInput extends Pick<SecretInput, "field" | "value" | "state" | "fingerprints"> {
  source: SecretSource;
  shown: string | undefined;
}

/**
 * Compares a header's value in the file with its live and last applied values. The service returns headers,
 * unlike other secrets.
 * @returns `drift` if the live value changed since it was sent
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
    return buildResult("drift", isUnset ? missing : "changed in the organization since the last apply");
  if (isUnset) return buildResult("unknown", missing);
  if (typeof sent === "string") return buildResult(fingerprints?.of(value) === sent ? "in_sync" : "changed");
  const version = typeof state["version"] === "number" ? state["version"] : 0;
  if (source.version !== undefined && state["version"] === source.version) return buildResult("in_sync");
  // Compare fingerprints, because the response may mask the value. Fingerprints for another API key can't be
  // compared.
  const hasOtherKeyTag = Object.keys(state).some((name) => name !== "version");
  if (hasOtherKeyTag && (source.version ?? 0) <= version)
    return buildResult("unknown", "its fingerprint was made with another API key");
  return buildResult("changed");
}

/** Returns the state of a secret after it was sent or confirmed. Removes fingerprints for other API keys. */
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
