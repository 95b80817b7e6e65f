import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, scriptPrompts } from "../helpers/cli.js";

const here = "https://voice.example";
const elsewhere = "https://other.example";

async function acme(...flags: string[]) {
  const line = commandLine({ env: { OLD: "old-key", NEW: "new-key" } });
  const words = (url: string, variable = "NEW") =>
    ["profiles", "add", "acme", "--url", url, "--key-env", variable, "--no-check"] as const;
  const added = await line.run(...words(`${here}/api/v1`, "OLD"), ...flags);
  expect(added.code, added.stderr).toBe(0);
  const add = (url: string, ...more: string[]) => line.run(...words(url), ...more);
  const replyTo = (url: string, given: string | boolean) =>
    line.runWith({ terminal: 80, overrides: { prompts: scriptPrompts(given) } }, ...words(url));
  const urls = async () => {
    const { json } = await line.run("profiles", "show", "acme");
    return Object.values<{ url: string }>(json.apis).map(({ url }) => url);
  };
  return { ...line, add, answer: replyTo, urls };
}

describe("`profiles add` with an existing name", () => {
  test("`profiles add` adds another API of the same host without a prompt", async () => {
    const { add, urls } = await acme("--production");
    expect((await add(`${here}/api/distributor/v2`)).code).toBe(0);
    expect(await urls()).toEqual([`${here}/api/v1`, `${here}/api/distributor/v2`]);
  });

  test("`profiles add` replaces the key for the same URL", async () => {
    const { add, run } = await acme("--production");
    const again = await add(`${here}/api/v1/`);
    expect([again.code, again.stderr]).toEqual([0, 'Replaced the key of profile "acme" (public).\n']);
    expect((await run("profiles", "show", "acme")).json.apis.public.key).toBe("environment NEW");
    expect((await add(`${here}/api/v1`)).stderr).toBe("");
  });

  test.each([
    ["the same API at another host", `${elsewhere}/api/v1`],
    ["the same API at another path", `${here}/tenant/api/v1`],
    ["another API at another host", `${elsewhere}/api/distributor/v2`],
  ])("`profiles add` refuses %s unless --yes is set", async (_, url) => {
    const { add, run, urls } = await acme();
    const refused = await add(url);
    expect([refused.code, refused.stdout]).toEqual([12, ""]);
    for (const part of [`${here}/api/v1`, url, "--yes", "nothing was stored"])
      expect(refused.stderr).toContain(part);
    expect((await run("profiles", "show", "acme")).json.apis).toEqual({
      public: { url: `${here}/api/v1`, key: "environment OLD" },
    });
    expect((await add(url, "--yes")).code).toBe(0);
    expect(await urls()).toContain(url);
  });

  test("`profiles add` asks before it replaces a URL", async () => {
    const { answer: replyTo, urls } = await acme();
    const refused = await replyTo(`${elsewhere}/api/v1`, false);
    expect([refused.code, await urls()]).toEqual([12, [`${here}/api/v1`]]);
    expect((await replyTo(`${elsewhere}/api/v1`, true)).code).toBe(0);
    expect(await urls()).toEqual([`${elsewhere}/api/v1`]);
  });

  test("--yes does not confirm a change of a production profile's URL", async () => {
    const { add, answer: replyTo, urls } = await acme("--production");
    const url = `${elsewhere}/api/v1`;
    for (const flags of [[], ["--yes"], ["--yes", "--no-production"]]) {
      const refused = await add(url, ...flags);
      expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--confirm=acme")]);
    }
    expect((await add(url, "--confirm=other")).code).toBe(2);
    expect((await replyTo(url, "yes")).code).toBe(12);
    expect(await urls()).toEqual([`${here}/api/v1`]);
    expect((await add(url, "--confirm=acme")).code).toBe(0);
    expect((await replyTo(`${here}/api/v1`, "acme")).code).toBe(0);
    expect(await urls()).toEqual([`${here}/api/v1`]);
  });

  test("`profiles add` lists the APIs that would keep their URLs", async () => {
    const { add } = await acme();
    await add(`${here}/api/distributor/v2`);
    expect((await add(`${elsewhere}/api/v1`)).stderr).toContain("(unchanged: distributor-v2)");
  });

  test("`profiles add` changes the port of a local URL without a prompt", async () => {
    const { run } = commandLine({ env: { K: "a-key" } });
    const add = (url: string) =>
      run("profiles", "add", "local", "--url", url, "--key-env", "K", "--no-check");
    await add("http://localhost:4010/api/v1");
    const moved = await add("http://127.0.0.1:4011/api/v1");
    expect(moved.code).toBe(0);
    expect(moved.stderr).toContain("http://localhost:4010/api/v1");
    expect(moved.stderr).toContain("http://127.0.0.1:4011/api/v1");
    expect((await run("profiles", "show", "local")).json.apis.public.url).toBe(
      "http://127.0.0.1:4011/api/v1",
    );
  });
});

describe("`profiles import` with existing profiles", () => {
  const remote = (host: string) => ({ kind: "remote", surfaces: { public: { url: `${host}/api/v1` } } });

  async function team(profiles: Record<string, unknown>) {
    const line = await acme();
    writeFileSync(join(line.home, "team.yaml"), JSON.stringify({ voxctl_profiles: 1, profiles }));
    const load = (...names: string[]) => line.run("profiles", "import", "team.yaml", ...names, "--yes");
    const names = async () =>
      (await line.run("profiles", "list")).json.map((profile: { name: string }) => profile.name);
    return { ...line, load, names };
  }

  test("`profiles import` skips profiles with equal URLs, even with different keys", async () => {
    const { load, run } = await team({ acme: remote(here), beta: remote(elsewhere) });
    const loaded = await load();
    expect([loaded.code, loaded.json]).toEqual([0, [expect.objectContaining({ name: "beta" })]]);
    expect(loaded.stderr).toContain("skipped acme: the profile already exists");
    expect((await run("profiles", "show", "acme")).json.apis.public.key).toBe("environment OLD");
  });

  test("`profiles import` keeps the defaults of an existing profile", async () => {
    const { load, run } = await team({ acme: { ...remote(here), defaults: { country: "AT" } } });
    await run("profiles", "set", "acme", "country=DE");
    const loaded = await load();
    expect([loaded.code, loaded.json]).toEqual([0, []]);
    expect(loaded.stderr).toContain("skipped acme: the profile already exists and keeps its defaults");
    expect((await run("profiles", "show", "acme")).json.defaults).toEqual({ country: "DE" });
  });

  test("`profiles import` does not ask if there is no profile to add", async () => {
    const { run } = await team({ acme: remote(here) });
    expect(await run("profiles", "import", "team.yaml")).toMatchObject({ code: 0, json: [] });
  });

  test("`profiles import` adds no profile if one of them conflicts", async () => {
    const { load, names, run } = await team({
      acme: remote(elsewhere),
      beta: remote(elsewhere),
      world: { kind: "offline" },
    });
    await run("profiles", "add", "world", "--offline", "--production");
    const refused = await load();
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain(
      "acme, world already exist and differ from team.yaml (acme: public, world: production)",
    );
    expect(refused.stderr).toContain("voxctl profiles import team.yaml beta");
    expect(refused.stderr).toMatch(
      /to remove the existing profile and its keys, run `voxctl profiles remove acme`/,
    );
    expect(await names()).toEqual(["offline", "acme", "world"]);
    expect((await load("beta")).code).toBe(0);
    expect(await names()).toEqual(["offline", "acme", "world", "beta"]);
  });

  test("`profiles import` lists the names in the file if the specified name is unknown", async () => {
    const { load } = await team({ beta: remote(elsewhere) });
    const refused = await load("gamma");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("which contains beta")]);
  });
});
