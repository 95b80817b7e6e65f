import { expect, it } from "vitest";
import { type Emulator, openEmulator } from "../../../src/emulator/index.js";

const startTime = "2026-11-20T10:00:00.000Z";

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

async function ask(emulator: Emulator, path: string, body?: object): Promise<Reply> {
  const response = await emulator.fetch(
    new Request(`http://emulator.localhost/api/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${emulator.startLine.keys.admin}`,
        "content-type": "application/json",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  return { status: response.status, body: await response.json().catch(() => null) };
}

async function allCalls(emulator: Emulator) {
  const calls = [];
  let cursor = "";
  do {
    const { body } = await ask(emulator, `/calls?limit=200${cursor}`);
    calls.push(...body.data);
    cursor = body.meta.next_cursor ? `&cursor=${body.meta.next_cursor}` : "";
  } while (cursor);
  return calls;
}

it("[D-call] the demo has four weeks of calls with every outcome and recording format", async () => {
  await using emulator = await openEmulator({ seed: "demo", clock: "virtual", startTime });
  const calls = await allCalls(emulator);
  expect(calls.length).toBeGreaterThan(150);
  const values = (name: string) => new Set(calls.map((call) => call[name]));
  expect(values("direction")).toEqual(new Set(["inbound", "outbound"]));
  expect(values("status")).toEqual(new Set(["completed", "no_answer", "busy", "failed"]));
  const types = new Set(calls.map((call) => call.recording.content_type));
  expect(types).toEqual(new Set(["audio/flac", "audio/wav", "audio/mpeg", null]));
  const times = calls.map((call) => Date.parse(call.created_at));
  expect(times).toEqual([...times].sort((left, right) => right - left));
  expect(Math.max(...times)).toBeLessThan(Date.parse(startTime));
  const weeks = (await ask(emulator, "/statistics/summary")).body.data.weeks;
  expect(weeks).toHaveLength(5);
  for (const call of calls.filter((candidate) => candidate.recording.available).slice(0, 3))
    expect((await ask(emulator, `/calls/${call.id}/recording`)).status).toBe(200);
});

it("[D-call] equal start times and random seeds give equal calls", async () => {
  const seededCalls = [];
  for (const randomSeed of [1, 1, 2]) {
    await using emulator = await openEmulator({ seed: "demo", clock: "virtual", startTime, randomSeed });
    seededCalls.push(await allCalls(emulator));
  }
  expect(seededCalls[1]).toEqual(seededCalls[0]);
  expect(seededCalls[2]).not.toEqual(seededCalls[0]);
});

it("[public.limits.1] every assistant in the demo can place a call immediately", async () => {
  await using emulator = await openEmulator({ seed: "demo", clock: "virtual", startTime });
  for (const { id } of (await ask(emulator, "/assistants")).body.data) {
    const queued = await ask(emulator, "/calls", { assistant_id: id, to: "+493023125001" });
    expect(queued.status).toBe(201);
  }
});
