import type { Reply, TestWorld } from "./world.js";

/** The least that an assistant is created from. */
export async function assistantFields(world: TestWorld) {
  const voice_id: string = (await world.ask("GET", "/voices")).body.data[0].id;
  return {
    name: "Empfang",
    language: "de",
    voice_id,
    company_name: "Praxis Dr. Sommer",
    company_industry: "Zahnmedizin",
    introduction: "Guten Tag!",
  };
}

/** Asks for an assistant with these fields beside the least. */
export async function postAssistant(world: TestWorld, fields: object = {}): Promise<Reply> {
  return world.ask("POST", "/assistants", { body: { ...(await assistantFields(world)), ...fields } });
}

/** The assistant that was created so. */
export async function createAssistant(world: TestWorld, fields: object = {}) {
  const { body, status } = await postAssistant(world, fields);
  if (status !== 201) throw new Error(`no assistant: ${JSON.stringify(body)}`);
  return body.data;
}
