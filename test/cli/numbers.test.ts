import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serve } from "../client/network.js";
import { commandLine } from "../helpers/cli.js";

const id = "65f1a0b2c3d4e5f601234568";
const contact = `{"id":"${id}","first_name":"Ada","crm_id":12345678901234567890,"score":{"of":[0.1,9007199254740993]}}`;

/** Serves one contact whose `crm_id` is above 2^53, and records request bodies. */
async function service() {
  const bodies: string[] = [];
  const port = await serve((request, response) => {
    request.on("data", (piece: Buffer) => bodies.push(piece.toString()));
    request.on("end", () => {
      const list = request.url?.startsWith("/api/v1/contacts?") || request.url === "/api/v1/contacts";
      response.setHeader("content-type", "application/json");
      response.end(
        list && request.method === "GET"
          ? `{"data":[${contact}],"meta":{"has_more":false,"next_cursor":null}}`
          : `{"data":${contact}}`,
      );
    });
  });
  const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
  return { ...commandLine({ env }), bodies };
}

describe("[T9] a number beyond 2^53", () => {
  test.each([
    [["contacts", "list", "-o", "json"], '"crm_id": 12345678901234567890'],
    [["contacts", "list", "-o", "json"], "9007199254740993\n"],
    [["contacts", "list", "-o", "ndjson"], contact],
    [["contacts", "list", "-o", "yaml"], "crm_id: 12345678901234567890\n"],
    [
      ["contacts", "list", "-o", "csv", "--fields", "crm_id,score.of"],
      "12345678901234567890,0.1; 9007199254740993",
    ],
    [["contacts", "list", "-o", "table", "--fields", "crm_id"], "12345678901234567890"],
    [["contacts", "get", id, "-o", "json"], '"crm_id": 12345678901234567890'],
    [["contacts", "get", id, "-o", "json", "--fields", "crm_id"], '"crm_id": 12345678901234567890'],
    [["contacts", "get", id, "-o", "yaml"], "crm_id: 12345678901234567890\n"],
    [["contacts", "get", id, "-o", "table"], "12345678901234567890"],
    [["contacts", "list", "--jq", ".[0].crm_id"], "12345678901234567890\n"],
    [["contacts", "get", id, "--jq", ".score.of|last"], "9007199254740993\n"],
    [["contacts", "list", "-o", "ndjson", "--jq", "map(.crm_id)"], "[12345678901234567890]\n"],
    [["api", "GET", `/contacts/${id}`], '"crm_id": 12345678901234567890'],
    [["api", "GET", `/contacts/${id}`, "-o", "table"], '"crm_id": 12345678901234567890'],
  ])("a number beyond 2^53 keeps its digits in %j", async (argv, shown) => {
    const { code, stdout } = await (await service()).run(...argv);
    expect(code).toBe(0);
    expect(stdout).toContain(shown);
  });

  test("a number beyond 2^53 keeps its digits in a request body and in a dry run", async () => {
    const { run, bodies } = await service();
    const data = ["--data", '{"crm_id":12345678901234567890}'];
    const sending = ["api", "PATCH", `/contacts/${id}`, ...data];
    expect((await run(...sending, "--dry-run")).stdout).toContain("12345678901234567890");
    await run(...sending);
    await run("contacts", "update", id, "--set", "crm_id=12345678901234567890");
    expect(bodies).toEqual(['{"crm_id":12345678901234567890}', '{"crm_id":12345678901234567890}']);
  });

  test("a number beyond 2^53 keeps its digits in a YAML file", async () => {
    const { home, run, bodies } = await service();
    const file = join(home, "contact.yaml");
    writeFileSync(file, "crm_id: +12345678901234567890\nscore: { of: [0.1, 9007199254740993] }\n");
    expect((await run("api", "PATCH", `/contacts/${id}`, "--data", `@${file}`)).code).toBe(0);
    expect(bodies).toEqual(['{"crm_id":12345678901234567890,"score":{"of":[0.1,9007199254740993]}}']);
  });
});
