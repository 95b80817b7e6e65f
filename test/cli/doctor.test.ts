import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ClientError } from "../../src/client/errors.js";
import { findOperation } from "../../src/client/routes.js";
import type { ApiResponse, RawRequest } from "../../src/client/types.js";
import { operations } from "../../src/contract/contract.js";
import type { Emulator } from "../../src/emulator/index.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";
import { commandLine, connectedTo, type RunOptions } from "../helpers/cli.js";
import { interruptedAt } from "../helpers/interrupted.js";
import { openSeededEmulator } from "../helpers/templates.js";

const emulator: Emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
afterAll(() => emulator.close());

type Interceptor = (request: RawRequest, respond: () => Promise<ApiResponse>) => Promise<ApiResponse>;

function setUpDoctor(intercept: Interceptor = (_, respond) => respond()) {
  const { connect } = connectedTo(emulator);
  const shell = commandLine({
    overrides: {
      connect: async (profile, options) => {
        if (!connect) throw new Error("no connection");
        const connection = await connect(profile, options);
        const { client } = connection;
        return {
          ...connection,
          client: {
            ...client,
            request: (request, more) => intercept(request, () => client.request(request, more)),
            call: (operation, input, more) => {
              const { api, method, path: rawPath } = findOperation(operation);
              return intercept({ api, method, rawPath }, () => client.call(operation, input, more));
            },
          },
        };
      },
    },
  });
  const look = (...flags: string[]) => lookAt({}, "--profile", "offline", ...flags);
  const lookAt = async (env: Record<string, string>, ...flags: string[]) => {
    const ran = await shell.runWith({ env }, "doctor", ...flags);
    const checks = JSON.parse(ran.stdout) as {
      check: string;
      state: string;
      message: string;
      // biome-ignore lint/suspicious/noExplicitAny: tests look into details of any shape
      details: any[];
    }[];
    const of = (check: string) => checks.find((candidate) => candidate.check === check);
    return { ...ran, checks, of };
  };
  return { ...shell, look, lookAt };
}

// biome-ignore lint/suspicious/noExplicitAny: tests change what they like of a document
type Document = any;

async function differences(change: (document: Document) => void) {
  const document: Document = structuredClone(
    createOpenApiDocument(operations, "public", "https://voice.example.com/api/v1"),
  );
  change(document);
  const { look } = setUpDoctor(async ({ rawPath }, respond) =>
    rawPath === "/openapi.json" ? { ...(await respond()), body: document } : respond(),
  );
  const { of, code } = await look();
  expect(code).toBe(0);
  return of("description");
}

describe("doctor", () => {
  test("`doctor` finds no problem on a new user's machine with the emulator", async () => {
    const { code, checks } = await setUpDoctor().look();
    expect(code).toBe(0);
    expect(checks.filter(({ state }) => state === "failed" || state === "warning")).toEqual([]);
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        "node",
        "configuration",
        "profile",
        "public: key",
        "description",
        "assumed paths",
      ]),
    );
  });

  test("`doctor` lists each unfinished run with the command that resumes it", async () => {
    const { look, home, runWith } = setUpDoctor();
    const file = join(home, "customers.csv");
    writeFileSync(
      file,
      `Vorname,Telefon\n${Array.from({ length: 150 }, (_, at) => `A,+4930${1000000 + at}\n`).join("")}`,
    );
    const words = ["--group", "Cut", "--create-group", "--profile", "offline"];
    const cut = await runWith(interruptedAt(emulator, 2), "contacts", "import", file, ...words);
    expect([cut.code, cut.stderr]).toEqual([130, expect.any(String)]);
    const { code, of } = await look();
    const [run] = of("runs")?.details ?? [];
    expect([code, of("runs")?.state, of("runs")?.message]).toEqual([
      0,
      "warning",
      `1 unfinished run: \`voxctl runs resume ${run.id}\``,
    ]);
    expect(run).toMatchObject({ resume: `voxctl runs resume ${run.id}` });
  });

  test("an error of `doctor` doesn't suggest running `doctor`", async () => {
    const { connect } = connectedTo(emulator);
    const wrongKey: RunOptions = {
      overrides: {
        connect: async (profile, options) => {
          if (!connect) throw new Error("no connection");
          const connection = await connect(profile, options);
          const refuse = () => {
            throw new ClientError({
              type: "api",
              code: "unauthorized",
              message: "invalid key",
              status: 401,
              retryable: false,
              outcome: "none",
            });
          };
          return { ...connection, client: { ...connection.client, request: refuse, call: refuse } };
        },
      },
    };
    const { code, stderr } = await commandLine().runWith(wrongKey, "doctor", "--profile", "offline");
    expect([code, stderr]).toEqual([3, expect.stringContaining("see the failed checks")]);
    expect(stderr).not.toContain("run `voxctl doctor`");
  });

  test("`doctor` and `runs resume` name the command that resumes an interrupted undo", async () => {
    const { look, home, run, runWith } = setUpDoctor();
    const file = join(home, "customers.csv");
    const rows = Array.from({ length: 150 }, (_, at) => `A,+4930${1000000 + at}\n`);
    writeFileSync(file, `Vorname,Telefon\n${rows.join("")}`);
    const words = ["--group", "Cut", "--create-group", "--profile", "offline", "-o", "json"];
    const { run_id } = (await run("contacts", "import", file, ...words)).json;
    const undo = ["runs", "undo", run_id, "--yes"];
    expect((await runWith(interruptedAt(emulator, 2), ...undo)).code).toBe(130);
    const [finding] = (await look()).of("runs")?.details ?? [];
    expect(finding).toMatchObject({ id: `${run_id}-undo`, resume: `voxctl runs undo ${run_id}` });
    const refused = await run("runs", "resume", finding.id);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`run \`voxctl runs undo ${run_id}\``),
    ]);
    expect((await run(...undo)).code).toBe(0);
    expect((await look()).of("runs")).toBeUndefined();
  });

  test("`doctor` lists the remaining rate limit and the assumed API paths", async () => {
    const { of } = await setUpDoctor().look();
    expect(of("public: limit")?.details[0]).toEqual({ limit: 1000, remaining: expect.any(Number) });
    const paths = of("assumed paths")?.details ?? [];
    expect(paths).toContainEqual(
      expect.objectContaining({
        operation: "tools.list",
        path: "/tools",
        assumed: "D-tool",
        overridden_by: null,
      }),
    );
    expect(paths.every(({ assumed }) => assumed.startsWith("D-"))).toBe(true);
  });

  test("`doctor` warns if other users can read the configuration", async () => {
    const { look, config } = setUpDoctor();
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles: {} }));
    chmodSync(join(config, "config.json"), 0o644);
    expect((await look()).of("configuration")).toMatchObject({
      state: "warning",
      message: expect.stringContaining(`run \`chmod 600 ${join(config, "config.json")}\``),
    });
    chmodSync(join(config, "config.json"), 0o600);
    expect((await look()).of("configuration")?.state).toBe("ok");
  });

  test("`doctor` runs its other checks even if the configuration is invalid (exit code 2)", async () => {
    const { look, config } = setUpDoctor();
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), "{");
    const { code, of } = await look();
    expect(code).toBe(2);
    expect(of("node")?.state).toBe("ok");
    expect(of("configuration")?.state).toBe("failed");
  });

  test.each([
    [401, "authentication", 3, "ok", "failed"],
    [undefined, "network", 9, "failed", undefined],
  ] as const)(
    "if a request fails with status %s, `doctor` names the cause and exits with a matching code",
    async (status, errorType, exit, reachable, key) => {
      const { look } = setUpDoctor(async ({ api }, respond) => {
        if (api !== "public") return respond();
        throw new ClientError({
          type: errorType === "network" ? "network" : "api",
          code: errorType,
          message: "no",
          ...(status === undefined ? {} : { status }),
          outcome: "none",
          retryable: false,
        });
      });
      const { code, of } = await look();
      expect(code).toBe(exit);
      expect(of("public: reachable")?.state).toBe(reachable);
      expect(of("public: key")?.state).toBe(key);
      expect(of("distributor-v2: key")?.state).toBe("ok");
    },
  );

  test.each([
    [10, "valid; the key expires on", "the key expires on"],
    [-2, "valid, although the key expired on", "the key expired on"],
  ])("`doctor` warns about a key that expires in %i days", async (days, message, unreached) => {
    const expires = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const refuse = async () => {
      throw new ClientError({
        ...{ type: "network", code: "network", message: "no", outcome: "none", retryable: false },
      });
    };
    for (const [intercept, expected] of [
      [undefined, message],
      [refuse, unreached],
    ] as const) {
      const { runWith, lookAt } = setUpDoctor(intercept);
      const env = { KEY: "vak_expiring" };
      const url = ["--url", "http://127.0.0.1:9/api/v1", "--key-env", "KEY", "--no-check"];
      await runWith({ env }, "profiles", "add", "old", ...url, "--expires", expires);
      const { of } = await lookAt(env, "--profile", "old");
      expect(of("public: key")).toMatchObject({
        state: "warning",
        message: expect.stringContaining(`${expected} ${expires}`),
      });
    }
  });

  test("`doctor` reports how far the service's clock differs from this machine's clock", async () => {
    const { look, lookAt } = setUpDoctor(async (_, respond) => {
      const given = await respond();
      const date = new Date(Date.now() - 90_000).toUTCString();
      return { ...given, headers: { ...given.headers, date } };
    });
    const deployment = { VOXCTL_BASE_URL: "https://voice.example.com/api/v1", VOXCTL_API_KEY: "secret" };
    const { of, code } = await lookAt(deployment);
    expect(code).toBe(0);
    expect(of("public: clock")).toMatchObject({
      state: "warning",
      message: expect.stringMatching(/9\d s ahead/),
    });
    // An emulator's clock may differ from this machine's, which is not an error.
    expect((await look()).of("public: clock")).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/1 min 3\d s behind this machine/),
    });
  });
});

describe("doctor comparing the service's OpenAPI document with the contract", () => {
  test("`doctor` lists operations that only voxctl or only the service's document contains", async () => {
    const difference = await differences((document) => {
      document.paths["/campaigns"] = { post: { responses: {} } };
      delete document.paths["/tools"].post;
    });
    expect(difference?.message).toContain("1 only in the service, 1 only in voxctl");
    expect(difference?.details).toEqual([
      {
        operation: "POST /campaigns",
        where: "operation",
        what: "exists",
        ours: null,
        theirs: "yes",
        assumed: null,
      },
      {
        operation: "POST /tools",
        where: "operation",
        what: "exists",
        ours: "yes",
        theirs: null,
        assumed: "D-tool",
      },
    ]);
  });

  test("`doctor` lists differing fields, requirements and limits, and marks assumptions", async () => {
    const difference = await differences(({ components, paths }) => {
      const { ContactCreate, Contact } = components.schemas;
      ContactCreate.properties.first_name.maxLength = 50;
      ContactCreate.properties.nickname = { type: "string" };
      ContactCreate.required.push("emails");
      delete Contact.properties.emails;
      paths["/contacts"].get.parameters.find(
        ({ name }: { name: string }) => name === "limit",
      ).schema.maximum = 100;
    });
    const details = (difference?.details ?? []).map(({ operation, where, what, ours, theirs, assumed }) =>
      [operation, where, what, ours, theirs, assumed].join("|"),
    );
    expect(details).toContainEqual(
      expect.stringMatching(/^POST \/contacts\|body first_name\|maxLength\|\d*\|50\|/),
    );
    expect(details).toContain("POST /contacts|body nickname|exists||yes|");
    expect(details).toContain("POST /contacts|body emails|required||yes|D-contact");
    expect(details).toContainEqual(
      expect.stringMatching(/^GET \/contacts\|response data\[\]\.emails\|exists\|yes\|\|/),
    );
    expect(details).toContain("GET /contacts|query limit|maximum|200|100|D-limit");
  });

  test("`doctor` accepts equivalent schemas", async () => {
    const difference = await differences((document) => {
      document.openapi = "3.0.3";
      for (const [path, item] of Object.entries(document.paths)) {
        delete document.paths[path];
        document.paths[`/api/v1${path.replace("{contact_id}", "{id}")}`] = item;
      }
      const inline = document.components.schemas.ContactCreate;
      document.components.schemas.Written = { allOf: [inline] };
      document.paths["/api/v1/contacts"].post.requestBody.content["application/json"].schema = {
        $ref: "#/components/schemas/Written",
      };
    });
    expect(difference?.details).toEqual([]);
    expect(difference?.state).toBe("ok");
  });

  test("`doctor` reports a page that is not an OpenAPI document", async () => {
    const difference = await differences((document) => {
      delete document.paths;
    });
    expect(difference).toMatchObject({
      state: "warning",
      message: "/openapi.json is not an OpenAPI document",
    });
  });
});

describe("doctor --webhook-shape", () => {
  const text = { type: "string" };
  const assumed = {
    type: "object",
    properties: { call_id: text, assistant_id: text, from: { type: ["null", "string"] }, to: text },
    required: ["call_id", "assistant_id", "from", "to"],
  };

  test("`doctor --webhook-shape` accepts captured requests that match the contract", async () => {
    const { look, home } = setUpDoctor();
    writeFileSync(join(home, "shape.json"), JSON.stringify(assumed));
    const { of, code } = await look("--webhook-shape", "shape.json");
    expect([code, of("webhook")]).toEqual([
      0,
      {
        check: "webhook",
        state: "ok",
        message: "the requests in shape.json match the emulator's webhook requests",
        details: [],
      },
    ]);
  });

  test("`doctor --webhook-shape` lists each captured field that differs from the contract", async () => {
    const { look, home } = setUpDoctor();
    const { to: _, ...properties } = assumed.properties;
    const recorded = {
      ...assumed,
      properties: { ...properties, from: { type: "object" }, language: text },
      required: ["assistant_id", "from", "language"],
    };
    writeFileSync(join(home, "shape.json"), JSON.stringify(recorded));
    const { of, code } = await look("--webhook-shape", "shape.json");
    expect([code, of("webhook")]).toMatchObject([
      0,
      {
        state: "warning",
        details: [
          { field: "call_id", assumed: "string", recorded: "string or missing" },
          { field: "from", assumed: "string or null", recorded: "object" },
          { field: "to", assumed: "string or null", recorded: null },
          { field: "language", assumed: null, recorded: "string" },
        ],
      },
    ]);
    expect(of("webhook")?.message).toContain(
      "from is object, not string or null; to is missing; language (string) is also sent",
    );
  });

  test("`doctor --webhook-shape` exits with code 2 for a file in an invalid format", async () => {
    const { runWith, home } = setUpDoctor();
    writeFileSync(join(home, "shape.json"), "[]");
    const { code, stderr } = await runWith(
      {},
      "doctor",
      "--profile",
      "offline",
      "--webhook-shape",
      "shape.json",
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("shape.json is not a JSON Schema with type object"),
    ]);
  });
});
