// Tests of the CRM with vitest: with an emulator per test, or with a fork of one emulator.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, openEmulator } from "voxctl/emulator";
import { addCustomers } from "./crm.mjs";

const customers = [
  { firstName: "Ada", phone: "+4930111111" },
  { firstName: "Grace", phone: "+4930222222" },
];

/** The demo data, created once; each test forks it. */
let demo: Emulator;
beforeAll(async () => {
  demo = await openEmulator({ seed: "demo", clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
});
afterAll(() => demo.close());

async function prepare(emulator: Emulator) {
  const { base_url: baseUrl, keys } = emulator.startLine;
  const service = { baseUrl, key: keys.admin, fetch: emulator.fetch };
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${keys.admin}` };
    return (await emulator.fetch(new Request(baseUrl + path, { headers }))).json();
  };
  const groups = await get("/groups?type=contacts");
  return { service, get, groupId: groups.data[0].id };
}

test("adds customers to those of the practice", async () => {
  await using emulator = await demo.fork();
  const { service, get, groupId } = await prepare(emulator);
  expect(await addCustomers(service, groupId, customers)).toBe(2);
  const { data } = await get("/contacts?limit=200");
  expect(data.map((contact: { first_name: string }) => contact.first_name)).toContain("Grace");
});

test("refuses a read-only key and names the API rule", async () => {
  await using emulator = await demo.fork();
  const { service, groupId } = await prepare(emulator);
  const viewer = { ...service, key: emulator.startLine.keys.viewer };
  await expect(addCustomers(viewer, groupId, customers)).rejects.toThrow("failed with 403");
  const [last] = (await emulator.control("GET", "/requests")) as { rule: string }[];
  expect(last?.rule).toBe("public.auth.5");
});

test("serves other processes over HTTP", async () => {
  await using emulator = await openEmulator();
  const server = await emulator.listen({ port: 0 });
  const headers = { authorization: `Bearer ${emulator.startLine.keys.admin}` };
  const response = await fetch(`${server.url}/api/v1/ping`, { headers });
  expect(await response.json()).toMatchObject({ data: { ok: true } });
});
