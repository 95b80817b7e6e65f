import { expect, it } from "vitest";
import { createContact } from "../helpers/records.js";
import { startTime } from "../helpers/templates.js";
import { type TestEmulator, testOnTransports } from "../helpers/test-emulator.js";

async function history(emulator: TestEmulator): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let index = 0; index < 5; index += 1) {
    seen.push(await createContact(emulator, { last_name: String(index) }));
    await emulator.advance(index);
  }
  seen.push((await emulator.ask("GET", "/groups")).body);
  return seen;
}

testOnTransports("IDs", (open) => {
  it("[D-id] IDs increase in the order of creation, within and across seconds", async () => {
    await using emulator = await open();
    const ids: string[] = (await emulator.ask("GET", "/groups")).body.data.map(
      (row: { id: string }) => row.id,
    );
    for (const seconds of [0, 0, 0.4, 0.7, 0, 100, 0]) {
      await emulator.advance(seconds);
      ids.push((await createContact(emulator)).id);
    }
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("[D-id] an ID starts with the time in seconds and a value that differs between databases", async () => {
    await using emulator = await open();
    await emulator.advance(4242);
    const first = (await createContact(emulator)).id;
    const second = (await createContact(emulator)).id;
    expect(Number.parseInt(first.slice(0, 8), 16)).toBe(Date.parse(startTime) / 1000 + 4242);
    expect(second.slice(0, 18)).toBe(first.slice(0, 18));
    await using otherEmulator = await open({ randomSeed: 2 });
    expect((await createContact(otherEmulator)).id.slice(8, 18)).not.toBe(first.slice(8, 18));
  });

  it("[D-id] equal start times and seeds give equal IDs", async () => {
    await using firstEmulator = await open({ randomSeed: 7 });
    await using secondEmulator = await open({ randomSeed: 7 });
    await using later = await open({ randomSeed: 7, startTime: "2027-01-01T00:00:00Z" });
    const first = await history(firstEmulator);
    expect(await history(secondEmulator)).toEqual(first);
    expect(await history(later)).not.toEqual(first);
  });

  it("[D-id] a refused request uses up no ID", async () => {
    await using firstEmulator = await open();
    await using secondEmulator = await open();
    await firstEmulator.ask("POST", "/contacts", {
      body: { group_id: await firstEmulator.groupId("glossaries"), first_name: "A" },
    });
    await firstEmulator.ask("POST", "/groups", { body: { type: "contacts", name: "Default" } });
    expect((await createContact(firstEmulator)).id).toBe((await createContact(secondEmulator)).id);
  });

  it("[D-id] IDs assigned after a reset follow the IDs of the initial keys", async () => {
    await using testEmulator = await open();
    const { instance: emulator } = testEmulator;
    await emulator.control("POST", "/reset", { seed: "empty" });
    const before = (await emulator.control("GET", "/keys")) as { id: string }[];
    const { id } = (await emulator.control("POST", "/keys", { kind: "public", name: "a" })) as { id: string };
    expect(before.every((key) => key.id < id)).toBe(true);
    const { status } = await testEmulator.ask("POST", "/groups", { body: { type: "contacts", name: "A" } });
    expect(status).toBe(201);
  });
});
