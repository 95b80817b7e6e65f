import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

const monday = "2026-03-02T09:00:00Z";
const year = 366 * 86_400;

async function setUp() {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", startTime: monday });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const make = async (...argv: string[]) => (await shell.run(...argv, "-o", "json")).json;
  const later = (seconds: number) => emulator.control("PATCH", "/clock", { advance_seconds: seconds });
  return { ...shell, emulator, make, later };
}
type LintSetup = Awaited<ReturnType<typeof setUp>>;

const assistantFlags = ["--language", "de", "--company-name", "Praxis", "--company-industry", "Zahnmedizin"];
async function assistant({ make }: LintSetup, text = "Du nimmst Anrufe entgegen.", ...flags: string[]) {
  const prompt = await make("prompts", "create", "--name", "Empfang", "--kind", "answering", "--text", text);
  const [voice] = (await make("voices", "list")).filter(
    ({ generation }: { generation: string }) => generation === "v2",
  );
  const spoken = flags.includes("--voice") ? [] : ["--voice", voice.id];
  const own = [...spoken, "--introduction", "Guten Tag", "--prompt", prompt.id, ...flags];
  return make("assistants", "create", "--name", "Empfang", ...assistantFlags, ...own);
}

async function group({ make }: LintSetup, type: string): Promise<string> {
  const [match] = (await make("groups", "list")).filter(
    (candidate: { type: string }) => candidate.type === type,
  );
  return match.id;
}

const week = (hours: object) => JSON.stringify([{ kind: "opening", weekly: hours, overrides: [] }]);
const prices = "Eine Zahnreinigung kostet 95 Euro und dauert etwa eine Stunde, bitte rechtzeitig absagen.";

/** Each function causes one finding, and returns the resource with the finding. */
const flaws: Record<string, (setup: LintSetup) => Promise<{ id: string }>> = {
  "forwarding-target": async (at) =>
    at.make(
      "forwardings",
      "create",
      "--group",
      await group(at, "forwardings"),
      "--destination-type",
      "phone",
    ),
  "prompt-gone": async (at) => {
    const prompt = await at.make("prompts", "create", "--name", "Mail", "--kind", "email", "--text", "Hallo");
    const made = await assistant(at, undefined, "--email-prompt", prompt.id);
    await at.run("api", "DELETE", `/prompts/${prompt.id}`, "--yes");
    return made;
  },
  "knowledge-unindexed": async (at) => {
    await at.emulator.control("POST", "/faults", { kind: "index_failure", times: 1 });
    const flags = ["--group", await group(at, "knowledges"), "--name", "Preise", "--text", prices];
    const made = await at.make("knowledge", "create", ...flags);
    await at.later(60);
    return made;
  },
  "assistant-prompt": async (at) => {
    const made = await assistant(at);
    await at.run("assistants", "update", made.id, "--set", "prompt_id=null");
    return made;
  },
  "webhook-unused": async (at) => {
    const made = await assistant(at);
    await at.run("assistants", "webhook", "set", made.id, "--url", "https://crm.example.org", "--enabled");
    return made;
  },
  "webhook-missing": (at) => assistant(at, "Daten: @preCallData"),
  "webhook-plain-http": async (at) => {
    const made = await assistant(at, "Daten: @preCallData");
    await at.run("assistants", "webhook", "set", made.id, "--url", "http://crm.example.org", "--enabled");
    return made;
  },
  "pronunciation-ignored": async (at) => {
    const rules = await group(at, "pronunciations");
    await at.run("pronunciation", "create", "--group", rules, "--token", "PZR", "--speaking-rate", "0.8");
    const [voice] = (await at.make("voices", "list")).filter(
      (one: { generation: string }) => one.generation === "v1",
    );
    return assistant(at, undefined, "--voice", voice.id, "--pronunciation-group", rules);
  },
  "knowledge-duplicate": async (at) => {
    const knowledge = await group(at, "knowledges");
    const item = (name: string, text: string) =>
      at.make("knowledge", "create", "--group", knowledge, "--name", name, "--text", text);
    await item("Preise", prices);
    const made = await item("Preise (alt)", prices.toUpperCase());
    await at.later(60);
    return made;
  },
  "glossary-double": async (at) => {
    const glossary = await group(at, "glossaries");
    const term = (definition: string) =>
      at.make("glossary", "create", "--group", glossary, "--term", "PZR", "--definition", definition);
    await term("Zahnreinigung");
    return term("Prophylaxe");
  },
  "pronunciation-double": async (at) => {
    const rules = await group(at, "pronunciations");
    const rule = () => at.make("pronunciation", "create", "--group", rules, "--token", "PZR", "--spell-out");
    await rule();
    return rule();
  },
  "calendar-closed": (at) =>
    at.make("calendars", "create", "--name", "Umbau", "--set", `schedules=${week({})}`),
  "calendar-past": (at) => {
    const weekly = { monday: [{ from: "08:00", to: "12:00" }] };
    const overrides = [{ date: "2025-12-24", closed: true }];
    const schedules = JSON.stringify([{ kind: "opening", weekly, overrides }]);
    return at.make("calendars", "create", "--name", "Praxis", "--set", `schedules=${schedules}`);
  },
  "knowledge-stale": async (at) => {
    const flags = ["--group", await group(at, "knowledges"), "--name", "Preise", "--text", prices];
    const made = await at.make("knowledge", "create", ...flags);
    await at.later(year);
    return made;
  },
  "group-unused": async (at) => {
    const glossary = await group(at, "glossaries");
    await at.run("glossary", "create", "--group", glossary, "--term", "PZR", "--definition", "Zahnreinigung");
    return { id: glossary };
  },
  "tool-unused": (at) => at.make("tools", "create", "--name", "look_up", "--url", "https://crm.example.org"),
  "tool-plain-http": (at) =>
    at.make("tools", "create", "--name", "look_up", "--url", "http://crm.example.org"),
  "contact-unreachable": async (at) =>
    at.make("contacts", "create", "--group", await group(at, "contacts"), "--first-name", "Eva"),
  "contact-shared-number": async (at) => {
    const contacts = await group(at, "contacts");
    const contact = (name: string) =>
      at.make(
        "contacts",
        "create",
        "--group",
        contacts,
        "--first-name",
        name,
        "--phone-number",
        "+4930123456",
      );
    const made = await contact("Eva");
    await contact("Ida");
    return made;
  },
};

/** These lint rules have their own tests, because requests can't cause their findings. */
const testedElsewhere = ["assistant-number", "knowledge-empty", "pronunciation-phrase"];

describe("voxctl lint", () => {
  test("`lint` exits with code 0 if there are no findings", async () => {
    const at = await setUp();
    await assistant(at);
    const { code, json } = await at.run("lint", "-o", "json");
    expect({ code, json }).toEqual({ code: 0, json: [] });
    const { stderr } = await at.runWith({ terminal: 100 }, "lint");
    expect(stderr).toContain("no problems found");
  });

  test.each(Object.entries(flaws))(
    "`lint` finds %s and prints a command to fix it (exit code 10)",
    async (rule, plant) => {
      const at = await setUp();
      const clean = await at.run("lint", "--only", rule, "-o", "json");
      expect({ code: clean.code, json: clean.json }).toEqual({ code: 0, json: [] });
      const { id } = await plant(at);
      const { code, json } = await at.run("lint", "--only", rule, "-o", "json");
      expect({
        code,
        found: json.map((finding: { rule: string; id: string }) => [finding.rule, finding.id]),
      }).toEqual({
        code: 10,
        found: [[rule, id]],
      });
      expect(json[0].help).toMatch(/^voxctl /);
    },
  );

  test("every lint rule has a test in this file", async () => {
    const at = await setUp();
    const { json } = await at.run("lint", "-o", "sarif");
    const ids = json.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([...Object.keys(flaws), ...testedElsewhere].toSorted());
  });

  test("`lint` finds unusable pronunciations and an assistant without a phone number", async () => {
    const at = await setUp();
    const rules = await group(at, "pronunciations");
    await at.run("pronunciation", "create", "--group", rules, "--token", "PZR", "--spell-out");
    await assistant(at);
    const overrides = reshapeResponses(at.emulator, ({ path }, { body }) => {
      for (const row of Array.isArray(body.data) ? body.data : []) {
        if (path.includes("/pronunciation")) row.token = "gute Besserung";
        if (path.includes("/assistants")) row.phone_number = null;
      }
      return { body };
    });
    const skip = ["--skip", "group-unused"];
    const { json } = await at.runWith({ overrides }, "lint", ...skip, "-o", "json");
    expect(json.map((finding: { rule: string }) => finding.rule)).toEqual([
      "pronunciation-phrase",
      "assistant-number",
    ]);
  });

  test("[T4] a prompt that the list omits counts as deleted only after a 404", async () => {
    const at = await setUp();
    await assistant(at);
    const overrides = reshapeResponses(at.emulator, ({ path }, { body }) =>
      /\/prompts(\?|$)/.test(path) ? { body: { ...body, data: [] } } : undefined,
    );
    const { code } = await at.runWith({ overrides }, "lint", "-o", "json");
    expect(code).toBe(0);
  });

  test("`lint` lists resource types that can't be read and checks the others", async () => {
    const at = await setUp();
    await flaws["tool-unused"]?.(at);
    const overrides = reshapeResponses(at.emulator, ({ path }) =>
      path.includes("/knowledge-items")
        ? { status: 403, body: { error: { code: "forbidden", message: "Your role lacks it.", details: [] } } }
        : undefined,
    );
    const { code, json, stderr } = await at.runWith({ overrides }, "lint", "-o", "json");
    expect(code).toBe(10);
    expect(json).toHaveLength(1);
    expect(stderr).toContain("knowledge can't be read (Your role lacks it)");
  });

  test.each([
    ["can't be read", true],
    ["don't show which they use", false],
  ])("`lint` doesn't report a tool or group as unused if assistants %s", async (_, isRefused) => {
    const at = await setUp();
    await flaws["tool-unused"]?.(at);
    await flaws["group-unused"]?.(at);
    await assistant(at);
    const rules = ["--only", "tool-unused,group-unused"];
    expect((await at.run("lint", ...rules, "-o", "json")).json).toHaveLength(2);
    const overrides = reshapeResponses(at.emulator, ({ path }, { body }) => {
      if (!path.includes("/assistants")) return undefined;
      if (isRefused)
        return {
          status: 403,
          body: { error: { code: "forbidden", message: "Your role lacks it.", details: [] } },
        };
      for (const row of body.data)
        for (const field of Object.keys(row)) if (/tool_|group_/.test(field)) delete row[field];
      return { body };
    });
    const { code, json } = await at.runWith({ overrides }, "lint", ...rules, "-o", "json");
    expect([code, json]).toEqual([0, []]);
  });

  test("`lint` doesn't report a calendar as closed if its hours have an unknown format", async () => {
    const at = await setUp();
    await flaws["calendar-closed"]?.(at);
    const hours = [{ weekly_template: { monday: ["08:00-12:00"] } }, { weekly: { mon: ["08:00-12:00"] } }];
    for (const schedule of hours) {
      const overrides = reshapeResponses(at.emulator, ({ path }, { body }) => {
        if (path.includes("/calendars")) for (const row of body.data) row.schedules = [schedule];
        return { body };
      });
      const only = ["--only", "calendar-closed", "-o", "json"];
      const { code, json } = await at.runWith({ overrides }, "lint", ...only);
      expect([code, json]).toEqual([0, []]);
    }
  });

  test("`lint --plan` plans no deletions if glossary items lack the field `term` or `definition`", async () => {
    const at = await setUp();
    await flaws["glossary-double"]?.(at);
    const rename = (name: string) =>
      reshapeResponses(at.emulator, ({ path }, { body }) => {
        if (path.includes("/glossary"))
          for (const row of [body.data].flat()) {
            row[`${name}_text`] = row[name];
            delete row[name];
          }
        return { body };
      });
    for (const name of ["term", "definition"]) {
      const flags = ["--only", "glossary-double", "--plan", `${name}.plan`];
      const { stderr } = await at.runWith({ overrides: rename(name) }, "lint", ...flags);
      expect(stderr).toContain("No finding has a safe fix");
    }
  });

  test("`lint -o sarif` prints a log for code scanning", async () => {
    const at = await setUp();
    const { id } = (await flaws["tool-plain-http"]?.(at)) ?? { id: "" };
    const { code, json } = await at.run("lint", "--severity", "warning", "-o", "sarif");
    expect(code).toBe(10);
    const [run] = json.runs;
    expect(json.version).toBe("2.1.0");
    expect(run.results).toMatchObject([
      {
        ruleId: "tool-plain-http",
        level: "warning",
        locations: [{ physicalLocation: { artifactLocation: { uri: `tools/${id}` } } }],
      },
    ]);
    expect(run.tool.driver.rules[run.results[0].ruleIndex].id).toBe("tool-plain-http");
  });

  test("`lint` with --profile suggests commands with the same --profile", async () => {
    const at = await setUp();
    await flaws["glossary-double"]?.(at);
    const named = ["--only", "glossary-double", "--profile", "offline"];
    const { json } = await at.run("lint", ...named, "-o", "json");
    expect(json[0].help).toMatch(/^voxctl --profile offline glossary delete [0-9a-f]{24}$/);
    expect((await at.run(...json[0].help.split(" ").slice(1), "--yes")).code).toBe(0);
    expect((await at.run("lint", ...named, "-o", "json")).json).toEqual([]);
  });

  test("after `apply` of a plan file from `lint --plan`, no finding remains", async () => {
    const at = await setUp();
    for (const rule of ["prompt-gone", "knowledge-unindexed", "pronunciation-double"])
      await flaws[rule]?.(at);
    const only = ["--only", "prompt-gone,knowledge-unindexed,pronunciation-double"];
    const { code, stderr } = await at.run("lint", ...only, "--plan", "repairs.plan");
    expect(code).toBe(10);
    expect(stderr).toContain("with 3 fixes to repairs.plan");
    const shown = await at.run("plan", "show", "repairs.plan", "-o", "json");
    expect(shown.code).toBe(0);
    const applied = await at.run("apply", "repairs.plan", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    await at.later(60);
    expect((await at.run("lint", ...only, "-o", "json")).json).toEqual([]);
  });

  test.each([
    [["--only", "prompt-gon"], /lint rule "prompt-gon" not found[\s\S]*prompt-gone/],
    [["--force"], /--force requires --plan/],
    [["-o", "xml"], /expected one of table, json, yaml, ndjson, csv, sarif/],
  ])("`lint` refuses %j with exit code 2 and a hint", async (flags, message) => {
    const at = await setUp();
    const { code, stderr } = await at.run("lint", ...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
