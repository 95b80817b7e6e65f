import { isFields } from "../../base/fields.js";
import { headersOf, isGroupOfItem, liveValue, specOf } from "./codec.js";
import type { Verdict } from "./compare.js";
import type { ObjectChange } from "./decision.js";
import type { ConfigObject } from "./folder/objects.js";
import type { FieldSpec, ResourceTypeName } from "./resource-types/resource-type.js";

type Body = Record<string, unknown>;

/** `{"$ref": 3}` stands for the ID of the resource that step 3 creates. */
export interface IdsOf {
  key(key: string): unknown;
  live(resourceType: ResourceTypeName, name: string): unknown;
  voice(name: string): unknown;
}

function secretPlaceholder(from: string): Body {
  return { $secret: from };
}

const webhook = "pre_call_webhook";

const equal: ReadonlySet<Verdict> = new Set(["in_sync", "agreed", "first_equal", "newly_equal"]);

/**
 * Returns the value with `$secret` references; the caller converts the names of resources and voices to IDs.
 */
function sentValue({ fields, sealed, spec }: ConfigObject, field: string): unknown {
  const { form, to } = specOf(spec, field) ?? {};
  const isName = form === "voice" || to !== undefined;
  return isName ? fields.get(field) : (sealed.get(field) ?? fields.get(field));
}

function headersBody(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isFields(inner) && typeof inner["from"] === "string" ? secretPlaceholder(inner["from"]) : inner,
    ]),
  );
}

/** Returns the body of a create request: all non-empty fields of the file. */
export function createBody(change: ObjectChange, ids: IdsOf): Body {
  const { object } = change;
  const body: Body = { ...object.spec.fixed };
  if (object.group !== undefined) body["group_id"] = ids.key(object.group);
  for (const [field, value] of object.fields)
    if (value !== null && !field.startsWith(`${webhook}.`))
      addField(body, specOf(object.spec, field), field, sentValue(object, field), ids);
  for (const { field, source } of change.secrets)
    if (!field.includes(".") && source !== null) body[field] = secretPlaceholder(source.from);
  if ([...object.fields.keys()].some((field) => field.startsWith(`${webhook}.`)))
    body[webhook] = webhookBody(change);
  return body;
}

export function updateBody(change: ObjectChange, ids: IdsOf): Body {
  const { object, sends, secrets } = change;
  const body: Body = {};
  for (const field of sends) {
    if (isGroupOfItem(object.spec, field)) body["group_id"] = ids.key(object.group ?? "");
    else if (!field.startsWith(`${webhook}.`))
      addField(body, specOf(object.spec, field), field, sentValue(object, field), ids);
  }
  const sent = secrets.filter(({ isSent }) => isSent);
  for (const { field } of sent) {
    const headers = headersOf(object.spec, field);
    if (headers !== undefined && !field.startsWith(`${webhook}.`))
      addField(body, headers, headers.name, sentValue(object, headers.name), ids);
  }
  for (const { field, source } of sent)
    if (!field.includes(".")) body[field] = source === null ? null : secretPlaceholder(source.from);
  const isAboutWebhook = (field: string) => field.startsWith(`${webhook}.`);
  if ([...sends].some(isAboutWebhook) || sent.some(({ field }) => isAboutWebhook(field)))
    body[webhook] = webhookBody(change);
  return body;
}

function addField(body: Body, spec: FieldSpec | undefined, field: string, value: unknown, ids: IdsOf): void {
  if (spec === undefined) {
    body[field.replace(/^extra\./, "")] = value;
    return;
  }
  body[spec.api] = value === null && spec.isNeverNull === true ? "" : apiValue(spec, value, ids);
}

function apiValue({ form, to, isHeaders }: FieldSpec, value: unknown, ids: IdsOf): unknown {
  if (isHeaders === true) return headersBody(value);
  if (form === "voice") return isFields(value) ? value["id"] : ids.voice(String(value));
  if (form === "name" && typeof value === "string") return value;
  // The API doesn't accept null for a list.
  if (form === "references" && value === null) return [];
  if (to === undefined || value === null) return value;
  const toId = (reference: unknown) =>
    isFields(reference) ? ids.live(to, String(reference["live"])) : ids.key(String(reference));
  return Array.isArray(value) ? value.map(toId) : toId(value);
}

/** The body always contains `enabled` and `url`; the service keeps other members that the body omits. */
function webhookBody({ object, record, action, sends, secrets, verdicts }: ObjectChange): Body {
  const isNew = action === "create" || action === "replace";
  const isSent = (field: string) => object.fields.has(field) && (isNew || sends.has(field));
  // Write an environment value as a reference even if it is unchanged, so that the plan doesn't contain it.
  const isSealed = (field: string) => object.sealed.has(field) && equal.has(verdicts.get(field) ?? "changed");
  const value = (field: string) =>
    isSent(field) || isSealed(field)
      ? sentValue(object, field)
      : (liveValue(record ?? {}, field) ?? sentValue(object, field) ?? null);
  const body: Body = { enabled: value(`${webhook}.enabled`) === true, url: value(`${webhook}.url`) };
  const isHeaderSent = secrets.some(
    (secret) => secret.isSent && secret.field.startsWith(`${webhook}.headers.`),
  );
  if (isSent(`${webhook}.headers`) || isHeaderSent)
    body["headers"] = headersBody(sentValue(object, `${webhook}.headers`));
  if (isSent(`${webhook}.auth`)) return { ...body, auth: null };
  const sentSecrets = secrets.filter(
    ({ isSent: isIt, field }) => isIt && field.startsWith(`${webhook}.auth.`),
  );
  const named = ["type", "username", "header_name"].filter((part) => isSent(`${webhook}.auth.${part}`));
  if (named.length === 0 && sentSecrets.length === 0) return body;
  const auth: Body = { type: value(`${webhook}.auth.type`) };
  for (const part of named) auth[part] = sentValue(object, `${webhook}.auth.${part}`);
  for (const { field, source } of sentSecrets)
    if (source !== null) auth[field.slice(field.lastIndexOf(".") + 1)] = secretPlaceholder(source.from);
  return { ...body, auth };
}
