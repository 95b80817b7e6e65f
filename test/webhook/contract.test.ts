import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { shell } from "./receiving.js";

const contract = (more = "") => `version: 1
url: \${WEBHOOK_URL:-http://127.0.0.1:1/hook}
auth: { type: bearer, secret: { from: env:WEBHOOK_SECRET } }
limits: { time: 2s, bytes: 32KiB }
response:
  schema: { type: object, required: [name], properties: { name: { type: [string, "null"] } } }
cases:
  - name: known caller
    request: { from: "+4915112345678" }
    expect: { status: 200, json: { name: Anna } }
  - { name: unknown caller, request: { from: "+493099999999" } }
  - { name: withheld number, request: { from: null } }
${more}`;
const standard =
  "standard: [no_auth, wrong_auth, malformed_body, unknown_fields, repeated, concurrent_20, slow_client]\n";

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** A correct receiver. */
const good: RequestListener = async (request, response) => {
  const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
  if (request.headers.authorization !== "Bearer s3cret-value") return void respond(401, {});
  let text = "";
  for await (const chunk of request) text += chunk;
  try {
    const { from } = JSON.parse(text);
    respond(200, { name: from === "+4915112345678" ? "Anna" : null });
  } catch {
    respond(400, { error: "no JSON" });
  }
};

async function tested(listener: RequestListener, text: string, ...flags: string[]) {
  const cli = shell({ env: { WEBHOOK_URL: await serving(listener), WEBHOOK_SECRET: "s3cret-value" } });
  writeFileSync(join(cli.home, "contract.yaml"), text);
  return { ...cli, ran: await cli.run("webhook", "test", "contract.yaml", "-o", "json", ...flags) };
}

describe("webhook test", () => {
  test("`webhook test` passes a conforming receiver in every standard case", async () => {
    const { ran, home } = await tested(good, contract(standard), "--junit", "results.xml");
    expect(ran.stderr).toContain("10 cases passed");
    expect(ran.code).toBe(0);
    expect(ran.json.map(({ name, passed }: { name: string; passed: boolean }) => [name, passed])).toEqual(
      [
        "known caller",
        "unknown caller",
        "withheld number",
        "no_auth",
        "wrong_auth",
        "malformed_body",
        "unknown_fields",
        "repeated",
        "concurrent_20",
        "slow_client",
      ].map((name) => [name, true]),
    );
    expect(readFileSync(join(home, "results.xml"), "utf8")).toContain('tests="10" failures="0"');
  });

  test.each<[string, RequestListener, RegExp]>([
    [
      "responds with a different body",
      (_, response) => void response.end('{"name":"Berta"}'),
      /known caller.*body .*Berta.*, expected/s,
    ],
    [
      "breaks its schema",
      (_, response) => void response.end('{"nam":"Anna"}'),
      /unknown caller.*response name/s,
    ],
    [
      "responds with deeply nested JSON",
      (_, response) => void response.end(`${'{"name":'.repeat(3_000)}1${"}".repeat(3_000)}`),
      /unknown caller.*the body is not JSON/s,
    ],
    [
      "skips authentication",
      (_, response) => void response.end('{"name":"Anna"}'),
      /no_auth.*status 200, expected 401 or 403/s,
    ],
    [
      "mishandles invalid JSON",
      (_, response) => void response.writeHead(500).end(),
      /malformed_body.*status 500, expected 4xx/s,
    ],
  ])("`webhook test` exits with code 11 if a receiver %s", async (_, listener, message) => {
    const { ran } = await tested(listener, contract(standard));
    expect(ran.code).toBe(11);
    expect(ran.stdout).toMatch(message);
  });

  test("`webhook test` masks the secret if a receiver repeats it", async () => {
    const repeat: RequestListener = (request, response) => void response.end(request.headers.authorization);
    const { ran, home } = await tested(repeat, contract(), "--junit", "results.xml");
    expect(ran.code).toBe(11);
    const xml = readFileSync(join(home, "results.xml"), "utf8");
    for (const text of [ran.stdout, xml]) {
      expect(text).toContain("body Bearer ");
      expect(text).not.toContain("s3cret-value");
    }
  });

  test.each([
    ["of basic authentication", "type: basic, username: anna", "", Buffer.from("anna:s3cret-value")],
    ["at the end of a shortened body", "type: bearer", "x".repeat(66), Buffer.from("s3cr")],
  ])("`webhook test` masks a credential %s", async (_, auth, before, leaked) => {
    const repeat: RequestListener = ({ headers }, response) =>
      void response.end(`${before}${headers.authorization}`);
    const { ran } = await tested(repeat, contract().replace("type: bearer", auth));
    expect(ran.stdout).toContain(`body ${before}`);
    for (const text of [leaked.toString(), leaked.toString("base64")]) expect(ran.stdout).not.toContain(text);
  });

  test("`webhook test` doesn't count skipped cases as passed", async () => {
    const text = "version: 1\nstandard: [no_auth, repeated]\n";
    const cli = shell();
    writeFileSync(join(cli.home, "contract.yaml"), text);
    const url = await serving((_, response) => void response.end("{}"));
    const { code, stderr, json } = await cli.run(
      "webhook",
      "test",
      "contract.yaml",
      "--url",
      url,
      "-o",
      "json",
      "--junit",
      "results.xml",
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 case passed, 1 skipped")]);
    expect(json).toMatchObject([
      { name: "no_auth", skipped: true, passed: false },
      { name: "repeated", passed: true },
    ]);
    expect(readFileSync(join(cli.home, "results.xml"), "utf8")).toContain('skipped="1"');
  });

  test("`webhook test` exits with code 9 if no receiver is running", async () => {
    const cli = shell({ env: { WEBHOOK_SECRET: "s3cret-value" } });
    writeFileSync(join(cli.home, "contract.yaml"), contract());
    const { code, stderr } = await cli.run("webhook", "test", "contract.yaml", "--junit", "results.xml");
    expect([code, stderr]).toEqual([9, expect.stringContaining("start the receiver")]);
    expect(readFileSync(join(cli.home, "results.xml"), "utf8")).toContain(
      'tests="3" failures="0" errors="3"',
    );
  });

  test("`webhook test --junit` overwrites other files only with --force", async () => {
    const cli = shell({ env: { WEBHOOK_SECRET: "s3cret-value" } });
    writeFileSync(join(cli.home, "contract.yaml"), contract());
    writeFileSync(join(cli.home, "notes.txt"), "mine");
    const runContract = (...flags: string[]) =>
      cli.run("webhook", "test", "contract.yaml", "--junit", "notes.txt", ...flags);
    const refused = await runContract();
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining("contains no JUnit results"),
    ]);
    expect(readFileSync(join(cli.home, "notes.txt"), "utf8")).toBe("mine");
    expect((await runContract("--force")).code).toBe(9);
    expect(readFileSync(join(cli.home, "notes.txt"), "utf8")).toContain("<testsuites");
  });

  test("`webhook test` reports every error in the contract file with its line", async () => {
    const cli = shell();
    writeFileSync(
      join(cli.home, "contract.yaml"),
      `version: 1\nurl: \${NOWHERE}\nlimits: { time: soon }\ncases:\n  - { name: a, expect: { stats: 200 } }\n  - { name: a }\nstandard: [noauth]\n`,
    );
    const { code, stderr } = await cli.run("webhook", "test", "contract.yaml");
    expect(code).toBe(2);
    for (const part of [
      "NOWHERE is not set (line 2)",
      "(line 3)",
      "did you mean status? (line 5)",
      "(line 7)",
    ])
      expect(stderr).toContain(part);
  });

  test("`webhook test` adds the fields of a case to the emulator's body", async () => {
    const bodies: unknown[] = [];
    const listener: RequestListener = async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      bodies.push(JSON.parse(text));
      response.end("{}");
    };
    const cli = shell({ env: { WEBHOOK_URL: await serving(listener) } });
    writeFileSync(
      join(cli.home, "contract.yaml"),
      `version: 1\nurl: \${WEBHOOK_URL}\ncases: [{ name: one, request: { line: { n: 1 } } }]\n`,
    );
    expect((await cli.run("webhook", "test", "contract.yaml")).code).toBe(0);
    expect(bodies).toMatchObject([{ from: "+4915112345678", line: { n: 1 } }]);
  });
});
