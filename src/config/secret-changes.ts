/** The secrets of every declared thing: whether each is sent. */
import { liveValue } from "./codec.js";
import type { ObjectChange, SecretChange } from "./decision.js";
import { type Fingerprints, judgeSecret } from "./secrets.js";

/** Reads secrets from where files say that they are. */
export interface SecretReader {
  /** Undefined where there is none. */
  read(from: string): Promise<string | undefined>;
  fingerprints: Fingerprints | undefined;
}

export async function judgeSecrets(
  changes: readonly ObjectChange[],
  reader: SecretReader,
  rewrite: boolean,
): Promise<ObjectChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.object.secrets.size === 0) return change;
      const { action, record, isAdopted, isReborn } = change;
      // Nothing is known of what can't be told apart, and nothing is sent to it.
      if (record === undefined && action === "none" && !isAdopted && !isReborn) return change;
      const secrets = await Promise.all(
        [...change.object.secrets].map(([field]) => judgeOne(change, field, reader, rewrite)),
      );
      const isSending = secrets.some(({ isSent }) => isSent);
      return {
        ...change,
        secrets,
        action: action === "none" && isSending ? "update" : action,
      } satisfies ObjectChange;
    }),
  );
}

async function judgeOne(
  { object, line, record, action, sends }: ObjectChange,
  field: string,
  { read, fingerprints }: SecretReader,
  rewrite: boolean,
): Promise<SecretChange> {
  const source = object.secrets.get(field) ?? null;
  return judgeSecret({
    field,
    source,
    value: source === null ? undefined : await read(source.from),
    state: line?.secrets?.[field],
    fingerprints,
    isStored: isStored(field, record),
    isFresh: action === "create" || action === "replace" || sends.has("pre_call_webhook.auth.type"),
    rewrite,
  });
}

/** The statement of a live thing about a secret that it does not show: `secret` has `has_secret` beside it. */
function isStored(field: string, record: Readonly<Record<string, unknown>> | undefined): boolean | undefined {
  if (record === undefined) return undefined;
  const dot = field.lastIndexOf(".");
  const holder = dot === -1 ? record : liveValue(record, field.slice(0, dot));
  if (holder === null || holder === undefined) return false;
  const mark = liveValue(record, `${field.slice(0, dot + 1)}has_${field.slice(dot + 1)}`);
  return typeof mark === "boolean" ? mark : undefined;
}
