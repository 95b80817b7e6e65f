import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalog, suggestRules } from "../../src/emulator/rules/catalog.js";
import { createToolCall, readToolData, sendMessage } from "../helpers/mcp.js";
import { createContact, unknownId } from "../helpers/records.js";
import { testOnTransports } from "../helpers/test-emulator.js";

const sources = fileURLToPath(new URL("../../src", import.meta.url));

/** Returns the IDs of the API rules that refusals can name: the literals in the emulator and the contract. */
function namedInSources(): Set<string> {
  const names = new Set<string>();
  for (const folder of ["emulator", "contract"]) {
    for (const entry of readdirSync(join(sources, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.endsWith("rules")) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
      for (const [, id = ""] of text.matchAll(
        /"((?:public|v1|v2|dist|emulator)\.[a-z0-9.-]+|D-[a-z0-9-]+)"/g,
      )) {
        names.add(id);
      }
    }
  }
  return names;
}

describe("the catalog of API rules", () => {
  it("[emulator.explain] the catalog contains every API rule that a response can name", () => {
    const named = namedInSources();
    expect(named.size).toBeGreaterThan(90);
    expect([...named].filter((id) => !catalog.has(id))).toEqual([]);
  });

  it("the text of each API rule ends with a period", () => {
    for (const { id, text } of catalog.values())
      expect([id, text]).toEqual([id, expect.stringMatching(/\.$/)]);
  });

  it("a mistyped rule ID suggests an existing one", () => {
    expect(suggestRules("public.operation.12f")[0]).toBe("public.operations.12f");
    expect(suggestRules("d-strict")).toContain("D-strict");
    expect(suggestRules("webhook")).toContain("D-webhook");
    expect(suggestRules("nothing like it")).toEqual([]);
  });

  it("every API rule that a refusal can name counts in the coverage", () => {
    const silent = [...namedInSources()].filter((id) => {
      const rule = catalog.get(id);
      return rule?.kind !== "promise" && rule?.seen === undefined && !rule?.namedBy.includes(id);
    });
    expect(silent).toEqual([]);
  });
});

testOnTransports("coverage", (open) => {
  it("[emulator.explain] coverage counts the requests that each API rule refused or affected", async () => {
    await using emulator = await open();
    const covered = async () => {
      const rows: { rule: string; state: string; requests: number; text: string }[] = await emulator.control(
        "GET",
        "/coverage",
      );
      return new Map(rows.map((row) => [row.rule, row]));
    };
    const before = await covered();
    expect([...before.values()].filter(({ state }) => state === "met")).toEqual([]);
    expect([...before.keys()].some((rule) => rule.startsWith("emulator."))).toBe(false);

    const contact = await createContact(emulator);
    await emulator.ask("POST", "/contacts", { body: { colour: "blue" } });
    await emulator.ask("GET", "/contacts", { key: "wrong" });
    await emulator.ask("PATCH", `/contacts/${contact.id}`, { body: { last_name: "L" } });
    await emulator.ask("DELETE", `/contacts/${contact.id}`);
    await emulator.ask("DELETE", `/contacts/${contact.id}`);
    await emulator.askHost("GET", "/api/distributor/v2/organizations/tree", {
      key: emulator.keys.distributor_v2,
    });
    const after = await covered();
    const count = (rule: string) => after.get(rule)?.requests;
    expect(after.get("public.contact.fields")).toEqual({
      rule: "public.contact.fields",
      state: "met",
      requests: 2,
      text: catalog.get("public.contact.fields")?.text,
    });
    expect(count("public.auth.4")).toBe(1);
    expect(count("public.errors.4")).toBe(1);
    expect(count("public.endpoints.delete")).toBe(1);
    expect(count("v2.tree")).toBe(1);
    expect(after.get("public.operations.12f")?.state).toBe("unmet");
    expect(after.get("public.auth.2")?.state).toBe("unobservable");
  });

  it("[emulator.explain] a tool call counts as its operation, not as a Public API request", async () => {
    await using emulator = await open();
    const met = async () => {
      const rows: { rule: string; state: string; requests: number }[] = await emulator.control(
        "GET",
        "/coverage",
      );
      return new Map(
        rows.filter(({ state }) => state === "met").map(({ rule, requests }) => [rule, requests]),
      );
    };
    await sendMessage(emulator, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect([...(await met()).keys()]).toEqual([]);
    const group_id = await emulator.groupId("contacts");
    const before = await met();
    await readToolData(emulator, "contacts_create", { group_id, first_name: "Ada" });
    expect((await met()).get("public.contact.fields")).toBe(1);
    expect((await met()).get("D-mcp")).toBe(1);
    expect((await met()).get("public.limits.4")).toBe(1);
    expect((await met()).get("public.limits.write")).toBe(before.get("public.limits.write"));
    expect((await met()).has("public.errors.5")).toBe(false);
    // A request with two tool calls counts once, even if one of them fails.
    await sendMessage(emulator, [
      createToolCall("contacts_create", { group_id, first_name: "Bea" }, 1),
      createToolCall("contacts_delete", { contact_id: unknownId }, 2),
    ]);
    const after = await met();
    expect(after.get("public.contact.fields")).toBe(2);
    expect(after.get("public.errors.4")).toBe(1);
    expect(after.get("public.errors.5")).toBe(1);
    await readToolData(emulator, "groups_create", { type: "contacts", name: "Made by a tool" });
    expect((await met()).get("public.group.types")).toBe(1);
  });

  it("coverage shows which webhook rules the PATCHes used", async () => {
    await using emulator = await open({ seed: "demo" });
    const [assistant] = (await emulator.ask("GET", "/assistants")).body.data;
    const patch = (pre_call_webhook: unknown) =>
      emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { pre_call_webhook } });
    const met = async () =>
      (await emulator.control("GET", "/coverage"))
        .filter(
          (row: { rule: string; state: string }) =>
            row.state === "met" && row.rule.startsWith("public.operations.7"),
        )
        .map((row: { rule: string }) => row.rule.slice("public.operations.".length));
    const url = "https://hook.example/in";
    await patch({ enabled: true, url, auth: { type: "bearer", secret: "s" } });
    expect(await met()).toEqual(["7c", "7g"]);
    await patch({ enabled: false, auth: { type: "bearer", has_secret: true } });
    expect(await met()).toEqual(["7c", "7f", "7g", "7h", "7k"]);
    await patch(null);
    expect(await met()).toEqual(["7b", "7c", "7f", "7g", "7h", "7k"]);
  });
});
