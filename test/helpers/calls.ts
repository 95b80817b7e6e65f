import { expect } from "vitest";
import type { TestEmulator } from "./test-emulator.js";

export interface TestAssistant {
  id: string;
  phone_number: string;
  name: string;
}

let serial = 0;

export async function createAssistant(
  emulator: TestEmulator,
  fields: Record<string, unknown> = {},
): Promise<TestAssistant> {
  const voices = await emulator.ask("GET", "/voices");
  serial += 1;
  const created = await emulator.ask("POST", "/assistants", {
    body: {
      name: `Assistant ${serial}`,
      language: "de",
      voice_id: voices.body.data[0].id,
      company_name: "Praxis",
      company_industry: "Zahnmedizin",
      introduction: "Guten Tag, hier ist die Praxis.",
      ...fields,
    },
  });
  expect(created.status).toBe(201);
  const { phone_number } = created.body.data;
  if (phone_number === null) throw new Error("an assistant without a number");
  return { ...created.body.data, phone_number };
}

/** Triggers a call, which must be queued. Returns its ID. */
export async function triggerCall(emulator: TestEmulator, body: Record<string, unknown>): Promise<string> {
  const queued = await emulator.ask("POST", "/calls", { body });
  expect(queued.status).toBe(201);
  return queued.body.data.call_id;
}

export async function readCall(emulator: TestEmulator, id: string) {
  const read = await emulator.ask("GET", `/calls/${id}`);
  expect(read.status).toBe(200);
  return read.body.data;
}
