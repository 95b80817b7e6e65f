import { headerIn, headersOf, liveValue } from "./codec.js";
import type { ObjectChange, PlanOptions, SecretChange } from "./decision.js";
import type { FieldSpec } from "./resource-types/resource-type.js";
import { type Fingerprints, judgeHeader, judgeSecret } from "./secrets.js";

export interface SecretReader {
  read(from: string): Promise<string | undefined>;
  fingerprints: Fingerprints | undefined;
}

export async function judgeSecrets(
  changes: readonly ObjectChange[],
  reader: SecretReader,
  options: Pick<PlanOptions, "rewriteSecrets" | "drift">,
): Promise<ObjectChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.object.secrets.size === 0) return change;
      const { action, record, isAdopted, isRecreated } = change;
      // The resource was deleted or has no lock entry, so its secrets can't be sent.
      if (record === undefined && action === "none" && !isAdopted && !isRecreated) return change;
      const judged = await Promise.all(
        [...change.object.secrets].map(([field]) => judgeSecretField(change, field, reader, options)),
      );
      const drifted = judged.flatMap(({ secret, isDrift }) => (isDrift ? [secret.field] : []));
      const secrets = withWholeHeaders(
        change,
        judged.map(({ secret }) => secret),
      );
      const isSending = secrets.some(({ isSent }) => isSent);
      const verdicts = new Map([...change.verdicts, ...drifted.map((field) => [field, "drift"] as const)]);
      return {
        ...change,
        verdicts,
        secrets,
        action: action === "none" && isSending ? "update" : action,
      } satisfies ObjectChange;
    }),
  );
}

async function judgeSecretField(
  { object, line, record, action, sends }: ObjectChange,
  field: string,
  { read, fingerprints }: SecretReader,
  { rewriteSecrets: rewrite, drift }: Pick<PlanOptions, "rewriteSecrets" | "drift">,
): Promise<{ secret: SecretChange; isDrift: boolean }> {
  const source = object.secrets.get(field) ?? null;
  const common = {
    field,
    value: source === null ? undefined : await read(source.from),
    state: line?.secrets?.[field],
    fingerprints,
  };
  const isNew = action === "create" || action === "replace";
  const headers = headersOf(object.spec, field);
  const shown = headers === undefined ? undefined : headerIn(record ?? {}, headers, field);
  if (headers !== undefined && source !== null && shown !== undefined && !isNew && !rewrite) {
    const { verdict, ...secret } = judgeHeader({ ...common, source, shown });
    const isSent = verdict === "changed" || (verdict === "drift" && drift === "overwrite");
    return { secret: { ...secret, isSent }, isDrift: verdict === "drift" };
  }
  const isFresh = isNew || headers !== undefined || sends.has("pre_call_webhook.auth.type");
  const secret = judgeSecret({ ...common, source, isStored: isStored(field, record), isFresh, rewrite });
  return { secret, isDrift: false };
}

/** Also sends the other secret headers, because the API replaces all headers at once. */
function withWholeHeaders({ object, sends }: ObjectChange, secrets: readonly SecretChange[]): SecretChange[] {
  const isSent = (headers: FieldSpec) =>
    sends.has(headers.name) ||
    secrets.some((secret) => secret.isSent && headersOf(object.spec, secret.field) === headers);
  return secrets.map((secret) => {
    const headers = headersOf(object.spec, secret.field);
    return headers !== undefined && isSent(headers) ? { ...secret, isSent: true } : secret;
  });
}

/** Returns whether the service stores a secret, according to a field such as `has_secret`. */
function isStored(field: string, record: Readonly<Record<string, unknown>> | undefined): boolean | undefined {
  if (record === undefined) return undefined;
  const dot = field.lastIndexOf(".");
  const holder = dot === -1 ? record : liveValue(record, field.slice(0, dot));
  if (holder === null || holder === undefined) return false;
  const mark = liveValue(record, `${field.slice(0, dot + 1)}has_${field.slice(dot + 1)}`);
  return typeof mark === "boolean" ? mark : undefined;
}
