// Tests of the CRM with Node's own runner: node --test docs/examples/crm-node.mjs
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openEmulator } from "voxctl/emulator";
import { addCustomers } from "./crm.mjs";

const customers = [
  { firstName: "Ada", phone: "+4930111111" },
  { firstName: "Grace", phone: "+4930222222" },
];

describe("adding customers", () => {
  let emulator;
  let service;
  let groupId;

  before(async () => {
    emulator = await openEmulator({ clock: "virtual" });
    const { base_url: baseUrl, keys } = emulator.startLine;
    const wait = (seconds) => emulator.control("PATCH", "/clock", { advance_seconds: seconds });
    service = { baseUrl, key: keys.admin, fetch: emulator.fetch, wait };
    groupId = (await get("/groups?type=contacts")).data[0].id;
    await emulator.snapshot("clean");
  });
  // Restoring a snapshot is cheaper than opening an emulator for each test.
  beforeEach(() => emulator.restore("clean"));
  after(() => emulator.close());

  async function get(path) {
    const headers = { authorization: `Bearer ${service.key}` };
    return (await emulator.fetch(new Request(service.baseUrl + path, { headers }))).json();
  }

  it("creates each customer once", async () => {
    assert.equal(await addCustomers(service, groupId, customers), 2);
    assert.equal(await addCustomers(service, groupId, customers), 0);
    assert.equal((await get("/contacts")).data.length, 2);
  });

  it("waits for the rate limit", async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      firstName: `Nr. ${index}`,
      phone: `+4930${100000 + index}`,
    }));
    const started = (await emulator.control("GET", "/clock")).now;
    assert.equal(await addCustomers(service, groupId, many), 250);
    const ended = (await emulator.control("GET", "/clock")).now;
    // 200 writes a minute, on the emulator's clock.
    assert.equal(Date.parse(ended) - Date.parse(started), 60_000);
  });

  it("creates no customer twice after a lost response", async () => {
    await emulator.control("POST", "/faults", { kind: "drop_after", operation: "contacts.create", times: 1 });
    await assert.rejects(addCustomers(service, groupId, customers), /fetch failed/);
    assert.equal(await addCustomers(service, groupId, customers), 1);
    assert.equal((await get("/contacts")).data.length, 2);
  });
});
