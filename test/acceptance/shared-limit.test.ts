import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";
import { readLog } from "../helpers/log.js";

/** `npm run proof` uses the service's own limit, which takes minutes. */
const whole = process.env["PROOF"] !== undefined;

/** Other clients sent `others` requests in the current window, which ends after `secondsLeft` seconds. */
const scenario = whole
  ? { limit: 200, rows: 300, others: 0, secondsLeft: undefined, secondsBetween: 5 }
  : { limit: 600, rows: 45, others: 550, secondsLeft: 4, secondsBetween: 2 };

/** Rows of each import. Two imports together exceed the limit per minute. */
const offlineRows = whole ? 250 : 120;

interface StartLine {
  base_url: string;
  control_url: string;
  control_token: string;
  keys: { admin: string };
}

async function served() {
  const server = createInstalledCli();
  const child = server.start([
    "emulator",
    "start",
    "--db",
    ":memory:",
    ...["--seed", "empty", "--port", "0", "--limits", `write=${scenario.limit}`, "-o", "json"],
  ]);
  const line: StartLine = JSON.parse(await readFirstLine(child));
  const shell = createInstalledCli({ VOXCTL_BASE_URL: line.base_url, VOXCTL_API_KEY: line.keys.admin });
  const ask = async (url: string, method: string, key: string, body?: unknown) => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = (await response.json()) as { data: unknown };
    return { data: parsed.data, reset: Number(response.headers.get("x-ratelimit-reset")) };
  };
  return {
    ...shell,
    control: (method: string, path: string, body?: unknown) =>
      ask(line.control_url + path, method, line.control_token, body),
    api: (method: string, path: string, body?: unknown) =>
      ask(line.base_url + path, method, line.keys.admin, body),
  };
}

test(
  "two imports with the same key stay within the rate limit and delay no other command",
  async () => {
    const { home, start, command, api, control } = await served();
    const group = (await api("POST", "/groups", { type: "contacts", name: "Kunden" })).data as { id: string };
    for (let count = 1; count < scenario.others; count += 1) {
      await api("PATCH", `/groups/${group.id}`, { name: "Kunden" });
    }
    if (scenario.secondsLeft !== undefined) {
      const { reset } = await api("PATCH", `/groups/${group.id}`, { name: "Kunden" });
      const left = reset - Math.ceil(Date.now() / 1_000);
      await control("PATCH", "/clock", { advance_seconds: left - scenario.secondsLeft });
    }

    const imports = [1, 2].map((number) => {
      const rows = Array.from({ length: scenario.rows }, (_, row) => `Anna${number} ${row}`);
      writeFileSync(join(home, `${number}.csv`), `Vorname\n${rows.join("\n")}\n`);
      // Each import has its own group, since runs into one group are sequential.
      const into = ["--group", `Kunden ${number}`, "--create-group"];
      const child = start(["contacts", "import", `${number}.csv`, ...into, "-o", "json"]);
      child.stdin.end();
      return Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    });
    let running = true;
    const ended = Promise.all(imports).finally(() => {
      running = false;
    });

    let requestCount = 0;
    while (running) {
      // This command counts against the same limit as the imports.
      const created = await command([
        ...["contacts", "create", "--group", group.id, "--first-name", `Bert ${requestCount}`],
        // The command exits with code 7 instead of waiting.
        ...["--max-wait", "0", "-o", "json"],
      ]);
      expect(created).toMatchObject({ code: 0, stderr: "" });
      requestCount += 1;
      await wait(scenario.secondsBetween * 1_000);
    }
    for (const [stdout, stderr, [code]] of await ended) {
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ created: scenario.rows, rate_limited: 0 });
    }
    expect(requestCount).toBeGreaterThan(1);
    expect((await control("GET", "/requests?status=429")).data).toEqual([]);
    const source = { control: async (method: string, path: string) => (await control(method, path)).data };
    const contacts = await readLog(source, "status=201&path=/api/v1/contacts");
    expect(contacts).toHaveLength(2 * scenario.rows + requestCount);
  },
  whole ? 600_000 : 120_000,
);

test("two imports into one local database never delay another command", async () => {
  const { home, start, run } = createInstalledCli();
  const offline = ["--profile", "offline", "-o", "json"];
  const group = JSON.parse(
    (await run(["groups", "create", "--type", "contacts", "--name", "Kunden", ...offline])).stdout,
  );
  const imports = [1, 2].map((number) => {
    const rows = Array.from({ length: offlineRows }, (_, row) => `Anna${number} ${row}`);
    writeFileSync(join(home, `${number}.csv`), `Vorname\n${rows.join("\n")}\n`);
    const into = ["--group", `Kunden ${number}`, "--create-group"];
    const child = start(["contacts", "import", `${number}.csv`, ...into, ...offline]);
    child.stdin.end();
    return Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  });
  const creating = ["contacts", "create", "--group", group.id, "--first-name", "Bert", "--max-wait", "0"];
  expect(await run([...creating, ...offline])).toMatchObject({ code: 0 });
  for (const [stdout, stderr, [code]] of await Promise.all(imports)) {
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ created: offlineRows, rate_limited: 0 });
  }
});
