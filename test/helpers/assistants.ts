import type { Reply, TestEmulator } from "./test-emulator.js";

export async function assistantFields(emulator: TestEmulator) {
  const voice_id: string = (await emulator.ask("GET", "/voices")).body.data[0].id;
  return {
    name: "Empfang",
    language: "de",
    voice_id,
    company_name: "Praxis Dr. Sommer",
    company_industry: "Zahnmedizin",
    introduction: "Guten Tag!",
  };
}

export async function postAssistant(emulator: TestEmulator, fields: object = {}): Promise<Reply> {
  return emulator.ask("POST", "/assistants", { body: { ...(await assistantFields(emulator)), ...fields } });
}

/**
 * Returns the new assistant's fields.
 * @throws Error if the emulator refuses the request
 */
export async function createAssistant(emulator: TestEmulator, fields: object = {}) {
  const { body, status } = await postAssistant(emulator, fields);
  if (status !== 201) throw new Error(`no assistant: ${JSON.stringify(body)}`);
  return body.data;
}
