import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAssistant } from "../helpers/assistants.js";
import { createContact } from "../helpers/records.js";
import { openTestEmulator, type TestEmulator, testOnTransports } from "../helpers/test-emulator.js";

/** Schedules every type of event that the clock triggers. */
async function setOff(emulator: TestEmulator): Promise<string> {
  const { organization_id } = emulator.instance.startLine;
  await emulator.control("PATCH", `/organizations/${organization_id}`, {
    features: ["public_api", "outbound_calls", "knowledge", "statistics", "prompt_rating"],
  });
  const group_id = await emulator.groupId("knowledges");
  await emulator.ask("POST", "/knowledge-items", { body: { group_id, name: "K", text: "T" } });
  await emulator.control("POST", "/faults", { kind: "index_failure", times: 1, expires_in_seconds: 20 });
  await emulator.ask("POST", "/knowledge-items", { body: { group_id, name: "Failed", text: "T" } });
  await emulator.ask("POST", "/prompts", { body: { name: "P", kind: "answering", text: "T" } });
  const assistant = await createAssistant(emulator);
  await emulator.ask("POST", "/calls", { body: { assistant_id: assistant.id, to: "+4930000004" } });
  const busy = await createAssistant(emulator, { name: "B" });
  await emulator.ask("POST", "/calls", { body: { assistant_id: busy.id, to: "+4930000002" } });
  // The assistant's number becomes available after its last call.
  await emulator.ask("DELETE", `/assistants/${busy.id}`);
  const key = await emulator.control("POST", "/keys", { kind: "public", expires_at: "2026-03-02T09:00:45Z" });
  return key.key;
}

async function shown(emulator: TestEmulator, key: string) {
  const paths = ["/knowledge-items", "/prompts", "/assistants", "/calls", "/contacts", "/statistics/summary"];
  const bodies = [];
  for (const path of paths) {
    const { status, body } = await emulator.ask("GET", path);
    bodies.push([path, status, body]);
  }
  const calls = (await emulator.ask("GET", "/calls")).body.data;
  for (const { id } of calls) {
    bodies.push((await emulator.ask("GET", `/calls/${id}`)).body);
    bodies.push((await emulator.ask("GET", `/calls/${id}/recording`)).status);
  }
  bodies.push((await emulator.ask("GET", "/ping", { key })).status);
  const made = await createContact(emulator);
  const called = await emulator.ask("POST", "/calls", {
    body: { assistant_id: (await emulator.ask("GET", "/assistants")).body.data[0].id, to: "+49301234" },
  });
  const numbers = await emulator.control("GET", "/organizations");
  return {
    bodies,
    made,
    called: [called.status, called.body],
    numbers,
    clock: await emulator.control("GET", "/clock"),
  };
}

describe("moving the emulator's clock", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 25 });

  it("[emulator.clock property] many small steps have the same result as one large step", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (milliseconds, reads) => {
        await using stepped = await openTestEmulator("in process");
        await using jumped = await openTestEmulator("in process");
        const key = await setOff(stepped);
        const otherKey = await setOff(jumped);
        for (const step of milliseconds) {
          await stepped.advance(step / 1000);
          if (reads)
            await stepped.askHost("GET", "/_emulator/organizations", {
              key: stepped.instance.startLine.control_token,
            });
        }
        await jumped.advance(milliseconds.reduce((sum, step) => sum + step, 0) / 1000);
        expect(await shown(stepped, key)).toEqual(await shown(jumped, otherKey));
      }),
      { numRuns: process.env["PROOF"] ? 200 : 4, seed: 6 },
    );
  });

  it("[emulator.clock] advancing the clock event by event has the same result as one step", async () => {
    await using stepped = await openTestEmulator("in process");
    await using jumped = await openTestEmulator("in process");
    const key = await setOff(stepped);
    const otherKey = await setOff(jumped);
    for (let count = 0; count < 8; count += 1) await stepped.control("PATCH", "/clock", { next: true });
    const { now } = await stepped.control("GET", "/clock");
    await jumped.control("PATCH", "/clock", { set: now });
    expect(await shown(stepped, key)).toEqual(await shown(jumped, otherKey));
  });
});

testOnTransports("clock next", (open) => {
  it("[emulator.clock] the clock can jump from event to event until no event is scheduled", async () => {
    await using emulator = await open({ limits: { distributor: 1 } });
    await setOff(emulator);
    const times: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { now } = await emulator.control("PATCH", "/clock", { next: true });
      times.push((Date.parse(now) - Date.parse("2026-03-02T09:00:00Z")) / 1000);
    }
    // 1 and 3 s: indexing. 2 s: rating and ringing. 7 s: answered or ended. 17 s: hung up. 20 s: fault ends.
    // 22 s: recording. 45 s: key expires. 60 s: rate limits and cooldown. 3,600 s: limit of outbound calls.
    // The distributors' keys expire only after a year.
    expect([...new Set(times)]).toEqual([1, 2, 3, 7, 17, 20, 22, 45, 60, 3_600]);
    expect(await emulator.control("PATCH", "/clock", { next: true })).toEqual({
      mode: "virtual",
      now: "2026-03-02T10:00:00.000Z",
      events: [],
    });
  });

  it("[emulator.clock] moving to the next event can't be combined with other clock changes", async () => {
    await using emulator = await open();
    for (const more of [{ advance_seconds: 1 }, { set: "2027-01-01T00:00:00Z" }]) {
      await expect(emulator.control("PATCH", "/clock", { next: true, ...more })).rejects.toMatchObject({
        status: 400,
      });
    }
    await expect(emulator.control("PATCH", "/clock", { next: false })).rejects.toMatchObject({ status: 400 });
  });
});
