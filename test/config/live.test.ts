// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import fc from "fast-check";
import { expect, test } from "vitest";
import { setUpFolder } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("Praxis", "Dr. Weiß", "95 EUR", "a", " ", "ü") },
      fc.constantFrom(
        "\n",
        "\r\n",
        "\n\n",
        "\t",
        "---",
        "---\n",
        "# ",
        ": ",
        "- ",
        "${var.x}",
        "$${",
        "'",
        '"',
        "\\",
        "|",
        "{",
        "}",
        "&a",
        "*a",
        "!",
        "null",
        "true",
        "0123",
        "1e3",
        "2026-03-01",
        "@preCallData",
        "😀",
        "e\u0301",
        "\u2028",
        "\u0000",
        "\r",
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const name = text.filter((value) => value.trim() !== "");
const word = name.map((value) => value.replace(/\s/gu, "")).filter((value) => value !== "");
const parameters = fc.dictionary(
  fc.constantFrom("a", "b c", "1", "yes", "type"),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 2 })),
  { maxKeys: 3 },
);
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 3 });

const organization = fc.record({
  prompts: few(fc.record({ name, kind: fc.constantFrom("answering", "email"), text: name })),
  knowledge: few(fc.record({ name, text: name, active: fc.boolean() })),
  glossary: few(fc.record({ term: name, definition: text })),
  pronunciation: few(fc.record({ token: word, replacement: text })),
  forwardings: few(
    fc.record({
      name: text,
      destination_type: fc.constant("phone"),
      phone_number: fc.constantFrom("+493023181234", "+4915112345678"),
      timeout: fc.integer({ min: 10, max: 60 }),
    }),
  ),
  calendars: few(fc.record({ name, timezone: fc.constantFrom("Europe/Berlin", "America/New_York") })),
  tools: few(
    fc.record({
      name: fc.stringMatching(/^[a-z_]{3,12}$/),
      description: text,
      url: fc.constant("https://crm.example.com/x"),
      headers: fc.dictionary(fc.constantFrom("X-Tenant", "X-Api-Key", "X-Ä"), text, { maxKeys: 2 }),
      parameters,
      secret: fc.option(fc.constant("geheim-4711"), { nil: undefined }),
    }),
  ),
  groups: few(name),
  assistant: fc.option(fc.record({ name, company_name: name, introduction: name }), { nil: undefined }),
});

/** Opens an emulator with these resources, except those that the service refuses. */
async function openEmulatorWith(made: typeof organization extends fc.Arbitrary<infer T> ? T : never) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  const api = publicApi(emulator);
  const post = async (path: string, body: unknown): Promise<string | undefined> => {
    const response = await api("POST", path, body);
    return response.status < 300 ? (response.body.data as unknown as { id: string }).id : undefined;
  };
  const groups = async (type: string) => {
    const ids = await Promise.all(made.groups.map((groupName) => post("/groups", { type, name: groupName })));
    return ids.find((id) => id !== undefined) ?? (await post("/groups", { type, name: "Alles" }));
  };
  const [first] = await Promise.all(made.prompts.map((prompt) => post("/prompts", prompt)));
  for (const [path, type, items] of [
    ["/knowledge-items", "knowledges", made.knowledge],
    ["/glossary", "glossaries", made.glossary],
    ["/pronunciation", "pronunciations", made.pronunciation],
    ["/forwardings", "forwardings", made.forwardings],
  ] as const) {
    const group_id = await groups(type);
    for (const item of items) await post(path, { ...item, group_id });
  }
  for (const calendar of made.calendars) await post("/calendars", calendar);
  const tools = await Promise.all(made.tools.map((tool) => post("/tools", tool)));
  const voice = ((await api("GET", "/voices")).body.data as unknown as { id: string }[])[0]?.id;
  if (made.assistant !== undefined)
    await post("/assistants", {
      ...made.assistant,
      language: "de",
      company_industry: "Zahnmedizin",
      voice_id: voice,
      prompt_id: first ?? null,
      tool_ids: tools.filter((id) => id !== undefined),
    });
  await emulator.control("PATCH", "/clock", { advance_seconds: 7_200 });
  return emulator;
}

test("[property] a directory from `init` has no differences and can recreate any organization", async () => {
  let itemCount = 0;
  await fc.assert(
    fc.asyncProperty(organization, async (made) => {
      const emulator = await openEmulatorWith(made);
      const empty = await openSeededEmulator({
        seed: "empty",
        clock: "virtual",
        startTime: "2026-03-02T09:00:00.000Z",
      });
      try {
        const { config, runWith, root, all, write } = setUpFolder(emulator, {});
        const init = ["config", "init", "--target", "dev", "--profile", "offline"];
        const begun = await runWith({ cwd: root }, ...init);
        expect([
          begun.code,
          begun.stderr
            .split("\n")
            .filter(
              (line) => !/looks like a credential|must be unique in a file|Replace env:TODO/.test(line),
            ),
        ]).toEqual([0, [""]]);
        const before = all();
        itemCount += Object.keys(before).length;
        const planned = (await config("plan")).json;
        expect(planned).toMatchObject({
          create: [],
          update: [],
          drift: [],
          conflicts: [],
          refused: [],
          writes: 0,
        });
        expect((await config("diff")).code).toBe(0);
        expect((await config("pull", "--new")).code).toBe(0);
        expect(all()).toEqual(before);
        for (const [path, content] of Object.entries(before))
          if (content.includes("env:TODO")) write({ [path]: content.replaceAll("env:TODO", "env:CRM") });
        write({ "locks/dev.jsonl": undefined });
        const files = all();
        const emptyFolder = setUpFolder(empty, files);
        const env = { CRM: "geheim-4711" };
        const allowing = ["--allow-env", "CRM"];
        const apply = await emptyFolder.runWith(
          { cwd: emptyFolder.root, env },
          "config",
          "apply",
          "--target",
          "dev",
          "--adopt",
          "--yes",
          "--allow",
          "assistants:create",
          "--wait",
          "0s",
          ...allowing,
        );
        expect([apply.code, apply.stderr]).toEqual([0, ""]);
        expect(
          (
            await emptyFolder.runWith(
              { cwd: emptyFolder.root, env },
              "config",
              "diff",
              "--target",
              "dev",
              ...allowing,
            )
          ).code,
        ).toBe(0);
        expect(
          (
            await emptyFolder.runWith(
              { cwd: emptyFolder.root, env },
              "config",
              "pull",
              "--target",
              "dev",
              "--new",
              ...allowing,
            )
          ).code,
        ).toBe(0);
        expect({ ...emptyFolder.all(), "locks/dev.jsonl": "" }).toEqual({ ...files, "locks/dev.jsonl": "" });
      } finally {
        await emulator.close();
        await empty.close();
      }
    }),
    { numRuns: isProof ? 150 : 2, seed: Number(process.env["PROOF_SEED"] ?? 3) },
  );
  expect(itemCount).toBeGreaterThan(10);
}, 3_600_000);
