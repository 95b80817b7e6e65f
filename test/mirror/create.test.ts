import { cpSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import {
  copiedLists,
  createEmulatorAsk,
  expectSameContent,
  openFork,
  readAllRows,
  watchSource,
} from "../helpers/mirror.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const everything = Object.keys(copiedLists);
const whole = process.env["PROOF"] !== undefined;

async function demoSource(transport: "in process" | "over HTTP" = "in process") {
  const emulator = await openTestEmulator(transport, { seed: "demo" });
  // Wait until indexing has ended, because it would otherwise progress in the copy.
  await emulator.advance(60);
  return emulator;
}

it("[M1] [W1] a mirror has the same lists and resources as the source", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const made = await run("mirror", "create", "acme", "--calls", "all", "--call-details", "-o", "json");
  expect(made.code, made.stderr).toBe(0);
  expect(made.json).toMatchObject({
    name: "acme",
    consistency: "consistent",
    absent: {},
    dangling: [],
    unknown_fields: {},
    contradicted: [],
    limits: { read: { limit: 1000, assumed: false }, write: { limit: 200, assumed: true } },
  });
  const fork = await openFork(data, "acme");
  await expectSameContent(createEmulatorAsk(source.instance), fork.ask, everything);
  const [group] = (await readAllRows(fork.ask, "/groups")).filter(({ type }) => type === "contacts");
  const { body } = await fork.ask("POST", "/contacts", { group_id: group.id, first_name: "Neu" });
  const rows = await readAllRows(fork.ask, "/contacts");
  expect(rows.at(-1).id).toBe(body.data.id);
  const assistant = (await readAllRows(fork.ask, "/assistants"))[0];
  const { id, phone_number, carrier, created_at, updated_at, pre_call_webhook, ...fields } = assistant;
  expect((await fork.ask("POST", "/assistants", fields)).status).toBe(201);
});

it("[M1] a mirror over HTTP equals the source", async () => {
  await using source = await demoSource("over HTTP");
  const { run, data } = commandLine({
    env: { VOXCTL_BASE_URL: `${source.url}/api/v1`, VOXCTL_API_KEY: source.keys.admin },
  });
  const made = await run("mirror", "create", "acme", "-o", "table");
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toMatch(/^Mirror acme of profile/);
  expect(made.stdout).toMatch(
    /consistent \(the last two passes were equal, \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC\), \d+ reads, /,
  );
  expect(made.stdout).toContain("not copied: calls (not requested), secrets of 1 webhook and 3 tools, roles");
  const fork = await openFork(data, "acme");
  await expectSameContent(createEmulatorAsk(source.instance), fork.ask, ["groups", "tools", "assistants"]);
});

it("[M7] a mirror is private and is deleted after it has expired", async () => {
  await using source = await demoSource();
  const clock = { now: () => time, sleep: async () => {} };
  let time = Date.parse("2026-03-02T09:00:00Z");
  const { run, data } = commandLine({ overrides: { ...connectedTo(source.instance), clock } });
  await run("mirror", "create", "acme", "--include", "groups", "--expires", "2h");
  const mode = (...path: string[]) => (statSync(join(data, "mirrors", ...path)).mode & 0o777).toString(8);
  expect([mode("acme"), mode("acme", "world.db"), mode("acme", "world.db.key")]).toEqual([
    "700",
    "600",
    "600",
  ]);
  const list = await run("mirror", "list", "-o", "json");
  expect(list.json).toMatchObject([
    { name: "acme", state: "finished", expires_at: "2026-03-02T11:00:00.000Z" },
  ]);
  expect((await run("mirror", "list", "-o", "table")).stdout).toMatch(/ consistent /);
  time += 2 * 3_600_000;
  expect((await run("mirror", "list", "-o", "json")).json).toEqual([]);
  expect(existsSync(join(data, "mirrors", "acme"))).toBe(false);
  expect((await run("mirror", "list", "acme")).code).toBe(4);
});

it("[M5] a copy that is killed at any request can be resumed, with the same result", async () => {
  await using source = await demoSource();
  const ask = createEmulatorAsk(source.instance);
  const person = commandLine();
  const copied = everything.filter((resource) => resource !== "calls");
  const count = { requests: 0 };
  const counting = watchSource(source.instance, async () => {
    count.requests += 1;
  });
  await person.runWith({ overrides: counting }, "mirror", "create", "whole", "--calls", "all");
  const moments = whole ? Array.from({ length: count.requests }, (_, index) => index + 1) : [20];
  for (const moment of moments) {
    const killed = `${person.data}-killed-at-${moment}`;
    let requests = 0;
    const dying = watchSource(source.instance, async () => {
      requests += 1;
      if (requests < moment) return;
      // Copy the files in their current state, as a kill would leave them.
      if (!existsSync(killed)) cpSync(person.data, killed, { recursive: true });
      throw new ConnectionError("the process was killed", false, "KILLED", { permanent: true });
    });
    const name = `m${moment}`;
    const first = await person.runWith({ overrides: dying }, "mirror", "create", name, "--calls", "all");
    expect(first.code, `${moment}: ${first.stderr}`).toBe(9);
    const env = { VOXCTL_DATA_DIR: killed };
    if (moment > 1) expect((await person.runWith({ env }, "mirror", "list", name)).code).toBe(8);
    const overrides = connectedTo(source.instance);
    const second = await person.runWith(
      { env, overrides },
      "mirror",
      "create",
      name,
      "--calls",
      "all",
      "-o",
      "json",
    );
    expect(second.code, `${moment}: ${second.stderr}`).toBe(0);
    expect(second.json.consistency).toBe("consistent");
    // The resumed copy repeats only requests without a saved response: at most two, because lists are read in
    // parallel.
    expect(second.json.reads).toBeLessThanOrEqual(count.requests + 2);
    const fork = await openFork(killed, name);
    await expectSameContent(ask, fork.ask, whole ? copied : ["groups", "knowledge"]);
  }
});

it("[M6] `mirror refresh` updates a mirror and does not change a fork", async () => {
  await using source = await demoSource();
  const ask = createEmulatorAsk(source.instance);
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  await run("mirror", "create", "acme");
  const former = await openFork(data, "acme");
  const [first, second] = await readAllRows(ask, "/contacts");
  const [item] = await readAllRows(ask, "/knowledge-items");
  await ask("PATCH", `/contacts/${first.id}`, { last_name: "Changed" });
  await ask("DELETE", `/contacts/${second.id}`);
  await ask("POST", "/contacts", { group_id: first.group_id, first_name: "New" });
  await ask("PATCH", `/knowledge-items/${item.id}`, { text: "another text" });
  await source.advance(60);
  const refreshed = await run("mirror", "refresh", "-o", "json");
  expect(refreshed.code, refreshed.stderr).toBe(0);
  expect(refreshed.json).toMatchObject({ name: "acme", consistency: "consistent" });
  expect(refreshed.stderr).toContain("Pass 1: 4 records changed since the previous copy");
  expect(refreshed.json.passes.slice(2)).toMatchObject([
    { pass: 3, changed: 4 },
    { pass: 4, changed: 0 },
  ]);
  const copied = everything.filter((resource) => resource !== "calls");
  await expectSameContent(ask, (await openFork(data, "acme")).ask, copied);
  expect((await former.ask("GET", `/contacts/${first.id}`)).body.data.last_name).toBe(first.last_name);
});

it("[M4] a mirror of constantly changing data is reported as fuzzy", async () => {
  await using source = await demoSource();
  const ask = createEmulatorAsk(source.instance);
  const [contact] = await readAllRows(ask, "/contacts");
  let changes = 0;
  const busy = watchSource(source.instance, async ({ path }) => {
    if (!path.endsWith("/voices")) return;
    changes += 1;
    await ask("PATCH", `/contacts/${contact.id}`, { last_name: `Change ${changes}` });
    await source.advance(1);
  });
  const { run } = commandLine({ overrides: busy });
  const made = await run("mirror", "create", "acme", "--passes", "2", "-o", "json");
  expect(made.json).toMatchObject({ consistency: "fuzzy", changed_in_last_pass: 1 });
});

it("[M9] a mirror marks a list as absent if the list was not copied", async () => {
  await using source = await demoSource();
  const { run, runWith, data } = commandLine({ overrides: connectedTo(source.instance) });
  const ask = createEmulatorAsk(source.instance);
  const named = (await readAllRows(ask, "/contacts"))[0].group_id;
  await run("mirror", "create", "acme", "--include", "groups,contacts", "--group", named);
  const fork = await openFork(data, "acme");
  const read = async (path: string) => {
    const { status, headers, body } = await fork.ask("GET", path);
    return [status, headers.get("x-emulator-absent"), body.data?.length];
  };
  const own = (await readAllRows(ask, "/contacts")).filter(({ group_id }) => group_id === named).length;
  expect(await read("/calls")).toEqual([200, "calls", 0]);
  expect(await read("/contacts?limit=200")).toEqual([200, "contacts", own]);
  expect(await read(`/contacts?limit=200&group_id=${named}`)).toEqual([200, null, own]);
  expect(await read(`/contacts/${"0".repeat(24)}`)).toEqual([404, "contacts", undefined]);
  expect(await read("/groups")).toEqual([200, null, expect.any(Number)]);
  const counted = await fork.emulator.control("GET", "/tables/absent_reads");
  expect(counted).toContainEqual({ resource: "calls", group_id: "", reads: 1 });
  // A response to a write is also marked if the data was not copied.
  const erased = await fork.ask("DELETE", `/calls/${"0".repeat(24)}/recording`);
  expect([erased.status, erased.headers.get("x-emulator-absent")]).toEqual([404, "calls"]);
  const listed = await runWith({ overrides: connectedTo(fork.emulator) }, "calls", "list");
  expect(listed.stderr).toContain(
    "warning: the mirror doesn't contain all calls: the results may be incomplete",
  );
});

it("[M8] a mirror lacks the features that its organization lacks", async () => {
  await using source = await demoSource();
  const organization = source.instance.startLine.organization_id;
  const [{ features }] = await source.control("GET", "/organizations");
  await source.control("PATCH", `/organizations/${organization}`, {
    features: features.filter((feature: string) => feature !== "knowledge"),
  });
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const made = await run("mirror", "create", "acme", "-o", "json");
  expect(made.json).toMatchObject({
    absent: { knowledge: "subscription" },
    features: { off: ["knowledge"] },
  });
  const fork = await openFork(data, "acme");
  expect((await fork.ask("GET", "/knowledge-items")).status).toBe(402);
});

it("[emulator.control refuses] [W2] a finished mirror accepts no more copied data", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  await run("mirror", "create", "acme", "--include", "groups");
  expect((await run("mirror", "create", "acme")).code).toBe(6);
  const { emulator } = await openFork(data, "acme");
  const page = { resource: "groups", list: "groups", pass: 3, rows: [], cursor: null, done: true };
  await expect(emulator.control("POST", "/mirror/rows", page)).rejects.toMatchObject({ status: 409 });
});

it("[M3] `mirror create --dry-run` sends one read per list and stores no data", async () => {
  await using source = await demoSource();
  const paths: string[] = [];
  const overrides = watchSource(source.instance, async ({ path }) => void paths.push(path));
  const { run, data } = commandLine({ overrides });
  const tried = await run("mirror", "create", "acme", "--dry-run", "-o", "json");
  expect(tried.json).toMatchObject({ at_least: false, reads: 22 + 11 });
  expect(paths).toHaveLength(11);
  const { stdout } = await run("mirror", "create", "acme", "--dry-run", "-o", "table");
  expect(stdout).toMatch(/^Estimate: about 33 reads, \d+ s\n {2}voices \d+ · groups \d+ · /);
  expect(existsSync(join(data, "mirrors"))).toBe(false);
});

it("[M8] `mirror create` reports unreadable data as forbidden and copies the rest", async () => {
  await using source = await demoSource("over HTTP");
  const permissions = ["groups:read", "voices:read", "calendars:read"];
  const { key } = await source.control("POST", "/keys", { kind: "public", permissions });
  const { run } = commandLine({
    env: { VOXCTL_BASE_URL: `${source.url}/api/v1`, VOXCTL_API_KEY: key },
  });
  const made = await run("mirror", "create", "acme", "-o", "json");
  expect(made.code, made.stderr).toBe(0);
  expect(made.json.absent).toMatchObject({
    contacts: "forbidden",
    tools: "forbidden",
    calls: "not-asked-for",
  });
  expect(Object.keys(made.json.counts)).toEqual(["voices", "groups", "calendars"]);
});

it("[M8] `mirror create` copies an organization of a service that has no path /tools", async () => {
  await using source = await demoSource();
  const overrides = reshapeResponses(source.instance, ({ path }) =>
    path.startsWith("/api/v1/tools") ? { status: 404, body: { code: "not_found", details: [] } } : undefined,
  );
  const { run } = commandLine({ overrides });
  const tried = await run("mirror", "create", "acme", "--dry-run");
  expect(tried.code, tried.stderr).toBe(0);
  const made = await run("mirror", "create", "acme", "-o", "table");
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout + made.stderr).toContain("tools (not found in the service)");
});

it("[M4] `mirror create` keeps dangling references", async () => {
  await using source = await demoSource();
  const ask = createEmulatorAsk(source.instance);
  const prompt = await ask("POST", "/prompts", { name: "Mail", kind: "email", text: "x" });
  const id = prompt.body.data.id;
  const [assistant] = await readAllRows(ask, "/assistants");
  await ask("PATCH", `/assistants/${assistant.id}`, { email_prompt_id: id });
  expect((await ask("DELETE", `/prompts/${id}`)).status).toBe(200);
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const made = await run("mirror", "create", "acme", "-o", "json");
  expect(made.json.dangling).toEqual([{ resource: "prompts", id, in: `assistants ${assistant.id}` }]);
  const fork = await openFork(data, "acme");
  const selectable = new Set((await readAllRows(fork.ask, "/voices")).map((voice) => voice.id));
  const assistants = await readAllRows(fork.ask, "/assistants");
  expect(assistants.find((candidate) => candidate.id === assistant.id).email_prompt_id).toBe(id);
  const old = assistants.find(({ voice_id }) => !selectable.has(voice_id));
  if (old) {
    const kept = await fork.ask("PATCH", `/assistants/${old.id}`, { voice_id: old.voice_id });
    expect(kept.status).toBe(200);
  }
  const voices = await fork.emulator.control("GET", "/voices");
  expect(voices).toEqual(expect.arrayContaining([expect.objectContaining({ selectable: true })]));
});

it("[T7] `mirror create` exits with code 9 if a list is endless or its records have no ID", async () => {
  await using source = await demoSource();
  const emptyPage = () => ({ data: [], meta: { has_more: true, next_cursor: crypto.randomUUID() } });
  for (const body of [emptyPage, () => ({ data: [{ name: "Kunden" }] })]) {
    const overrides = reshapeResponses(source.instance, ({ path }) =>
      /\/groups(\?|$)/.test(path) ? { status: 200, body: body() } : undefined,
    );
    const made = await commandLine({ overrides }).run("mirror", "create", "acme", "-o", "json");
    expect(made.code, made.stderr).toBe(9);
    expect(made.stderr).toContain('"incomplete_list"');
  }
});

it("[T7] `mirror create` exits with code 9 if a list's pages contain no new rows", async () => {
  await using source = await demoSource();
  let pages = 0;
  const overrides = reshapeResponses(
    source.instance,
    ({ path }, { body }) => {
      if (!/\/groups(\?|$)/.test(path)) return undefined;
      pages += 1;
      // End the list, so that the test ends even if the copy doesn't stop.
      return { body: { ...body, meta: { has_more: pages < 1_200, next_cursor: `page-${pages}` } } };
    },
    ({ path }) => ({ path: path.replace(/cursor=[^&]+&?/, "") }),
  );
  const made = await commandLine({ overrides }).run("mirror", "create", "acme", "-o", "json");
  expect([made.code, pages]).toEqual([9, 1_002]);
  expect(made.stderr).toContain("1001 consecutive pages have no new rows");
});

it("[M5] `mirror create` resumes a copy that was interrupted before it copied any data", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const db = join(data, "mirrors", "acme", "world.db");
  const left = await openEmulator({ db, seed: "empty", exclusive: true });
  await left.close();
  expect((await run("mirror", "list", "acme")).code).toBe(8);
  expect((await run("mirror", "create", "acme", "--include", "groups")).code).toBe(0);
});

it("[M5] `mirror create` resumes a copy only with a key of the same organization", async () => {
  await using source = await demoSource();
  const { transport, startLine } = source.instance;
  const other = await source.control("POST", "/organizations", { name: "B" });
  const { key } = await source.control("POST", "/keys", { kind: "public", organization_id: other.id });
  const { runWith } = commandLine();
  const create = (apiKey: string, overrides: Overrides = { transport }) =>
    runWith(
      { env: { VOXCTL_BASE_URL: "http://127.0.0.1:4711/api/v1", VOXCTL_API_KEY: apiKey }, overrides },
      ...["mirror", "create", "acme", "--include", "contacts", "--passes", "1", "-o", "json"],
    );
  let requests = 0;
  const interrupted = await create(startLine.keys.admin, {
    transport: async (url, request) => {
      requests += 1;
      if (requests < 2) return transport(url, request);
      return transport(url, { ...request, headers: { ...request.headers, authorization: "Bearer x" } });
    },
  });
  expect(interrupted.code, interrupted.stderr).toBe(3);
  const elsewhere = await create(key);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([12, expect.stringContaining('"wrong_target"')]);
  const resumed = await create(startLine.keys.admin);
  expect([resumed.code, Object.keys(resumed.json.counts)]).toEqual([0, ["groups", "contacts"]]);
});

it("[M5] `mirror create NAME` resumes an interrupted copy with its flags", async () => {
  await using source = await demoSource();
  const { run, runWith } = commandLine({ overrides: connectedTo(source.instance) });
  let interrupt = () => {};
  let requests = 0;
  const interrupting = watchSource(source.instance, async () => {
    requests += 1;
    if (requests === 2) interrupt();
  });
  const interrupted = await runWith(
    {
      overrides: interrupting,
      before: (io) => {
        interrupt = () => io.signal("SIGINT");
      },
    },
    ...["mirror", "create", "acme", "--include", "contacts", "-o", "json"],
  );
  expect(interrupted.code).toBe(130);
  expect(JSON.parse(interrupted.stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
    ...{ code: "interrupted", retryable: true, hint: "to resume, run the same command again" },
  });
  const [listed] = (await run("mirror", "list", "-o", "json")).json;
  expect(listed).toMatchObject({ name: "acme", state: "unfinished", profile: "offline" });
  const resumed = await run("mirror", "create", "acme", "-o", "json");
  expect([resumed.code, Object.keys(resumed.json.counts)]).toEqual([0, ["groups", "contacts"]]);
});
