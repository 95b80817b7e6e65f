import { expect, it } from "vitest";
import { createContact } from "../helpers/records.js";
import { startTime } from "../helpers/templates.js";
import { onTransports, type TestWorld } from "../helpers/world.js";

async function history(world: TestWorld): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let index = 0; index < 5; index += 1) {
    seen.push(await createContact(world, { last_name: String(index) }));
    await world.advance(index);
  }
  seen.push((await world.ask("GET", "/groups")).body);
  return seen;
}

onTransports("ids", (open) => {
  it("[D-id] ids increase in creation order, within a second and across them", async () => {
    await using world = await open();
    const ids: string[] = (await world.ask("GET", "/groups")).body.data.map((row: { id: string }) => row.id);
    for (const seconds of [0, 0, 0.4, 0.7, 0, 100, 0]) {
      await world.advance(seconds);
      ids.push((await createContact(world)).id);
    }
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("[D-id] an id begins with the seconds of the world's clock, and its middle is the database's", async () => {
    await using world = await open();
    await world.advance(4242);
    const first = (await createContact(world)).id;
    const second = (await createContact(world)).id;
    expect(Number.parseInt(first.slice(0, 8), 16)).toBe(Date.parse(startTime) / 1000 + 4242);
    expect(second.slice(0, 18)).toBe(first.slice(0, 18));
    await using other = await open({ randomSeed: 2 });
    expect((await createContact(other)).id.slice(8, 18)).not.toBe(first.slice(8, 18));
  });

  it("[D-id] the same start time and seed give the same ids and bytes; another start time gives others", async () => {
    await using one = await open({ randomSeed: 7 });
    await using two = await open({ randomSeed: 7 });
    await using later = await open({ randomSeed: 7, startTime: "2027-01-01T00:00:00Z" });
    const first = await history(one);
    expect(await history(two)).toEqual(first);
    expect(await history(later)).not.toEqual(first);
  });

  it("[D-id] a refused request uses up no id", async () => {
    await using one = await open();
    await using two = await open();
    await one.ask("POST", "/contacts", {
      body: { group_id: await one.groupId("glossaries"), first_name: "A" },
    });
    await one.ask("POST", "/groups", { body: { type: "contacts", name: "Default" } });
    expect((await createContact(one)).id).toBe((await createContact(two)).id);
  });

  it("[D-id] what a reset fills the world with uses up its ids", async () => {
    await using world = await open();
    const { emulator } = world;
    await emulator.control("POST", "/reset", { seed: "empty" });
    const before = (await emulator.control("GET", "/keys")) as { id: string }[];
    const { id } = (await emulator.control("POST", "/keys", { kind: "public", name: "a" })) as { id: string };
    expect(before.every((key) => key.id < id)).toBe(true);
    const { status } = await world.ask("POST", "/groups", { body: { type: "contacts", name: "A" } });
    expect(status).toBe(201);
  });
});
