import { expect, test } from "vitest";
import { createAssistant, readCall, triggerCall } from "../helpers/calls.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

test("[emulator.control] a control request changes the course of an unanswered call", async () => {
  const emulator = await openTestEmulator("in process");
  const { id } = await createAssistant(emulator);
  const callId = await triggerCall(emulator, { assistant_id: id, to: "+4915112345678", details: "Freitag" });
  const analyses = [{ name: "goal_reached", value: "yes" }];
  const transcript = [{ role: "user", text: "Ja.", offset_seconds: 1 }];
  await emulator.control("PATCH", `/calls/${callId}`, { duration_seconds: 5, transcript, analyses });
  expect(await readCall(emulator, callId)).toMatchObject({ status: "queued", transcript: [], analyses: [] });
  await emulator.advance(2 + 5 + 5);
  expect(await readCall(emulator, callId)).toMatchObject({
    status: "completed",
    duration_seconds: 5,
    transcript,
    analyses,
  });
  await expect(emulator.control("PATCH", `/calls/${callId}`, { status: "busy" })).rejects.toThrow(
    "has ended",
  );
  await emulator.close();
});

test("[emulator.control] a call that is set to busy has no transcript, even if one is passed", async () => {
  const emulator = await openTestEmulator("in process");
  const [busy, usual] = [await createAssistant(emulator), await createAssistant(emulator)];
  const first = await triggerCall(emulator, { assistant_id: busy.id, to: "+4915112345678" });
  const second = await triggerCall(emulator, {
    assistant_id: usual.id,
    to: "+4915112345678",
    details: "Freitag",
  });
  const transcript = [{ role: "user", text: "Ja.", offset_seconds: 0 }];
  await emulator.control("PATCH", `/calls/${first}`, { status: "busy", transcript });
  await emulator.control("PATCH", `/calls/${second}`, {});
  await emulator.advance(120);
  expect(await readCall(emulator, first)).toMatchObject({
    status: "busy",
    duration_seconds: 0,
    transcript: [],
    analyses: [],
  });
  const call = await readCall(emulator, second);
  expect(call).toMatchObject({ status: "completed", duration_seconds: 90 });
  expect(call.transcript[2]?.text).toBe("Freitag");
  await emulator.close();
});

test("[emulator.control] the emulator computes the missing analyses of a specified transcript", async () => {
  const emulator = await openTestEmulator("in process");
  const { id } = await createAssistant(emulator);
  const callId = await triggerCall(emulator, { assistant_id: id, to: "+4915112345678", details: "Freitag" });
  const transcript = ["Hallo?", "Ja.", "Mittwoch, bitte.", "Danke."].map((text, index) => ({
    role: index === 0 ? "assistant" : "user",
    text,
    offset_seconds: index,
  }));
  await emulator.control("PATCH", `/calls/${callId}`, { duration_seconds: 10, transcript });
  await emulator.advance(60);
  const { analyses } = await readCall(emulator, callId);
  expect(analyses).toEqual([{ name: "turns", value: "4" }]);
  await emulator.close();
});

test("[emulator.control] the transcript of a shortened call ends at the call's new end", async () => {
  const emulator = await openTestEmulator("in process");
  const { id } = await createAssistant(emulator);
  const callId = await triggerCall(emulator, { assistant_id: id, to: "+4915112345678", details: "Freitag" });
  await emulator.control("PATCH", `/calls/${callId}`, { duration_seconds: 20 });
  await emulator.advance(60);
  const { transcript } = await readCall(emulator, callId);
  expect(transcript.map(({ offset_seconds }) => offset_seconds)).toEqual([0, 6, 12]);
  await emulator.close();
});

test("[emulator.control] an incoming call keeps its answer time when its duration is set", async () => {
  const emulator = await openTestEmulator("in process");
  const { id } = await createAssistant(emulator);
  const { call } = await emulator.control("POST", "/incoming-calls", {
    assistant_id: id,
    from: "+4915112345678",
  });
  await emulator.advance(6);
  const before = await readCall(emulator, call.id);
  expect(before.status).toBe("in_progress");
  await emulator.control("PATCH", `/calls/${call.id}`, { duration_seconds: 20 });
  const { status, started_at } = await readCall(emulator, call.id);
  expect({ status, started_at }).toEqual({ status: "in_progress", started_at: before.started_at });
  await emulator.close();
});
