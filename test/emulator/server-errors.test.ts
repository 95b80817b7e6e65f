import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { createAssistant } from "../helpers/assistants.js";
import { temporaryFolder } from "../helpers/cli.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const absurd: readonly unknown[] = [
  1e300,
  -1,
  0.5,
  Number.MAX_SAFE_INTEGER,
  null,
  true,
  "",
  "..",
  "\ud800",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "x".repeat(5_000),
  [],
  {},
  [1e300],
  { read: 1e300 },
  ["a:b"],
];

const bodies: Readonly<Record<string, readonly string[]>> = {
  "PATCH /clock": ["mode", "advance_seconds", "set", "next"],
  "POST /faults": [
    ..."kind operation method path key_id probability times skip delay_ms expires_in_seconds".split(" "),
  ],
  "POST /snapshots": ["name"],
  "POST /keys": [
    ..."kind organization_id distributor_id role permissions versions expires_at limits name".split(" "),
  ],
  "POST /organizations": ["name", "features"],
  "POST /distributors": ["name"],
  "POST /voices": ["name", "generation", "selectable"],
  "POST /calls": [
    ..."assistant_id direction from to created_at status duration_seconds recording transcript".split(" "),
  ],
  "POST /incoming-calls": ["assistant_id", "from"],
  "POST /ui-tickets": ["name"],
};

it("[emulator.control] the control interface responds to any input and keeps running", async () => {
  await using emulator = await openTestEmulator("in process");
  const assistant = await createAssistant(emulator);
  const { control_token: key, organization_id } = emulator.instance.startLine;
  const good = {
    "POST /faults": { kind: "error_before", path: "/nowhere" },
    "POST /calls": { assistant_id: assistant.id },
    "POST /incoming-calls": { assistant_id: assistant.id, from: "+4915112345678" },
    "POST /voices": { name: "V", generation: "v2" },
  };
  const calls = Object.entries({
    ...bodies,
    [`PATCH /organizations/${organization_id}`]: ["features", "status", "number_pool"],
    [`PATCH /assistants/${assistant.id}`]: ["enterprise", "greeting_locked", "blocked_numbers"],
  });
  const before = await emulator.instance.snapshot("before");
  for (const [call, fields] of calls) {
    const [method = "", path = ""] = call.split(" ");
    for (const field of fields) {
      for (const value of absurd) {
        const body = { ...Object.entries(good).find(([name]) => name === call)?.[1], [field]: value };
        const reply = await emulator.askHost(method, `/_emulator${path}`, { key, body });
        expect([call, body, reply.status < 500], reply.body?.error?.message).toEqual([call, body, true]);
      }
    }
  }
  for (const path of [
    "/requests?limit=1e999",
    "/requests?path=%00",
    "/tables/%2e%2e",
    "/tables/calls?offset=1e99",
  ])
    expect((await emulator.askHost("GET", `/_emulator${path}`, { key })).status).toBeLessThan(500);
  await emulator.instance.restore(before);
  expect((await emulator.ask("GET", "/ping")).status).toBe(200);
}, 60_000);

it.each(["in process", "over HTTP"] as const)(
  "[public.errors.6 refuses] an unexpected error returns a 500 with the error's message (%s)",
  async (transport) => {
    const db = join(temporaryFolder(), "world.db");
    await using emulator = await openTestEmulator(transport, { db, exclusive: true });
    // Another program writes to the file.
    const otherConnection = await openDatabase(db);
    otherConnection.exec("DROP TABLE snapshots; DROP TABLE groups");
    otherConnection.close();
    const key = emulator.instance.startLine.control_token;
    for (const reply of [
      await emulator.askHost("GET", "/_emulator/snapshots", { key }),
      await emulator.ask("GET", "/groups?type=contacts"),
    ]) {
      expect(reply.status).toBe(500);
      expect(reply.headers.get("x-emulator-rule")).toBe("public.errors.6");
      expect(reply.body.error).toEqual({
        code: "internal_error",
        message: expect.stringContaining("no such table"),
        details: [],
      });
    }
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
  },
);
