import { describe, expect, onTestFinished, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import type { Transport } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";
import { projectText, setUpFolder } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;
const seeds = isProof
  ? Array.from({ length: 12 }, (_, index) => Number(process.env["PROOF_SEED"] ?? 1) + index)
  : [4];
const seconds = isProof ? 3_600 : 120;

/** Users change one value of each resource: its text, definition or address. */
const resources = ["prompts", "glossary", "knowledge", "tools"] as const;
type Resource = (typeof resources)[number];
const fieldOf: Record<Resource, string> = {
  prompts: "text",
  glossary: "definition",
  knowledge: "text",
  tools: "url",
};
const pathIn: Record<Resource, string> = {
  prompts: "prompts",
  glossary: "glossary",
  knowledge: "knowledge-items",
  tools: "tools",
};
const nameOf: Record<Resource, string> = {
  prompts: "name",
  glossary: "term",
  knowledge: "name",
  tools: "name",
};

/** The last match counts, because names contain the initial value of the resource. */
const valueIn = (text: unknown) => String(text).match(/w\d+/g)?.at(-1);
const written = (resource: Resource, value: string) =>
  resource === "tools" ? `https://crm.example.com/${value}` : value;

const glossaryFile = "glossary/fach.yaml";
const pathOf = (resource: Resource, name: string) =>
  resource === "knowledge"
    ? `knowledge/preise/${name}.md`
    : `${resource}/${name}.${resource === "tools" ? "yaml" : "md"}`;

function fileOf(resource: Resource, name: string, value: string): string {
  if (resource === "prompts") return `---\nname: ${name}\nkind: answering\n---\n${value}\n`;
  if (resource === "knowledge") return `---\ntitle: ${name}\n---\n${value}\n`;
  return `name: ${name} # von Hand\nurl: ${written(resource, value)}\n`;
}
const entryOf = (name: string, value: string) => `  - { term: ${name}, definition: ${value} }\n`;

/** Replaces a value in the text of a file, but not in names, which contain the initial value after `_`. */
const withValue = (text: string, value: string, next: string) =>
  text.replace(new RegExp(`(?<!_)${value}\\b`), next);

interface LiveResource {
  resource: Resource;
  id: string;
  name: string;
  value: string | undefined;
}

async function organization(seed: number) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
    limits: { read: 1e6, write: 1e6 },
  });
  onTestFinished(() => emulator.close());
  const api = publicApi(emulator);
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await api(method, path, body);
    return {
      status: response.status,
      data: (response.body as { data?: unknown }).data as Record<string, unknown>,
    };
  };
  const group = async (type: string) => {
    const { data } = await ask("GET", "/groups?limit=200");
    return (data as unknown as Record<string, unknown>[]).find((candidate) => candidate["type"] === type)?.[
      "id"
    ];
  };
  const groups = { glossary: await group("glossaries"), knowledge: await group("knowledges") };
  const listLive = async (): Promise<LiveResource[]> => {
    const liveResources: LiveResource[] = [];
    for (const resource of resources) {
      const { data } = await ask("GET", `/${pathIn[resource]}?limit=200`);
      for (const row of data as unknown as Record<string, unknown>[]) {
        const whole =
          resource === "knowledge" ? (await ask("GET", `/${pathIn[resource]}/${row["id"]}`)).data : row;
        liveResources.push({
          resource,
          id: String(row["id"]),
          name: String(row[nameOf[resource]]),
          value: valueIn(whole[fieldOf[resource]]),
        });
      }
    }
    return liveResources;
  };
  const liveValue = async (resource: Resource, id: string) => {
    const { status, data } = await ask("GET", `/${pathIn[resource]}/${id}`);
    return status === 404 ? undefined : valueIn(data[fieldOf[resource]]);
  };
  let values = 0;
  let draws = 0;
  const draw = (below: number) => {
    draws += 1;
    return Math.floor(seededDraw(seed, "hour", draws) * below);
  };
  const pick = <T>(all: readonly T[]): T | undefined => all[draw(all.length)];
  return {
    emulator,
    ask,
    groups,
    things: listLive,
    liveValue,
    draw,
    pick,
    newValue: () => {
      values += 1;
      return `w${values}`;
    },
  };
}
type Organization = Awaited<ReturnType<typeof organization>>;

function dashboard({ ask, groups, pick, newValue, things: listLive }: Organization) {
  const edit = async ({ resource, id }: Pick<LiveResource, "resource" | "id">) =>
    ask("PATCH", `/${pathIn[resource]}/${id}`, { [fieldOf[resource]]: written(resource, newValue()) });
  return {
    edit,
    editAny: async () => {
      const target = pick(await listLive());
      if (target !== undefined) await edit(target);
    },
    create: async () => {
      const resource = pick(resources) ?? "prompts";
      const value = newValue();
      const own = {
        prompts: { kind: "answering" },
        glossary: { group_id: groups.glossary },
        knowledge: { group_id: groups.knowledge },
        tools: {},
      }[resource];
      const body = {
        ...own,
        [nameOf[resource]]: `live_${value}`,
        [fieldOf[resource]]: written(resource, value),
      };
      expect((await ask("POST", `/${pathIn[resource]}`, body)).status).toBe(201);
    },
    remove: async () => {
      const target = pick(await listLive());
      if (target !== undefined) await ask("DELETE", `/${pathIn[target.resource]}/${target.id}`);
    },
  };
}

type Watch = (
  method: string,
  resource: Resource | undefined,
  id: string | undefined,
  body: string | undefined,
) => Promise<void>;

function watched(emulator: Emulator, watch: Watch): Overrides {
  const transport: Transport = async (url, request) => {
    const [, resource, id] = /\/api\/v1\/([\w-]+)(?:\/(\w+))?/.exec(url) ?? [];
    await watch(
      request.method,
      resources.find((candidate) => pathIn[candidate] === resource),
      id,
      request.body,
    );
    return emulator.transport(url, request);
  };
  return {
    connect: async (profile, options) => ({
      ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
      close: async () => {},
    }),
  };
}

function person(name: string, organization: Organization) {
  const { emulator, draw, pick, newValue, liveValue } = organization;
  const live = dashboard(organization);
  /** The value that the user of this directory last knew, by ID. */
  const known = new Map<string, string | undefined>();
  const violations: string[] = [];
  const history: string[] = [];
  let hasWritten = false;
  let hasEnded = false;
  let isForced = false;
  /** The value of each resource, by ID, when the running command first read the resource. */
  const seen = new Map<string, string | undefined>();
  const overrides = watched(emulator, async (method, resource, id, body) => {
    // Another user sometimes changes a resource right before the command reads from the organization.
    const isQuiet = hasEnded || draw(12) > 0;
    if (method === "GET" && resource !== undefined && !isQuiet) {
      if (id !== undefined) await live.edit({ resource, id });
      else if (!hasWritten) await live.editAny();
    }
    if (method === "GET" && resource !== undefined && id !== undefined && !seen.has(id))
      seen.set(id, await liveValue(resource, id));
    if (method === "GET" || resource === undefined || id === undefined) return;
    hasWritten = true;
    const value = await liveValue(resource, id);
    const isTouched = method === "DELETE" || body?.includes(`"${fieldOf[resource]}"`) === true;
    const isExpected = value === known.get(id) || (isForced && value === seen.get(id));
    if (isTouched && value !== undefined && !isExpected)
      violations.push(
        `${name}: ${method} ${resource}/${id} over ${value}, and ${known.get(id)} is known: ${body} ${history.slice(-12).join("; ")}`,
      );
    if (isTouched && method === "PATCH") known.set(id, valueIn(body));
  });
  const folder = setUpFolder(
    emulator,
    {
      "voxctl.project.yaml": projectText("", "[prompts, knowledge, glossary, tools]"),
      [glossaryFile]: "group: Default\nitems:\n",
      "knowledge/preise/_group.yaml": "name: Default\n",
    },
    { overrides },
  );
  const { read, write, lock } = folder;
  const all = () =>
    Object.fromEntries(Object.entries(folder.all()).filter(([path]) => !path.endsWith(".orig")));
  const values = () => {
    const valuesByKey = new Map<string, string>();
    for (const [path, text] of Object.entries(all())) {
      if (path === glossaryFile) {
        for (const [, term = "", value = ""] of text.matchAll(
          /term: "?(\w+)"?.*?\n?.*?definition: "?(w\d+)/g,
        ))
          valuesByKey.set(`glossary/fach#${term}`, value);
        continue;
      }
      const key = path.replace(/\.\w+$/, "");
      const value =
        path.startsWith("locks") || path.includes("_group")
          ? undefined
          : valueIn(text.split("\n---\n").at(-1));
      if (value !== undefined) valuesByKey.set(key, value);
    }
    return valuesByKey;
  };
  const idsOf = () => new Map(Object.entries(lock()).map(([key, { id }]) => [key, id]));
  const resourceOf = (key: string) =>
    resources.find((candidate) => key.startsWith(`${candidate}/`)) ?? "prompts";
  const agree = async () => {
    const ids = idsOf();
    for (const [key, value] of values()) {
      const id = ids.get(key);
      if (id !== undefined && (await liveValue(resourceOf(key), id)) === value) known.set(id, value);
    }
  };
  const unsent = () => {
    const ids = idsOf();
    return new Map([...values()].filter(([key, value]) => known.get(ids.get(key) ?? "") !== value));
  };
  const run = async (verb: string, ...more: string[]) => {
    hasWritten = false;
    isForced = more.includes("overwrite") || (verb === "apply" && more.includes("file"));
    seen.clear();
    const [before, former] = [unsent(), values()];
    const formerIds = idsOf();
    const bound = new Set(formerIds.values());
    history.push(`${verb} ${more.join(" ")}`);
    const isTaking = more.includes("live") || more.includes("--prune");
    const ran = await (verb === "apply"
      ? folder.apply("--wait", "0s", ...more)
      : folder.config(verb, ...more));
    expect([0, 10, 12, 68], `${name}: ${verb} ${more.join(" ")}: ${ran.stderr}`).toContain(ran.code);
    await agree();
    const after = values();
    history.push(String(ran.code));
    // The user now knows the values that a pull wrote and the values of resources that an apply created.
    for (const [key, id] of idsOf()) {
      const value = after.get(key);
      // `adopt` bound a resource that another user recreated. The user still knows the old resource's value.
      if (verb === "adopt" && !bound.has(id)) known.set(id, known.get(formerIds.get(key) ?? ""));
      if (verb === "adopt") continue;
      const isTaken = verb === "pull" && value !== former.get(key);
      if (value !== undefined && (isTaken || !bound.has(id))) known.set(id, value);
    }
    // The user resolved the conflict in favor of the file, so the next apply is allowed to overwrite the live
    // value. A deleted resource has no live value; the user still knows its last value.
    if (verb === "pull" && more.includes("file"))
      for (const [key, id] of idsOf()) {
        const value = seen.get(id);
        if (value !== undefined && after.has(key) && after.get(key) !== value) known.set(id, value);
      }
    if (!isTaking)
      for (const [key, value] of before)
        if (after.get(key) !== value)
          violations.push(`${name}: ${verb} took ${value} out of ${key}: ${history.slice(-12).join("; ")}`);
    return ran;
  };
  const actions: Record<string, (resource?: Resource) => Promise<unknown>> = {
    edit: async () => {
      const [key = "", value = ""] = pick([...values()]) ?? [];
      if (key === "") return;
      const path = key.startsWith("glossary/")
        ? glossaryFile
        : Object.keys(all()).find((candidate) => candidate.replace(/\.\w+$/, "") === key);
      if (path !== undefined) write({ [path]: withValue(read(path), value, newValue()) });
    },
    add: async (resource = pick(resources) ?? "prompts") => {
      const value = newValue();
      const label = `${name}_${value}`;
      if (resource === "glossary") {
        const text = read(glossaryFile);
        write({ [glossaryFile]: `${text.replace(/items: *\[\]/, "items:")}${entryOf(label, value)}` });
      } else write({ [pathOf(resource, label)]: fileOf(resource, label, value) });
    },
    remove: async () => {
      const [key = ""] = pick([...values()].filter(([entryKey]) => !entryKey.includes("#"))) ?? [];
      const path = Object.keys(all()).find((candidate) => candidate.replace(/\.\w+$/, "") === key);
      if (path !== undefined) write({ [path]: undefined });
    },
    pull: () => run("pull"),
    "pull new": () => run("pull", "--new"),
    "pull delete": () => run("pull", "--prune"),
    "pull live": () => run("pull", "--resolve", "live"),
    plan: () => run("plan"),
    apply: () => run("apply"),
    "apply keep": () => run("apply", "--drift", "keep"),
    "apply keep live": () => run("apply", "--drift", "keep", "--resolve", "live"),
    "apply keep file": () => run("apply", "--drift", "keep", "--resolve", "file"),
    "apply prune": () => run("apply", "--prune=adopted"),
    "apply keep prune": () => run("apply", "--drift", "keep", "--prune=adopted"),
    "apply overwrite": () => run("apply", "--drift", "overwrite", "--resolve", "file"),
    "apply overwrite prune": () =>
      run("apply", "--drift", "overwrite", "--resolve", "file", "--prune=adopted"),
    "pull file": () => run("pull", "--resolve", "file"),
  };
  /** Pulls and applies without other users' changes. */
  const agrees = async () => {
    hasEnded = true;
    await run("adopt");
    await run("pull", "--new", "--prune", "--resolve", "live");
    const { code, stderr } = await run("apply");
    expect([code, stderr], name).toEqual([0, ""]);
    const ids = [...idsOf()].filter(([key]) => values().has(key));
    const expectedValues = new Map(ids.map(([key, id]) => [id, values().get(key)]));
    // A resource whose file was removed stays live without --prune.
    const existing = (await organization.things()).filter(({ id }) => expectedValues.has(id));
    return { told: expectedValues, live: new Map(existing.map(({ id, value }) => [id, value])) };
  };
  return { name, violations, history, actions, run, agrees };
}

describe("two users and a dashboard", () => {
  test.each(seeds)(
    "[property] two users lose no change in an hour of work on one organization, seed %i",
    async (seed) => {
      const setup = await organization(seed);
      const people = [person("anna", setup), person("ben", setup)];
      const live = dashboard(setup);
      const { draw, pick, things: listLive } = setup;
      const [anna, ben] = people;
      for (const user of people) {
        for (const resource of resources) await user.actions["add"]?.(resource);
        await user.run("apply", "--adopt");
      }
      let elapsed = 0;
      let acted = 0;
      while (elapsed < seconds) {
        const pause = 5 + draw(25);
        elapsed += pause;
        await setup.emulator.control("PATCH", "/clock", { advance_seconds: pause });
        const turn = draw(10);
        if (turn < 3) await live.editAny();
        else if (turn === 3) await (draw(6) === 0 ? live.remove() : live.create());
        else {
          const user = people[turn % 2];
          const action = pick(Object.keys(user?.actions ?? {}));
          await user?.actions[action ?? ""]?.();
        }
        acted += 1;
        expect([elapsed, ...people.flatMap(({ violations }) => violations)]).toEqual([elapsed]);
      }
      expect(acted).toBeGreaterThan(seconds / 60);
      // The test proves something only if a command succeeded, a command was refused, and an apply ran.
      const ends = people.flatMap(({ history }) => history);
      if (isProof)
        expect([
          ends.includes("0"),
          ends.includes("10"),
          ends.some((ended) => ended.startsWith("apply")),
        ]).toEqual([true, true, true]);
      // Each user pulls the other users' changes and applies the remaining changes, until all states match.
      for (const user of [...people, ...people]) await user.agrees();
      for (const user of people) {
        const { told: fileValues, live: now } = await user.agrees();
        expect(fileValues, user.name).toEqual(now);
      }
      const names = (await listLive()).map(({ resource, name }) => `${resource} ${name}`);
      expect(new Set(names).size).toBe(names.length);
      expect(anna && ben && people.flatMap(({ violations }) => violations)).toEqual([]);
    },
  );
});
