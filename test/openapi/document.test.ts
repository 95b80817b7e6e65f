import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operations } from "../../src/contract/contract.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as a stranger would
const document: any = JSON.parse(JSON.stringify(createOpenApiDocument(operations, "public", "/api/v1")));

interface Described {
  name: string;
  path: string;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  object: any;
}

const described: Described[] = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, object]) => ({ name: object.operationId, path, method, object })),
);
const published = Object.entries(operations).filter(([, operation]) => operation.api === "public");
const ofContract = described.filter(({ name }) => name in operations);

// biome-ignore lint/suspicious/noExplicitAny: as above
function resolved(value: any): any {
  if (typeof value?.$ref !== "string") return value;
  return value.$ref
    .slice(2)
    .split("/")
    .reduce((at: Record<string, unknown>, part: string) => at[part], document);
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: "document", components: document.components });

function problems(schema: object, value: unknown): unknown[] {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  const validate = ajv.compile(absolute);
  validate(value);
  return validate.errors ?? [];
}

interface Example {
  title: string;
  schema: object;
  value: unknown;
}

// Many operations share errors, so each error is a component.
const examples: Example[] = [
  ...Object.entries(document.components.responses).flatMap(([name, response]) => examplesIn(name, response)),
  ...ofContract.flatMap(({ name, object }) => [
    ...examplesIn(`${name}, request`, object.requestBody),
    ...Object.entries(object.responses).flatMap(([status, response]) =>
      Number(status) < 300 ? examplesIn(`${name}, ${status}`, response) : [],
    ),
    ...(object.parameters ?? [])
      .filter((parameter: { example?: unknown }) => parameter.example !== undefined)
      .map((parameter: { name: string; schema: object; example: unknown }) => ({
        title: `${name}, ${parameter.name}`,
        schema: parameter.schema,
        value: parameter.example,
      })),
  ]),
];

// biome-ignore lint/suspicious/noExplicitAny: as above
function examplesIn(title: string, message: any): Example[] {
  const content = message?.content?.["application/json"];
  return Object.entries<{ value: unknown }>(content?.examples ?? {}).map(([name, { value }]) => ({
    title: `${title}: ${name}`,
    schema: content.schema,
    value,
  }));
}

describe("the OpenAPI document", () => {
  it("[public.versioning.1] the document is valid OpenAPI 3.1 of version 1.6.0", async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.6.0"]);
  });

  it("the validator of the OpenAPI document refuses an invalid document", async () => {
    const { paths: _, ...otherParts } = structuredClone(document);
    const broken = { ...otherParts, paths: { "/ping": { get: { responses: { 200: {} } } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it("the OpenAPI document describes each operation of the Public API once, and no others", () => {
    const expected = published.map(([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`);
    expect(ofContract.map(({ name, method, path }) => `${name} ${method} ${path}`).sort()).toEqual(
      expected.sort(),
    );
    for (const { name, object } of described.filter(({ name }) => !(name in operations))) {
      expect([name, object.security]).toEqual([name, []]);
    }
  });

  it.each(ofContract)(
    "the OpenAPI document shows the statuses, permission, feature and bucket of $name",
    ({ name, object }) => {
      const operation = operations[name];
      const statuses = new Set([operation?.success, ...(operation?.errors ?? []), 401, 402, 429, 500]);
      if (operation?.permission) statuses.add(403);
      if (operation?.responseShape === "binary") statuses.add(206);
      expect(Object.keys(object.responses).map(Number).sort()).toEqual([...statuses].sort());
      expect(object["x-permission"] ?? null).toBe(operation?.permission);
      expect(object["x-feature"]).toEqual(["public_api", ...(operation?.feature ? [operation.feature] : [])]);
      expect(document["x-buckets"]).toHaveProperty(object["x-bucket"], {
        limit: { read: 1000, write: 200, outbound_trigger: 60 }[String(object["x-bucket"])],
        window_seconds: object["x-bucket"] === "outbound_trigger" ? 3600 : 60,
      });
    },
  );

  it("the OpenAPI document lists the headers of each response", () => {
    const limit = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
    const headersOf = (name: string, status: number) => {
      const response = resolved(
        described.find((description) => description.name === name)?.object.responses[status],
      );
      return Object.entries(response.headers)
        .map(([header, value]) => (resolved(value).required ? header : `${header}?`))
        .sort();
    };
    expect(headersOf("contacts.create", 201)).toEqual(limit);
    expect(headersOf("contacts.create", 401)).toEqual(["WWW-Authenticate", "X-Emulator-Rule"]);
    expect(headersOf("contacts.create", 402)).toEqual(["X-Emulator-Rule"]);
    expect(headersOf("contacts.create", 403)).toEqual(["X-Emulator-Rule", ...limit].sort());
    expect(headersOf("contacts.create", 429)).toEqual(
      ["Retry-After?", "X-Emulator-Rule", ...limit.map((header) => `${header}?`)].sort(),
    );
    expect(headersOf("calls.recording.get", 200)).toEqual(["Accept-Ranges", "ETag", ...limit].sort());
    expect(headersOf("calls.recording.get", 206)).toEqual(
      ["Accept-Ranges", "Content-Range", "ETag", ...limit].sort(),
    );
    expect(headersOf("calls.recording.get", 416)).toEqual(
      ["Accept-Ranges", "Content-Range", "X-Emulator-Rule", ...limit].sort(),
    );
  });

  it.each(ofContract)(
    "the OpenAPI document has an example of $name's request and of every JSON response",
    ({ object }) => {
      const messages = [object.requestBody, ...Object.values(object.responses).map(resolved)];
      for (const content of messages.map((message) => message?.content?.["application/json"])) {
        if (content) expect(Object.keys(content.examples ?? {})).not.toEqual([]);
      }
      for (const parameter of object.parameters ?? []) {
        if (parameter.required) expect([parameter.name, parameter.example]).not.toContain(undefined);
      }
    },
  );

  it.each(published.filter(([, operation]) => operation.body))(
    "the contract accepts the example body of %s",
    (name, operation) => {
      const body = examples.find(({ title }) => title.startsWith(`${name}, request:`))?.value;
      expect(operation.body && z.safeParse(operation.body, body).error).toBeUndefined();
    },
  );

  it("the example of a response shows each of its fields", () => {
    for (const { title, schema, value } of examples.filter(({ title }) => /, 20[01]:/.test(title))) {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const data = resolved((schema as any).properties?.data ?? resolved(schema).properties.data);
      const item = resolved(data.items) ?? data;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const shown = (value as any).data;
      const fields = Object.keys((Array.isArray(shown) ? shown[0] : shown) ?? {});
      expect([title, fields.sort()]).toEqual([title, Object.keys(item.properties ?? {}).sort()]);
    }
  });

  it("the OpenAPI schemas refuse bodies that the contract refuses", () => {
    const trigger = document.components.schemas.TriggerOutbound;
    const assistant_id = "65f0c0ffee65f0c0ffee0007";
    const [to, target_phone, assistant_phone] = ["+4915112345678", "+4915112345678", "+493221100001"];
    expect(problems(trigger, { assistant_id, to })).toEqual([]);
    expect(problems(trigger, { assistant_phone, target_phone })).toEqual([]);
    for (const body of [
      {},
      { to },
      { assistant_id },
      { assistant_id, assistant_phone, to },
      { assistant_id, to, target_phone },
      { assistant_id, to, extra: 1 },
    ]) {
      expect(problems(trigger, body)).not.toEqual([]);
    }
    const webhook = document.components.schemas.AssistantUpdate;
    expect(problems(webhook, { pre_call_webhook: { enabled: true } })).not.toEqual([]);
    expect(problems(webhook, { pre_call_webhook: { enabled: false } })).toEqual([]);
    expect(problems(webhook, { pre_call_webhook: null, phone_number: "+493221100001" })).not.toEqual([]);
  });

  it("the OpenAPI document has defaults only in descriptions", () => {
    const { ContactCreate } = document.components.schemas;
    expect(ContactCreate.required).toEqual(["group_id", "first_name"]);
    expect(ContactCreate.properties.emails).toMatchObject({
      description: expect.stringContaining("Default: `[]`."),
      "x-default": [],
    });
    const bodies = ofContract.flatMap(
      ({ object }) => object.requestBody?.content["application/json"].schema ?? [],
    );
    expect(JSON.stringify(bodies.map(resolved))).not.toContain('"default":');
  });

  it("each response has a schema, and each tag a description", () => {
    for (const { name, object } of described)
      for (const response of Object.values<object>(object.responses).map(resolved))
        for (const media of Object.values<object>(response.content ?? {}))
          expect([name, media]).toEqual([name, expect.objectContaining({ schema: expect.any(Object) })]);
    for (const { name, description } of document.tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
  });

  it("the OpenAPI document marks exactly the fields and operations that are assumed", () => {
    const { Contact, Assistant } = document.components.schemas;
    expect(Contact.properties.last_name).toEqual({
      type: "string",
      "x-assumed": "D-contact",
      description: "Assumed: D-contact.",
    });
    expect(Contact.properties.created_at["x-assumed"]).toBe("D-times");
    for (const documented of ["id", "group_id", "first_name", "phone_numbers"])
      expect(Contact.properties[documented]).not.toHaveProperty("x-assumed");
    expect(Assistant.properties.phone_number).toEqual({
      type: ["string", "null"],
      pattern: "^\\+\\d{6,20}$",
    });
    expect(document.components.schemas.Ping.properties.now).toEqual({ type: "string", format: "date-time" });
    expect(document.paths["/tools"].get["x-assumed"]).toBe("D-tool");
    expect(document.paths["/contacts"].get).not.toHaveProperty("x-assumed");
  });
});
