import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestEmulator, type Reply, type TestEmulator } from "../helpers/test-emulator.js";
import { corruptBody, createArbitrary, type Schema, secretMark } from "./arbitrary.js";

/** Number of requests per operation. `FUZZ_SEED=random` selects other requests in each run. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? (process.env["PROOF"] ? 1_000 : 12));
const chosenSeed = process.env["FUZZ_SEED"];
const seed = chosenSeed === "random" ? undefined : Number(chosenSeed ?? 9);

interface Described {
  operation: string;
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the document is read as a stranger would
  object: any;
}

let emulator: TestEmulator;
// biome-ignore lint/suspicious/noExplicitAny: as above
let document: any;
let described: Described[];
const ids = new Map<string, Set<string>>();
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  const plenty = { read: 1e9, write: 1e9, outbound_trigger: 1e9 };
  emulator = await openTestEmulator("in process", { seed: "demo", limits: plenty });
  document = (await emulator.ask("GET", "/openapi.json")).body;
  ajv.addSchema({ $id: "document", components: closed(document.components) });
  described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, object]) => ({
      operation: object.operationId,
      method: method.toUpperCase(),
      path,
      object,
    })),
  );
  for (const { method, path } of described) {
    if (method === "GET" && !path.includes("{") && !path.startsWith("/openapi") && path !== "/docs") {
      const { data } = (await emulator.ask("GET", path)).body;
      if (Array.isArray(data)) harvest(path, data);
    }
  }
});
afterAll(() => emulator.close());

/** Returns the schema in a form that refuses fields that the document does not list. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOpen = "additionalProperties" in inner || "allOf" in inner || "$ref" in inner;
  return inner["type"] === "object" && "properties" in inner && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}

function harvest(path: string, rows: readonly Readonly<Record<string, unknown>>[]): void {
  const collection = path.split("/")[1] ?? "";
  for (const row of rows.slice(0, 40)) {
    // A field refers only to groups or prompts of a single type, so IDs are also stored by type.
    for (const name of [collection, `${collection}:${String(row["type"] ?? row["kind"])}`]) {
      ids.set(name, (ids.get(name) ?? new Set()).add(String(row["id"])));
    }
    const phone = row["phone_number"];
    if (collection === "assistants") ids.set("phones", (ids.get("phones") ?? new Set()).add(String(phone)));
  }
}

const collections: Readonly<Record<string, string>> = {
  group_id: "groups",
  knowledge_group_id: "groups:knowledges",
  glossary_group_id: "groups:glossaries",
  pronunciation_group_id: "groups:pronunciations",
  forwarding_group_id: "groups:forwardings",
  contact_id: "contacts",
  knowledge_item_id: "knowledge-items",
  email_prompt_id: "prompts:email",
  voice_id: "voices",
  assistant_id: "assistants",
  forwarding_id: "forwardings",
  glossary_id: "glossary",
  pronunciation_id: "pronunciation",
  calendar_id: "calendars",
  call_id: "calls",
  tool_id: "tools",
  assistant_phone: "phones",
};
const groupTypes: Readonly<Record<string, string>> = {
  contacts: "contacts",
  "knowledge-items": "knowledges",
  forwardings: "forwardings",
  glossary: "glossaries",
  pronunciation: "pronunciations",
};

function sourceFor(path: string) {
  const collection = path.split("/")[1] ?? "";
  const ofItems = { group_id: `groups:${groupTypes[collection]}` };
  const here: Readonly<Record<string, string>> = {
    ...collections,
    ...(collection in groupTypes && ofItems),
    prompt_id: path === "/assistants" ? "prompts:answering" : "prompts",
  };
  return { idsFor: (name: string) => [...(ids.get(here[name] ?? "") ?? [])], resolve: resolved };
}

function resolved(schema: Schema): Schema {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const target = reference
    .slice(2)
    .split("/")
    .reduce((at: Record<string, never>, part) => at[part] ?? {}, document);
  return resolved(target);
}

const anyKey = fc.oneof(
  { weight: 12, arbitrary: fc.constant("admin") },
  { weight: 1, arbitrary: fc.constantFrom("viewer", "caller", "legacy", "distributor_v1", "nobody") },
);

interface Sent {
  target: string;
  key: string;
  body?: unknown;
  raw?: string;
  type?: string;
}

function requestsOf({ path, object }: Described): fc.Arbitrary<Sent> {
  const source = sourceFor(path);
  const parameters: { name: string; in: string; required?: boolean; schema: Schema }[] = (
    object.parameters ?? []
  ).map(resolved);
  const texts = (schema: Schema, name: string, odd: readonly string[]) =>
    fc.oneof(
      { weight: 9, arbitrary: createArbitrary(source, schema, name).map(String) },
      { weight: 1, arbitrary: fc.constantFrom(...odd) },
    );
  // A path segment is never empty, because the path would be a different one.
  const oddSegments = ["nonsense", "%00", "-1", "0".repeat(24), "ä", "a/b"];
  const oddValues = ["", "nonsense", "%00", "-1", "1e3", "0".repeat(24), "ä", "all"];
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const names = fc.record(
    Object.fromEntries(inPath.map(({ name, schema }) => [name, texts(schema, name, oddSegments)])),
  );
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, texts(schema, name, oddValues)])),
    { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
  );
  const content = resolved(object.requestBody ?? {})["content"] as
    | Record<string, { schema: Schema }>
    | undefined;
  const schema = content?.["application/json"]?.schema;
  const right = schema ? createArbitrary(source, schema) : undefined;
  const body = right
    ? fc.oneof(
        { weight: 8, arbitrary: fc.record({ body: right }) },
        { weight: 8, arbitrary: fc.record({ body: corruptBody(right) }) },
        { weight: 1, arbitrary: fc.record({ raw: fc.constantFrom("{", "", "[]", '"x"', '{"a":1,}') }) },
        {
          weight: 1,
          arbitrary: fc.record({ body: right, type: fc.constantFrom("text/plain", "application/xml") }),
        },
      )
    : fc.constant({});
  return fc.tuple(anyKey, names, query, fc.nat(4), body).map(([key, inside, drawn, rarely, sent]) => {
    // The service always refuses an unknown cursor, so most requests have no cursor.
    const { cursor, ...search } = drawn as Record<string, string>;
    if (rarely === 0 && cursor !== undefined) search["cursor"] = cursor;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inside[name])));
    const queryString = new URLSearchParams(search).toString();
    return { key, target: queryString === "" ? filled : `${filled}?${queryString}`, ...sent };
  });
}

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

function objections({ operation, object }: Described, reply: Reply): unknown[] {
  const response = object.responses[String(reply.status)];
  if (!response) return [`the document has no ${reply.status}`];
  const { content, headers } = resolved(response) as {
    content?: Record<string, { schema?: Schema }>;
    headers?: Record<string, Schema>;
  };
  const missing = Object.entries(headers ?? {})
    .filter(([name, header]) => resolved(header)["required"] === true && !reply.headers.has(name))
    .map(([name]) => `no header ${name}`);
  const type = reply.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = content?.[type]?.schema;
  if (content && !(type in content)) return [...missing, `the document has no ${type}`];
  if (!schema || type !== "application/json") return missing;
  const name = `${operation} ${reply.status}`;
  const absolute = () => JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/'));
  const validate = validators.get(name) ?? ajv.compile(absolute());
  validators.set(name, validate);
  return validate(reply.body) ? missing : [...missing, ...(validate.errors ?? [])];
}

// plain-words: allow title-long
it("[public.errors.6 property] [public.webhook.secrets property] [public.tool.secret property] [D-docs property] random requests get documented responses", async () => {
  const statuses = new Map<string, Set<number>>();
  const keys: Record<string, string> = emulator.keys;
  await emulator.instance.snapshot("start");
  for (const [index, operationCase] of described.entries()) {
    await emulator.instance.restore("start");
    const seen = new Set<number>();
    statuses.set(operationCase.operation, seen);
    const chosen = seed === undefined ? {} : { seed: seed + index };
    // Requests of an operation without parameters differ only by key.
    const varies =
      operationCase.path.includes("{") || operationCase.object.parameters || operationCase.object.requestBody;
    // Random calls are rarely valid, so `calls.create` gets more requests.
    const runs = operationCase.operation === "calls.create" ? Math.max(numRuns, 30) : numRuns;
    const sample = { numRuns: varies ? runs : Math.ceil(runs / 4), ...chosen };
    for (const sent of fc.sample(requestsOf(operationCase), sample)) {
      // Advance the clock so that calls progress and cooldowns end.
      if (operationCase.path === "/calls") await emulator.advance(61);
      const reply = await emulator.ask(operationCase.method, sent.target, {
        key: keys[sent.key] ?? sent.key,
        ...(sent.raw !== undefined && { raw: sent.raw }),
        ...(sent.body !== undefined && { body: sent.body }),
        ...(sent.type !== undefined && { headers: { "content-type": sent.type } }),
      });
      const requestText = `${operationCase.method} ${sent.target} ${JSON.stringify(sent.body ?? sent.raw)} (${sent.key})`;
      const responseText = new TextDecoder().decode(reply.bytes.subarray(0, 4_000));
      expect(reply.status, `${requestText}: ${responseText}`).not.toBe(500);
      expect(objections(operationCase, reply), `${requestText}: ${responseText}`).toEqual([]);
      expect(responseText.includes(secretMark), `${requestText}: ${responseText}`).toBe(false);
      seen.add(reply.status);
    }
  }
  if (seed === undefined) return;
  // Each operation succeeded at least once. Each status occurred, except those that only races can cause.
  const never = [...statuses].filter(([, seen]) => ![...seen].some((status) => status < 300));
  expect(never.map(([operation]) => operation)).toEqual([]);
  expect(new Set([...statuses.values()].flatMap((seen) => [...seen]))).toEqual(
    new Set([200, 201, 400, 401, 403, 404, 409]),
  );
}, 1_800_000);
