import type { Emulator } from "../../src/emulator/types.js";
import { commandLine, connectedTo } from "./cli.js";
import { publicApi } from "./public-api.js";
import { openSeededEmulator } from "./templates.js";

interface Made {
  id: string;
}

export interface SubjectSetup {
  emulator: Emulator;
  assistantId: string;
  promptId: string;
  contactGroups: string[];
  knowledgeGroup: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  get(path: string): Promise<{ status: number; data: any }>;
  create(path: string, body: object): Promise<string>;
  /** Creates a past call. */
  call(body: object): Promise<string>;
}

/** Sets up an organization with an assistant, a prompt, two groups of contacts and a group of knowledge. */
export async function setUpSubject(): Promise<SubjectSetup> {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-05-04T08:00:00Z",
    limits: { read: 100_000, write: 100_000 },
  });
  const ask = publicApi(emulator);
  const create = async (path: string, body: object): Promise<string> => {
    const made = await ask("POST", path, body);
    if (made.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(made.body)}`);
    return (made.body as unknown as { data: Made }).data.id;
  };
  const get = async (path: string) => {
    const { status, body } = await ask("GET", path);
    return { status, data: (body as unknown as { data: unknown }).data };
  };
  const voices = (await get("/voices")).data as Made[];
  const promptId = await create("/prompts", { name: "Empfang", kind: "answering", text: "Sei freundlich." });
  return {
    emulator,
    promptId,
    assistantId: await create("/assistants", {
      ...{ name: "Empfang", language: "de", voice_id: voices[0]?.id, company_name: "Praxis" },
      ...{ company_industry: "Medizin", introduction: "Guten Tag!", prompt_id: promptId },
    }),
    contactGroups: [
      await create("/groups", { type: "contacts", name: "Patienten" }),
      await create("/groups", { type: "contacts", name: "Lieferanten" }),
    ],
    knowledgeGroup: await create("/groups", { type: "knowledges", name: "Wissen" }),
    get,
    create,
    async call(body) {
      return ((await emulator.control("POST", "/calls", body)) as Made).id;
    },
  };
}

export function createSubjectShell(setup: SubjectSetup) {
  const shell = commandLine({ overrides: connectedTo(setup.emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  return { ...shell, run };
}
