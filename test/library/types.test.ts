// The libraries' types are generated as text. In this file, the compiler compares each type with the
// contract's schema.
import { describe, expect, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { customers } from "../../src/contract/distributor/customers.js";
import type { distributorHealth } from "../../src/contract/distributor/health.js";
import type { licenses } from "../../src/contract/distributor/licenses.js";
import type { orgs } from "../../src/contract/distributor/orgs.js";
import type { partners } from "../../src/contract/distributor/partners.js";
import type { usage } from "../../src/contract/distributor/usage.js";
import type { legacy } from "../../src/contract/legacy/legacy.js";
import type { assistants } from "../../src/contract/public/assistants.js";
import type { calendars } from "../../src/contract/public/calendars.js";
import type { calls } from "../../src/contract/public/calls.js";
import type { contacts } from "../../src/contract/public/contacts.js";
import type { forwardings } from "../../src/contract/public/forwardings.js";
import type { glossary } from "../../src/contract/public/glossary.js";
import type { groups } from "../../src/contract/public/groups.js";
import type { knowledge } from "../../src/contract/public/knowledge.js";
import type { ping } from "../../src/contract/public/ping.js";
import type { prompts } from "../../src/contract/public/prompts.js";
import type { pronunciation } from "../../src/contract/public/pronunciation.js";
import type { recordings } from "../../src/contract/public/recordings.js";
import type { statistics } from "../../src/contract/public/statistics.js";
import type { tools } from "../../src/contract/public/tools.js";
import type { voices } from "../../src/contract/public/voices.js";
import { openEmulator } from "../../src/library/emulator.js";
import type { OperationBody, OperationData, OperationName, OperationQuery } from "../../src/library/types.js";

type Tables = typeof customers &
  typeof distributorHealth &
  typeof licenses &
  typeof orgs &
  typeof partners &
  typeof usage &
  typeof legacy &
  typeof assistants &
  typeof calendars &
  typeof calls &
  typeof contacts &
  typeof forwardings &
  typeof glossary &
  typeof groups &
  typeof knowledge &
  typeof ping &
  typeof prompts &
  typeof pronunciation &
  typeof recordings &
  typeof statistics &
  typeof tools &
  typeof voices;

type Schema<Name extends OperationName, Part extends string> =
  Tables[Name] extends Record<Part, infer Found> ? Found : undefined;
type Input<Name extends OperationName, Part extends string> =
  Schema<Name, Part> extends z.core.$ZodType ? z.input<Schema<Name, Part>> : undefined;
type Output<Name extends OperationName> =
  Schema<Name, "response"> extends z.core.$ZodType ? z.output<Schema<Name, "response">> : unknown;
type Row<Name extends OperationName> = Tables[Name]["responseShape"] extends "page" | "list"
  ? OperationData<Name> extends readonly (infer One)[]
    ? One
    : never
  : OperationData<Name>;

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Differing<Checks extends Record<OperationName, boolean>> = {
  [Name in OperationName]: Checks[Name] extends true ? never : Name;
}[OperationName];

type ResponseChecks = {
  [Name in OperationName]: Tables[Name]["responseShape"] extends "empty" | "binary"
    ? true
    : Same<Row<Name>, Output<Name>>;
};
type Sending = { [Name in OperationName]: Same<OperationBody<Name>, Input<Name, "body">> };
/** Numbers in a query are parsed from text, so their schemas accept any value. */
type Asking = {
  [Name in OperationName]: Schema<Name, "query"> extends undefined
    ? true
    : Same<Omit<OperationQuery<Name>, "limit">, Omit<Input<Name, "query">, "limit">>;
};

/** The contract checks header values in code, so the schemas of these operations accept any value. */
type Sharper = "assistants.create" | "assistants.update" | "tools.create" | "tools.update";

describe("the types of the libraries", () => {
  test("the libraries' types describe every operation as the contract does", () => {
    expectTypeOf<Differing<ResponseChecks>>().toBeNever();
    expectTypeOf<Differing<Sending>>().toEqualTypeOf<Sharper>();
    expectTypeOf<Differing<Asking>>().toEqualTypeOf<"statistics.usage">();
    expectTypeOf<OperationBody<Sharper>>().toExtend<Input<Sharper, "body">>();
  });

  test("the libraries' types require an operation's fields, and refuse unknown fields", async () => {
    await using emulator = await openEmulator({ seed: "demo" });
    const client = emulator.client();
    const { data } = await client.call("groups.list", { query: { type: "contacts", limit: 1 } });
    expectTypeOf(data[0]?.name).toEqualTypeOf<string | undefined>();
    expect(data).toHaveLength(1);
    // @ts-expect-error a group has a type
    await expect(client.call("groups.create", { body: { name: "Neu" } })).rejects.toMatchObject({
      status: 400,
    });
    // @ts-expect-error there is no such parameter
    await expect(client.call("contacts.get", { path: { id: "1" } })).rejects.toThrow();
    // @ts-expect-error a contact can't be read without its ID
    await expect(client.call("contacts.get")).rejects.toThrow();
    let rows = 0;
    for await (const { phone_numbers } of client.items("contacts.list"))
      rows += Math.min(phone_numbers.length, 1);
    expect(rows).toBeGreaterThan(10);
    expect((await emulator.client("viewer").call("ping")).data.ok).toBe(true);
    const copy = await emulator.fork();
    expect((await copy.client().call("orgs.tree")).status).toBe(200);
    await copy.close();
  });
});
