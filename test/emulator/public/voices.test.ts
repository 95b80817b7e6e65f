import { expect, it } from "vitest";
import { testOnTransports } from "../../helpers/test-emulator.js";

testOnTransports("voices", (open) => {
  // plain-words: allow title-long
  it("[public.endpoints.voices] [public.operations.17] [public.voice.generations] the list contains selectable voices, and no meta", async () => {
    await using emulator = await open();
    const listed = await emulator.ask("GET", "/voices?limit=1&cursor=nonsense");
    expect(listed.status).toBe(200);
    expect(Object.keys(listed.body)).toEqual(["data"]);
    expect(listed.body.data.length).toBeGreaterThan(1);
    const generations = new Set(listed.body.data.map((voice: { generation: string }) => voice.generation));
    expect(generations).toEqual(new Set(["v1", "v2"]));
    const names = listed.body.data.map((voice: { name: string }) => voice.name).join();
    expect(names).not.toMatch(/legacy|reserved/);
  });

  it("[public.operations.17] a voice that can't be selected is not in the list", async () => {
    await using emulator = await open();
    const ids = async () =>
      (await emulator.ask("GET", "/voices")).body.data.map((voice: { id: string }) => voice.id);
    const voice = await emulator.control("POST", "/voices", { name: "Neu", generation: "v1" });
    expect(await ids()).toContain(voice.id);
    const hidden = await emulator.control("PATCH", `/voices/${voice.id}`, { selectable: false });
    expect(hidden).toEqual({ id: voice.id, name: "Neu", generation: "v1", selectable: false });
    expect(await ids()).not.toContain(voice.id);
    await emulator.control("PATCH", `/voices/${voice.id}`, { selectable: true });
    expect(await ids()).toContain(voice.id);
  });

  it("[D-method refuses] voices can only be listed", async () => {
    await using emulator = await open();
    expect((await emulator.ask("POST", "/voices", { body: {} })).status).toBe(404);
  });
});
