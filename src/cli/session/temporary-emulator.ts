import { getText, isFields } from "../../base/fields.js";
import { createClient } from "../../client/client.js";
import { type Control, createControl } from "../../client/control.js";
import type { Client } from "../../client/types.js";
import type { Emulator } from "../../emulator/types.js";
import type { Session } from "./session.js";

/** Exists until the command ends. Waiting advances the emulator's clock. */
export interface TemporaryEmulator {
  emulator: Emulator;
  control: Control;
  client: Client;
  /** Missing required fields get defaults. */
  createAssistant(fields: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Opens an emulator in memory, so that no stored database is changed. */
export async function openTemporaryEmulator({ random }: Pick<Session, "random">): Promise<TemporaryEmulator> {
  const { openEmulator } = await import("../../emulator/index.js");
  const emulator = await openEmulator({ db: ":memory:", clock: "virtual", seed: "empty" });
  const { base_url, keys } = emulator.startLine;
  const client = createClient({
    targets: { public: { baseUrl: base_url, key: keys.admin } },
    transport: emulator.transport,
    clock: emulator.clock,
    random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const { data: voices } = await client.call("voices.list");
  const voice: unknown = Array.isArray(voices) ? voices[0] : undefined;
  return {
    emulator,
    control: createControl(emulator.control),
    client,
    async createAssistant(fields) {
      const { data } = await client.call("assistants.create", {
        body: {
          language: "de",
          voice_id: isFields(voice) ? getText(voice, "id") : "",
          company_name: "Offline",
          company_industry: "Test",
          introduction: "Guten Tag!",
          ...fields,
        },
      });
      return isFields(data) ? getText(data, "id") : "";
    },
  };
}
