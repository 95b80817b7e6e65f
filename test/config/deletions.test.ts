import { describe, expect, test } from "vitest";
import { thresholdRefusals } from "../../src/features/config/guards.js";
import { resourceTypes } from "../../src/features/config/resource-types/index.js";
import { projectText, setUpConfig } from "../helpers/config.js";
import { reshapeResponses, type Shape } from "../helpers/reshape-responses.js";

const prompt = (name: string) => `---\nname: ${name}\nkind: answering\n---\nText von ${name}\n`;
const text = (title: string) => `---\ntitle: ${title}\n---\n${title} kostet 95 EUR.\n`;
const numbers = [1, 2, 3, 4];
const items = (line: (number: number) => string) =>
  `items:\n${numbers.map((number) => `  - { ${line(number)} }\n`).join("")}`;

/** Four resources of each type. A deletion of all four exceeds the threshold of the type. */
const files: Readonly<Record<string, string>> = {
  "voxctl.project.yaml": projectText(
    "",
    "[assistants, prompts, knowledge, forwardings, glossary, pronunciation, calendars, tools, groups]",
  ),
  ...Object.fromEntries(
    numbers.flatMap((number) => [
      [`prompts/p${number}.md`, prompt(`P${number}`)],
      [`knowledge/preise/t${number}.md`, text(`T${number}`)],
      [`calendars/c${number}.yaml`, `name: C${number}\ntimezone: Europe/Berlin\n`],
      [`tools/w${number}.yaml`, `name: tool_${number}\nurl: https://crm.example.com/${number}\n`],
      [`groups/g${number}.yaml`, `name: G${number}\n`],
      [
        `assistants/a${number}.yaml`,
        `name: A${number}\nlanguage: de\nvoice: Clara\ncompany_name: Praxis\ncompany_industry: Zahnmedizin\nintroduction: Hallo\nprompt: prompts/p${number}\n`,
      ],
    ]),
  ),
  "glossary/fach.yaml": `group: Fach\n${items((one) => `term: B${one}, definition: D${one}`)}`,
  "pronunciation/namen.yaml": `group: Namen\n${items((one) => `token: N${one}, replacement: R${one}`)}`,
  "forwardings/zentrale.yaml": `group: Zentrale\n${items((one) => `key: f${one}, name: F${one}, destination_type: phone, phone_number: "+4930231812${one}"`)}`,
};
const folders = [
  ...new Set(Object.keys(files).flatMap((path) => (path.includes("/") ? [path.split("/")[0] ?? ""] : []))),
];
const allOf = (folder: string) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`));

type Loss = {
  files?: Record<string, string | undefined>;
  respond?: (path: string) => Partial<Shape> | undefined;
};

const gone = (paths: readonly string[]): Loss => ({
  files: Object.fromEntries(paths.map((path) => [path, undefined])),
});
const refusal = (status: number, code: string) => ({
  status,
  body: { error: { code, message: "no", details: [] } },
});

const losses: Readonly<Record<string, Loss>> = {
  ...Object.fromEntries(folders.map((folder) => [`the folder ${folder}`, gone([folder])])),
  ...Object.fromEntries(folders.map((folder) => [`the files in ${folder}`, gone(allOf(folder))])),
  "all folders": gone(folders),
  "the entries of a list": {
    files: { "glossary/fach.yaml": "group: Fach\n", "pronunciation/namen.yaml": "group: Namen\nitems:\n" },
  },
  "what a file says": { files: { "prompts/p1.md": "", "tools/w1.yaml": "" } },
  "the end of a file": { files: { "glossary/fach.yaml": "group: Fach\nitems:\n  - { term: B1, defin" } },
  "the lock": gone(["locks"]),
  "what the lock says": { files: { "locks/dev.jsonl": "" } },
  "the end of the lock": { files: { "locks/dev.jsonl": '{"lock":1,"project":"0123456789ab","base_u' } },
  "the lock for another's": {
    files: {
      "locks/dev.jsonl":
        '{"lock":1,"project":"ffffffffffff","base_url":"http://emulator.localhost/api/v1"}\n',
    },
  },
  "the lock's lines": {
    files: {
      "locks/dev.jsonl":
        '{"lock":1,"project":"0123456789ab","base_url":"http://emulator.localhost/api/v1"}\n',
    },
  },
  "the project file": gone(["voxctl.project.yaml"]),
  "what the project file says": { files: { "voxctl.project.yaml": "" } },
  "the end of the project file": { files: { "voxctl.project.yaml": "version: 1\nkinds: [" } },
  "the types of the project file": {
    files: { "voxctl.project.yaml": projectText("", "[]"), ...gone(folders).files },
  },
  "the targets of the project file": {
    files: { "voxctl.project.yaml": projectText().replace("dev: { profile: offline }", "andere: {}") },
  },
  "the permission to read a type": {
    respond: (path) => (path.startsWith("/api/v1/prompts") ? refusal(403, "forbidden") : undefined),
  },
  "the right to anything": { respond: () => refusal(401, "unauthorized") },
  "what the lists show": {
    // Every list is empty and marked as complete, but a get by ID still finds each resource.
    respond: (path) =>
      /^\/api\/v1\/(?!voices|ping)[\w-]+(\?|$)/.test(path)
        ? { body: { data: [], meta: { has_more: false, next_cursor: null } } }
        : undefined,
  },
  "the network": {
    respond: () => {
      throw new TypeError("the network is gone");
    },
  },
};

const isProof = process.env["PROOF"] !== undefined;
const sample = ["the folder tools", "the lock", "the project file", "what the lists show"];

describe("deletions after files or data were lost", () => {
  test("[A10] [A11] [A11a] [L5] `apply --prune` keeps all resources after files or data were lost", async () => {
    const setup = await setUpConfig(files);
    const { apply, write, read, runWith, root, emulator, all } = setup;
    const made = await apply("--wait", "0s");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const whole = { ...files, "locks/dev.jsonl": read("locks/dev.jsonl") };
    const deletions: string[] = [];
    const live = async () =>
      Promise.all(
        ["assistants", "prompts", "glossary", "groups"].map(
          async (resource) => (await setup.list(resource)).length,
        ),
      );
    const before = await live();
    const codes: Record<string, number[]> = {};
    for (const [name, loss] of Object.entries(losses).filter(
      ([lossName]) => isProof || sample.includes(lossName),
    )) {
      write(loss.files ?? {});
      // Move past every rate-limit window, so that the service refuses no request because of a limit.
      await emulator.control("PATCH", "/clock", { advance_seconds: 120 });
      const overrides = reshapeResponses(
        emulator,
        ({ path }) => loss.respond?.(path),
        ({ method, path }) => {
          if (method === "DELETE") deletions.push(path);
          return {};
        },
      );
      for (const flags of [[], ["--prune"], ["--prune=adopted", "--drift", "overwrite", "--adopt"]]) {
        const argv = ["config", "apply", "--target", "dev", "--yes", "--wait", "0s", "--max-wait", "0s"];
        const allow = ["--allow", "assistants:delete", "--allow", "assistants:create"];
        const ran = await runWith({ cwd: root, overrides }, ...argv, ...allow, ...flags);
        codes[name] = [...(codes[name] ?? []), ran.code];
        expect([name, flags, deletions], ran.stderr).toEqual([name, flags, []]);
      }
      write({ ...Object.fromEntries(folders.map((folder) => [folder, undefined])), locks: undefined });
      write(whole);
    }
    expect(await live()).toEqual(before);
    // The exit codes without --prune, with --prune, and with --prune=adopted.
    if (isProof) expect(codes["the folder prompts"]).toEqual([2, 2, 2]);
    expect(codes["the folder tools"]).toEqual([0, 12, 12]);
    expect(codes["the lock"]).toEqual([10, 10, 0]);
    expect(codes["the project file"]).toEqual([2, 2, 2]);
    expect(codes["what the lists show"]).toEqual([0, 0, 0]);
    expect(Object.keys(all())).toEqual(Object.keys(whole).sort());
  });

  test.each([
    [3, 3, undefined],
    [4, 4, "4 of 4 prompts would be deleted (100%), but the limit is 30%, at least 3"],
    [4, 13, "4 of 13 prompts would be deleted (31%), but the limit is 30%, at least 3"],
    [4, 14, undefined],
  ])("[A10] only deletions above the threshold are refused: %i of %i prompts", (count, all, message) => {
    const lines = Array.from({ length: all }, (_, index) => ({
      key: `prompts/p${index}`,
      id: String(index),
      made: true,
      source: "",
      applied: {},
    }));
    const deletions = lines
      .slice(0, count)
      .map((line) => ({ line, spec: resourceTypes.prompts.item, record: { id: line.id } }));
    const refusals = thresholdRefusals(
      { deletions, changes: [], lines: new Map(lines.map((line) => [line.key, line])) },
      { maxDelete: undefined, maxUpdate: undefined },
    );
    expect(refusals.map((refusal) => refusal.message)).toEqual(message === undefined ? [] : [message]);
  });

  test("[A10] --prune deletes a resource with live changes only with --drift overwrite", async () => {
    const { apply, write, list, json, config } = await setUpConfig({
      "prompts/p1.md": prompt("P1"),
      "prompts/p2.md": prompt("P2"),
    });
    await apply();
    const [kept] = (await list("prompts")).filter(({ name }: { name: string }) => name === "P1");
    await json("prompts", "update", kept.id, "--text", "von Hand");
    write({ "prompts/p1.md": undefined });
    expect((await config("plan", "--prune")).json).toMatchObject({
      delete: [],
      drift: [{ key: "prompts/p1", fields: ["text"] }],
      refused: ["drift"],
    });
    expect((await apply("--prune")).code).toBe(10);
    expect((await apply("--prune", "--drift", "keep")).code).toBe(0);
    expect((await list("prompts")).length).toBe(2);
    expect((await apply("--prune", "--drift", "overwrite")).code).toBe(0);
    expect((await list("prompts")).map(({ name }: { name: string }) => name)).toEqual(["P2"]);
  });
});
