import fc from "fast-check";
import { expect, it } from "vitest";
import { unknownId } from "../helpers/records.js";
import { testOnTransports } from "../helpers/test-emulator.js";

const numRuns = process.env["PROOF"] ? 5_000 : 300;
/** `fc.webQueryParameters` would take a second to initialize. */
const queryPart = fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@/?", "%20", "%C3%BC", "%00");

function requests(goodIds: readonly string[]) {
  const id = fc.oneof(
    fc.constantFrom(...goodIds, unknownId),
    fc.constantFrom("none", "%00", "%E0%A4%A", "..%2f", "__proto__"),
    fc.stringMatching(/^[a-f0-9]{24}$/),
  );
  const path = fc.oneof(
    fc.constantFrom("/ping", "/contacts", "/groups", "/nowhere", "//", "/contacts/", "/openapi"),
    id.map((value) => `/contacts/${value}`),
    id.map((value) => `/groups/${value}`),
    id.map((value) => `/groups/${value}/more`),
  );
  const query = fc.oneof(
    fc.constant(""),
    fc.constantFrom(
      "?limit=0",
      "?limit=2",
      "?cursor=abc",
      "?type=none",
      "?group_id=x",
      "?limit=%",
      "?&&=&",
      "?a[]=1",
    ),
    fc.string({ unit: queryPart, maxLength: 20 }).map((text) => `?${text}`),
  );
  const body = fc.oneof(
    fc.constant(undefined),
    fc.json(),
    fc.constantFrom(
      '{"type":"contacts","name":"Default"}',
      '{"name":"N"}',
      `{"group_id":"${unknownId}","first_name":"A"}`,
      "{",
      "",
    ),
    fc
      .record({ type: fc.constantFrom("contacts", "none"), name: fc.string({ maxLength: 5 }) })
      .map((value) => JSON.stringify(value)),
  );
  const create = fc.constantFrom("Default", "New", "Newer").map((name) => ({
    method: "POST",
    target: "/groups",
    key: "admin",
    type: "application/json",
    body: JSON.stringify({ type: "contacts", name }),
  }));
  const any = fc.record({
    method: fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"),
    target: fc.tuple(path, query).map(([first, second]) => first + second),
    key: fc.constantFrom(
      "admin",
      "admin",
      "admin",
      "admin",
      "viewer",
      "legacy",
      "distributor_v1",
      "wrong",
      "none",
    ),
    type: fc.constantFrom(
      "application/json",
      "application/json",
      "application/json",
      "text/plain",
      "application/json; charset=utf-8",
    ),
    body,
  });
  return fc.oneof({ weight: 15, arbitrary: any }, { weight: 1, arbitrary: create });
}

testOnTransports("the header that names an API rule", (open) => {
  it("[emulator.explain property] every response with status 400 or above names its API rule", async () => {
    await using emulator = await open({ limits: { write: 20, read: 30 } });
    const rules = /^(public|v1|v2|dist|legacy|emulator|mirror)\.[a-z0-9.-]+$|^D-[a-z0-9-]+$/;
    const groups = (await emulator.ask("GET", "/groups")).body.data.map((group: { id: string }) => group.id);
    const seen = new Set<number>();
    const property = fc.asyncProperty(requests(groups), async ({ method, target, key, type, body }) => {
      const keys: Record<string, string> = emulator.keys;
      const reply = await emulator.ask(method, target, {
        key: key === "none" ? null : (keys[key] ?? key),
        headers: { "content-type": type },
        ...(body !== undefined && method !== "GET" && { raw: body }),
      });
      seen.add(reply.status);
      if (reply.status >= 400) {
        expect(reply.headers.get("x-emulator-rule")).toMatch(rules);
        expect(reply.body.error.details).toBeInstanceOf(Array);
        expect(reply.status).not.toBe(500);
      } else {
        expect(reply.headers.has("x-emulator-rule")).toBe(false);
        expect(reply.body.data).toBeInstanceOf(Object);
      }
    });
    await fc.assert(property, { seed: 4010, numRuns });
    expect([...seen].sort()).toEqual([200, 201, 400, 401, 403, 404, 409, 429]);
  });
});
