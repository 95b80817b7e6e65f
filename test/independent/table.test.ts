import { describe, expect, it } from "vitest";
import * as z from "zod";
import { systemRandom } from "../../src/base/random.js";
import type { Transport } from "../../src/base/transport.js";
import { createClient } from "../../src/client/client.js";
import { apis } from "../../src/contract/apis.js";
import { documentedOnly } from "../../src/contract/assumed.js";
import { operations } from "../../src/contract/contract.js";
import type { Operation, Schema } from "../../src/contract/operation.js";
import { ImmutableGroup } from "../../src/contract/primitives-items.js";
import type { OperationName } from "../../src/contract/wire.js";
import { openTestEmulator } from "../helpers/test-emulator.js";
import { collectResponses } from "./collect-responses.js";
import { type ApiTable, parseNames, parseRequired, type Row, tables } from "./table.js";

const rows = tables.flatMap((table) => table.rows.map((row) => ({ table, row, name: row.operation })));

function operationOf(name: string): Operation {
  const operation = operations[name];
  if (!operation) throw new Error(`the contract has no ${name}`);
  return operation;
}

/** Returns the object schemas in a schema. A union has several. */
function objectsOf(schema: Schema): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option: Schema) => objectsOf(option));
  if (schema instanceof z.ZodPipe) return objectsOf(schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return objectsOf(schema.unwrap());
  throw new Error(`no object: ${schema.constructor.name}`);
}

/** Returns whether a request can contain a field. A change of an item's group is always refused. */
function canBeSent(field: Schema): boolean {
  return !(field instanceof z.ZodOptional && field.unwrap() === ImmutableGroup);
}

function fieldsOf(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const names = objectsOf(schema).flatMap((object) =>
    Object.entries<Schema>(object.shape).flatMap(([name, field]) => (canBeSent(field) ? [name] : [])),
  );
  return [...new Set(names)].sort();
}

function requiredFieldsOf(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const members = objectsOf(schema).map((object) =>
    Object.entries<Schema>(object.shape)
      .filter(([, field]) => !z.safeParse(field, undefined).success)
      .map(([name]) => name),
  );
  return (members[0] ?? []).filter((name) => members.every((member) => member.includes(name))).sort();
}

/**
 * Returns the error statuses of an operation. In the Public API ("Endpoints"), a query, a body or an ID in
 * the path can cause a 400. An ID can also cause a 404. Rows of the distributor and legacy APIs list all
 * their statuses.
 */
function statusesOf(table: ApiTable, row: Row): number[] {
  const statuses = new Set(row.also);
  if (table.api === "public") {
    if (row.query !== undefined || row.body !== undefined || row.request.includes("{")) statuses.add(400);
    if (row.request.includes("{")) statuses.add(404);
  }
  return [...statuses].sort();
}

describe("the contract compared with the independent table", () => {
  it("[public.endpoints.crud] the contract has exactly the operations in the documents", () => {
    expect(Object.keys(operations).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it("each API has the documented base path and the documented common error statuses", () => {
    for (const { api, basePath } of tables) expect(apis[api].basePath).toBe(basePath);
    expect([...apis.public.commonErrors].sort()).toEqual([401, 402, 403, 429, 500]);
    for (const name of ["distributor-v1", "distributor-v2"] as const) {
      expect([...apis[name].commonErrors].sort()).toEqual([401, 403, 429, 500, 503]);
    }
    expect([...apis.legacy.commonErrors].sort()).toEqual([401, 402, 429, 500]);
  });

  it.each(rows)(
    "the contract's $name has the documented method, path, statuses and fields",
    ({ table, row }) => {
      const operation = operationOf(row.operation);
      expect({
        surface: operation.api,
        request: `${operation.method} ${operation.path}`,
        success: operation.success,
        answer: operation.responseShape,
        errors: [...operation.errors].sort(),
        query: fieldsOf(operation.query),
        requiredQuery: requiredFieldsOf(operation.query),
        body: fieldsOf(operation.body),
        requiredBody: requiredFieldsOf(operation.body),
        response:
          operation.responseShape === "empty" || operation.responseShape === "binary"
            ? []
            : fieldsOf(operation.response),
      }).toEqual({
        surface: table.api,
        request: row.request,
        success: row.success,
        answer: row.responseType,
        errors: statusesOf(table, row),
        query: parseNames(row.query),
        requiredQuery: parseRequired(row.query),
        body: parseNames(row.body),
        requiredBody: parseRequired(row.body),
        response: parseNames(row.response),
      });
    },
  );

  it.each(rows)("$name: the client requires only documented fields", ({ row }) => {
    const operation = operationOf(row.operation);
    for (const [schema, fields] of [
      [operation.query, row.query],
      [operation.body, row.body],
    ] as const) {
      if (!schema || fields === undefined) continue;
      const requiredNames =
        z.safeParse(documentedOnly(schema), {}).error?.issues.map(({ path }) => path[0]) ?? [];
      const documented = parseRequired(fields.split("|")[0]);
      expect(requiredNames.filter((name) => !documented.includes(String(name)))).toEqual([]);
    }
  });
});

describe("the emulator compared with the independent table", () => {
  it("the emulator's response to each operation has the documented status, type and fields", async () => {
    await using emulator = await openTestEmulator("in process", {
      limits: { distributor: 1000, write: 1000 },
    });
    const responses = await collectResponses(emulator);
    expect([...responses.keys()].sort()).toEqual(rows.map(({ name }) => name).sort());
    for (const { table, row } of rows) {
      const reply = responses.get(row.operation);
      if (!reply) throw new Error(`no request for ${row.operation}`);
      expect([row.operation, reply.status]).toEqual([row.operation, row.success]);
      if (row.responseType === "binary") {
        expect(reply.body).toBeUndefined();
        continue;
      }
      expect({ operation: row.operation, ...shapeOf(table, row, reply.body) }).toEqual({
        operation: row.operation,
        envelope: envelopeOf(table, row),
        fields: parseNames(row.response),
      });
    }
  });

  it("[D-method refuses] every other method on the documented paths is refused", async () => {
    await using emulator = await openTestEmulator("in process");
    for (const table of tables) {
      // `/organizations/tree` also matches `/organizations/{organizationId}`.
      const known = table.rows.map((row) => new RegExp(`^${row.request.replace(/\{\w+\}/g, "[^/]+")}$`));
      for (const path of new Set(table.rows.map((row) => row.request.split(" ")[1] ?? ""))) {
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
          if (known.some((pattern) => pattern.test(`${method} ${path}`))) continue;
          const reply = await emulator.askHost(
            method,
            table.basePath + path.replace(/\{\w+\}/g, "0123456789abcdef01234567"),
          );
          expect([method, path, reply.status, reply.headers.get("x-emulator-rule")]).toEqual([
            method,
            path,
            404,
            "D-method",
          ]);
        }
      }
    }
  });
});

function envelopeOf({ api }: ApiTable, { responseType }: Row): string[] {
  if (responseType === "bare") return [];
  const outer = api === "public" ? ["data"] : ["data", "status"];
  if (responseType !== "page") return outer;
  return [
    ...outer,
    ...(api === "public" ? ["meta.has_more", "meta.next_cursor"] : ["meta.hasMore", "meta.nextCursor"]),
  ].sort();
}

function shapeOf(_table: ApiTable, { responseType }: Row, body: Record<string, unknown>) {
  if (responseType === "bare") return { envelope: [], fields: Object.keys(body).sort() };
  const { meta, data, ...otherMembers } = body;
  const envelope = [
    "data",
    ...Object.keys(otherMembers),
    ...Object.keys(meta ?? {}).map((name) => `meta.${name}`),
  ].sort();
  const rowsOfData = Array.isArray(data) ? data : [data];
  if (rowsOfData.length === 0) throw new Error("a list that is to show its rows is empty");
  const shapes = new Set(rowsOfData.map((row) => Object.keys(row).sort().join(" ")));
  return { envelope, fields: [...shapes].flatMap((shape) => shape.split(" ")).filter((name) => name !== "") };
}

describe("the client compared with the independent table", () => {
  const host = "https://service.example";
  const key = "k".repeat(43);

  it.each(rows)(
    "the client's $name sends the documented method and path, and returns only the data",
    async ({ table, row }) => {
      const sent: string[] = [];
      const data = row.responseType === "page" || row.responseType === "list" ? [{ id: "1" }] : { id: "1" };
      const transport: Transport = async (url, request) => {
        sent.push(`${request.method} ${url}`);
        const text = JSON.stringify(row.responseType === "bare" ? data : { data, status: "success" });
        return {
          status: row.success,
          headers: { "content-type": "application/json" },
          text: async () => text,
          body: (async function* () {
            yield Buffer.from(text);
          })(),
        };
      };
      const target = { baseUrl: host + table.basePath, key };
      const client = createClient({
        targets: { [table.api]: target },
        transport,
        clock: { now: () => 0, sleep: async () => undefined },
        random: systemRandom(),
      });
      const parameters = [...row.request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
      const response = await client.call(row.operation as OperationName, {
        path: Object.fromEntries(parameters.map((name, index) => [name, `value-${index}`])),
        ...(row.body !== undefined && { body: {} }),
      });
      const [method, path = ""] = row.request.split(" ");
      let index = -1;
      const filled = path.replace(/\{\w+\}/g, () => {
        index += 1;
        return `value-${index}`;
      });
      expect(sent).toEqual([`${method} ${host}${table.basePath}${filled}`]);
      if (row.responseType !== "binary") expect(response.data).toEqual(data);
    },
  );
});
