import { expect, test } from "vitest";
import { createAssistant, readCall, trigger } from "../helpers/calls.js";
import { openWorld } from "../helpers/world.js";

test("[emulator.control] a call under way is given another course", async () => {
  const world = await openWorld("in process");
  const { id } = await createAssistant(world);
  const callId = await trigger(world, { assistant_id: id, to: "+4915112345678", details: "Freitag" });
  const analyses = [{ name: "goal_reached", value: "yes" }];
  const transcript = [{ role: "user", text: "Ja.", offset_seconds: 1 }];
  await world.control("PATCH", `/calls/${callId}`, { duration_seconds: 5, transcript, analyses });
  expect(await readCall(world, callId)).toMatchObject({ status: "queued", transcript: [], analyses: [] });
  await world.advance(2 + 5 + 5);
  expect(await readCall(world, callId)).toMatchObject({
    status: "completed",
    duration_seconds: 5,
    transcript,
    analyses,
  });
  await expect(world.control("PATCH", `/calls/${callId}`, { status: "busy" })).rejects.toThrow("is over");
  await world.close();
});

test("[emulator.control] one that ends otherwise says nothing; one that only ends keeps what was to be said", async () => {
  const world = await openWorld("in process");
  const [busy, usual] = [await createAssistant(world), await createAssistant(world)];
  const first = await trigger(world, { assistant_id: busy.id, to: "+4915112345678" });
  const second = await trigger(world, { assistant_id: usual.id, to: "+4915112345678", details: "Freitag" });
  const transcript = [{ role: "user", text: "Ja.", offset_seconds: 0 }];
  await world.control("PATCH", `/calls/${first}`, { status: "busy", transcript });
  await world.control("PATCH", `/calls/${second}`, {});
  await world.advance(120);
  expect(await readCall(world, first)).toMatchObject({
    status: "busy",
    duration_seconds: 0,
    transcript: [],
    analyses: [],
  });
  const call = await readCall(world, second);
  expect(call).toMatchObject({ status: "completed", duration_seconds: 90 });
  expect(call.transcript[2]?.text).toBe("Freitag");
  await world.close();
});

test("[emulator.control] a scripted transcript without analyses has those that can be counted in it, and no judgement of its goal", async () => {
  const world = await openWorld("in process");
  const { id } = await createAssistant(world);
  const callId = await trigger(world, { assistant_id: id, to: "+4915112345678", details: "Freitag" });
  const transcript = ["Hallo?", "Ja.", "Mittwoch, bitte.", "Danke."].map((text, index) => ({
    role: index === 0 ? "assistant" : "user",
    text,
    offset_seconds: index,
  }));
  await world.control("PATCH", `/calls/${callId}`, { duration_seconds: 10, transcript });
  await world.advance(60);
  const { analyses } = await readCall(world, callId);
  expect(analyses).toEqual([{ name: "turns", value: "4" }]);
  await world.close();
});
