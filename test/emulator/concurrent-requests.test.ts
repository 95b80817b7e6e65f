import { describe, expect, it } from "vitest";
import { createAssistant } from "../helpers/assistants.js";
import {
  createCustomer,
  createMsp,
  distributorV2,
  readLicenseStates,
  readOrganization,
} from "../helpers/distributor.js";
import { type Reply, testOnBothTransports } from "../helpers/test-emulator.js";

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
const times = <T>(count: number, ask: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));

testOnBothTransports("many concurrent clients", (open) => {
  describe("rate limits", () => {
    // plain-words: allow title-long
    it("[public.limits.read holds refuses concurrency] [public.limits.per-key holds refuses concurrency] a key never exceeds its rate limit", async () => {
      await using emulator = await open({ limits: { read: 20 } });
      const replies = await times(60, (index) =>
        emulator.ask("GET", "/contacts", {
          key: index % 2 === 0 ? emulator.keys.admin : emulator.keys.viewer,
        }),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(40);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
    });

    it("[public.limits.read holds refuses] [public.errors.2a holds refuses] a 4th read returns 429", async () => {
      await using emulator = await open({ limits: { read: 3 } });
      for (const left of ["2", "1", "0"]) {
        expect((await emulator.ask("GET", "/groups")).headers.get("x-ratelimit-remaining")).toBe(left);
      }
      const refused = await emulator.ask("GET", "/groups");
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("60");
    });

    it("[public.limits.1 holds refuses concurrency] only one of ten concurrent calls is placed", async () => {
      await using emulator = await open();
      const { id } = await createAssistant(emulator);
      const replies = await times(10, (index) =>
        emulator.ask("POST", "/calls", { body: { assistant_id: id, to: `+4930123456${index}` } }),
      );
      expect(statuses(replies)).toEqual([201, ...Array<number>(9).fill(429)]);
      for (const reply of replies.filter(({ status }) => status === 429)) {
        expect(reply.headers.has("retry-after")).toBe(false);
      }
      expect((await emulator.ask("GET", "/calls")).body.data).toHaveLength(1);
    });
  });

  it("[public.operations.1c holds refuses concurrency] concurrent deletes keep the last group", async () => {
    await using emulator = await open();
    for (const name of ["A", "B", "C"])
      await emulator.ask("POST", "/groups", { body: { type: "contacts", name } });
    const groups = (await emulator.ask("GET", "/groups?type=contacts")).body.data;
    const replies = await times(groups.length, (index) =>
      emulator.ask("DELETE", `/groups/${groups[index]?.id}`),
    );
    expect(statuses(replies)).toEqual([200, 200, 200, 409]);
    expect((await emulator.ask("GET", "/groups?type=contacts")).body.data).toHaveLength(1);
  });

  it("[public.operations.7j holds refuses concurrency] concurrent webhook changes are atomic", async () => {
    await using emulator = await open();
    const url = "https://example.org/hook";
    const { id } = await createAssistant(emulator, {
      pre_call_webhook: { enabled: true, url, headers: { "X-From": "start" } },
    });
    await emulator.control("POST", "/faults", {
      kind: "webhook_race",
      operation: "assistants.update",
      skip: 3,
      times: 1,
    });
    const replies = await times(8, (index) =>
      emulator.ask("PATCH", `/assistants/${id}`, {
        body: {
          name: `Name ${index}`,
          pre_call_webhook: { enabled: true, url, headers: { "X-From": String(index) } },
        },
      }),
    );
    expect(statuses(replies)).toEqual([...Array<number>(7).fill(200), 409]);
    const refused = replies.findIndex(({ status }) => status === 409);
    const { name, pre_call_webhook } = (await emulator.ask("GET", `/assistants/${id}`)).body.data;
    // Both fields have the last writer's values, never a mix of two writers' values.
    expect(name).toBe(`Name ${pre_call_webhook?.headers["X-From"]}`);
    expect(name).not.toBe(`Name ${refused}`);
  });

  // plain-words: allow title-long
  it("[v2.license.states concurrency] [v2.create.customer holds refuses concurrency] only one of five concurrent creates with the same license succeeds", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["acme-1"]);
    const replies = await times(5, (index) =>
      v2("POST", "/organizations", {
        body: {
          type: "customer",
          name: `c${index}`,
          parentOrganizationId: msp.id,
          externalOrganizationId: `c${index}`,
          externalLicenseId: "acme-1",
        },
      }),
    );
    expect(statuses(replies)).toEqual([201, 409, 409, 409, 409]);
    const customers = (await v2("GET", "/organizations?type=customer")).body.data;
    expect(customers).toHaveLength(1);
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({ "acme-1": "assigned" });
  });

  // plain-words: allow title-long
  it("[v2.license.reassign holds refuses concurrency] only one of two concurrent requests gets a license", async () => {
    await using emulator = await open();
    const v2 = distributorV2(emulator);
    const msp = await createMsp(emulator, "acme", ["l1", "l2", "l3"]);
    const holders = [
      await createCustomer(emulator, msp.id, "c1", "l1"),
      await createCustomer(emulator, msp.id, "c2", "l2"),
    ];
    const replies = await times(2, (index) =>
      v2("PATCH", `/organizations/${holders[index].id}/license`, { body: { externalLicenseId: "l3" } }),
    );
    expect(statuses(replies)).toEqual([200, 409]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await readOrganization(emulator, holders[winner].id)).externalLicenseId).toBe("l3");
    expect((await readOrganization(emulator, holders[1 - winner].id)).externalLicenseId).toBe(
      `l${2 - winner}`,
    );
    expect(await readLicenseStates(emulator, msp.id)).toMatchObject({
      [`l${winner + 1}`]: "available",
      [`l${2 - winner}`]: "assigned",
      l3: "assigned",
    });
  });
});
