import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { ConnectionError } from "../../src/base/transport.js";
import { topics } from "../../src/cli/commands/help/topics.js";
import { exits } from "../../src/cli/errors/errors.js";
import { buildErrorReport, toClientExit } from "../../src/cli/errors/exit-codes.js";
import { createClient } from "../../src/client/client.js";
import { ClientError } from "../../src/client/errors.js";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUpService(status: number, body: unknown, headers: Record<string, string> = {}) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  const { connect } = connectedTo(emulator);
  return commandLine({
    overrides: {
      connect: async (profile, options) => {
        if (!connect) throw new Error("no connection");
        const connection = await connect(profile, options);
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const client = createClient({
          ...connection.clientOptions,
          transport: async () => {
            if (status === 0) throw new ConnectionError("reset", true, "ECONNRESET");
            return {
              status,
              headers: { "content-type": "application/json", ...headers },
              body: (async function* () {})(),
              text: async () => text,
            };
          },
        });
        return { ...connection, client };
      },
    },
  });
}

const error = (code: string, message = "no", details?: unknown) => ({ error: { code, message, details } });
const create = ["groups", "create", "--type", "contacts", "--name", "X", "--profile", "offline"];
const read = ["groups", "get", "0".repeat(24), "--profile", "offline"];

describe("exit codes", () => {
  test("`ping` exits with code 9 if the service reports that it is not ok", async () => {
    const { run } = await setUpService(200, { data: { ok: false, now: "2026-11-15T09:00:00Z" } });
    const { code, json, stderr } = await run("ping", "--profile", "offline", "-o", "json");
    expect([code, json.ok, JSON.parse(stderr).error.code]).toEqual([9, false, "service_not_ok"]);
  });

  test.each([
    [401, "unauthorized", 3],
    [402, "subscription_required", 3],
    [403, "forbidden", 3],
    [404, "not_found", 4],
    [400, "validation_failed", 5],
    [409, "conflict", 6],
    [409, "outbound_target_blocked", 6],
  ])(
    "a request refused with status %i and code %s has no effect and causes exit code %i",
    async (status, code, exit) => {
      const { run } = await setUpService(status, error(code));
      for (const command of [read, create]) {
        const failed = await run(...command, "-o", "json");
        expect(failed.code).toBe(exit);
        expect(failed.stdout).toBe("");
        expect(JSON.parse(failed.stderr).error).toMatchObject({
          code,
          status,
          exit,
          outcome: "none",
          retryable: false,
        });
      }
    },
  );

  test("[public.errors.6] a write, but not a read, is unconfirmed after a lost response or a 500", async () => {
    for (const { run } of [await setUpService(500, error("internal_error")), await setUpService(0, "")]) {
      expect((await run(...read)).code).toBe(exits.unavailable);
      const failed = await run(...create, "-o", "json");
      expect(failed.code).toBe(exits.unknown);
      expect(JSON.parse(failed.stderr).error).toMatchObject({
        outcome: "unknown",
        retryable: false,
        exit: 75,
      });
    }
  });

  test("[T12] the hint of a long wait suggests a sufficient --max-wait", async () => {
    for (const [wait, suggested] of [
      ["90", "5m"],
      ["7200", "121m"],
    ] as const) {
      const { run } = await setUpService(429, {}, { "retry-after": wait });
      expect((await run(...create)).stderr).toContain(`wait longer with --max-wait ${suggested}`);
    }
  });

  test("[public.errors.2a] a wait that is longer than --max-wait causes exit code 7", async () => {
    const { run } = await setUpService(429, error("rate_limit_exceeded"), { "retry-after": "90" });
    const failed = await run(...create, "--max-wait", "5s", "-o", "json");
    expect(failed.code).toBe(exits.rateLimit);
    expect(JSON.parse(failed.stderr).error).toMatchObject({ retryable: true, outcome: "none", exit: 7 });
  });

  test("the error for a full database in the data directory names its file", async () => {
    const database = await openDatabase(":memory:");
    database.exec("PRAGMA max_page_count = 2");
    const fill = () => {
      for (let table = 0; table < 9; table += 1) database.exec(`CREATE TABLE t${table} (a)`);
    };
    let thrown: unknown;
    try {
      fill();
    } catch (error) {
      thrown = error;
    }
    database.close();
    const { signal } = new AbortController();
    expect(buildErrorReport(thrown, signal)).toMatchObject({
      code: "file_error",
      exit: exits.unavailable,
      message: "a file in the data directory can't be used: no space left on the disk",
      hint: expect.stringContaining("VOXCTL_DATA_DIR"),
    });
  });

  describe("a stdout that can't be written", () => {
    const setUpFullStdout = async (...argv: string[]) => {
      const full = new Writable({
        write: (_chunk, _encoding, callback) =>
          callback(Object.assign(new Error("no space left"), { code: "ENOSPC" })),
      });
      const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
      const { runWith, home, run } = commandLine({ overrides: connectedTo(emulator) });
      writeFileSync(join(home, "in.csv"), "first_name,phone\nA,+4915112345678\nB,+4915112345679\n");
      const before = (io: TestIo) => {
        io.stdout.write = full.write.bind(full) as typeof io.stdout.write;
      };
      full.on("error", () => {});
      const ran = await runWith({ before }, ...argv, "--profile", "offline", "-o", "json");
      return { run, error: JSON.parse(ran.stderr.trim().split("\n").at(-1) ?? "").error, code: ran.code };
    };

    test("if stdout fails after a write (exit code 75), the error names the written resource", async () => {
      const { run, error, code } = await setUpFullStdout(
        "groups",
        "create",
        "--type",
        "contacts",
        "--name",
        "Made",
      );
      expect(code).toBe(75);
      expect(error).toMatchObject({ exit: 75, outcome: "done", retryable: false });
      const groups = await run("groups", "list", "--profile", "offline", "-o", "json");
      const made = (groups.json as { id: string; name: string }[]).find(({ name }) => name === "Made");
      expect(error.message).toContain(
        `the changes were made (${made?.id}), but standard output can't be used: no space`,
      );
    });

    test("if stdout fails after an import (exit code 75), the error shows the number of changes", async () => {
      const { error, code } = await setUpFullStdout(
        "contacts",
        "import",
        "in.csv",
        "--group",
        "X",
        "--create-group",
      );
      expect(code).toBe(75);
      expect(error).toMatchObject({ outcome: "done" });
      expect(error.message).toContain("the changes were made (3 changes)");
    });

    test("if stdout fails, `--version` reports the error like other commands", async () => {
      const before = (io: TestIo) => {
        const fail = (_: unknown, done: (error: Error) => void) => {
          done(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
          return false;
        };
        io.stdout.write = fail as typeof io.stdout.write;
      };
      const { code, stderr } = await commandLine().runWith({ before }, "--version");
      const message = "error: standard output can't be used: no space left on the disk\n";
      expect([code, stderr]).toEqual([9, message]);
    });

    test("if stdout fails after a read, the error has exit code 9", async () => {
      const { error, code } = await setUpFullStdout("groups", "list");
      expect(code).toBe(9);
      expect(error).toMatchObject({ exit: 9, outcome: "none" });
      expect(error.message).toBe("standard output can't be used: no space left on the disk");
    });
  });

  test("a profile without a key for the API is a usage error", () => {
    expect(
      toClientExit(
        new ClientError({ type: "configuration", message: "", code: "x", retryable: false, outcome: "none" }),
      ),
    ).toBe(2);
  });

  test("`help exit-codes` lists every exit code", () => {
    for (const exit of Object.values(exits))
      expect(topics["exit-codes"]).toMatch(new RegExp(`^  ${exit} `, "m"));
  });
});

describe("output of errors", () => {
  test("an error shows a user the failure, the service's reason and the next step", async () => {
    const { run } = await setUpService(
      400,
      error("validation_failed", "The body is wrong.", [
        { path: ["name"], message: "is odd" },
        { path: ["more", 0], message: "too" },
      ]),
    );
    const failed = await run(...create);
    expect(failed.stderr).toBe(
      "error: The body is wrong. (400 validation_failed)\n  --name: is odd\n  more.0: too\n",
    );
  });

  test("an error shows control characters from the service as visible text", async () => {
    const { run } = await setUpService(409, error("conflict", "a\u001b]0;owned\u0007b"));
    expect((await run(...create)).stderr).not.toMatch(/[\u001b\u0007]/);
    expect(JSON.parse((await run(...create, "-o", "json")).stderr).error.message).toBe(
      "a\u001b]0;owned\u0007b",
    );
  });

  test("--debug shows the request, the response and the API rule of the error", async () => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { run } = commandLine({ overrides: connectedTo(emulator) });
    const failed = await run(...read, "--debug");
    expect(failed.stderr).toMatch(/> GET .*\/groups\/0{24}/);
    expect(failed.stderr).toContain("< 404");
    expect(failed.stderr).toMatch(/rule \S+/);
    expect(failed.stderr).not.toContain(emulator.startLine.keys.admin);
  });

  test("--debug masks secrets in request and response bodies", async () => {
    const { run } = await setUpService(201, { data: { id: "1", secret: "from-service" } });
    const number = "12345678901234567890";
    const made = await run(...create, "--set", "secret=from-me", "--set", `big=${number}`, "--debug");
    expect(made.stderr).toContain("***");
    expect(made.stderr).toContain(`"big":${number}`);
    expect(made.stderr).not.toMatch(/from-service|from-me/);
  });
});

describe("error codes of usage errors", () => {
  test.each([
    [["contcats", "list"], "did you mean contacts?"],
    [["contacts", "lits"], "did you mean"],
    [["contacts", "list", "--grup", "x"], "did you mean --group?"],
    [["contacts"], "missing command"],
    [["contacts", "get"], "missing argument: <contact>\nhint: usage: voxctl contacts get <contact> [flags]"],
    [["runs", "undo"], "[flags]; to find the run, use `voxctl runs list`"],
    [["calls", "compare", "a.json"], "missing argument: <after>"],
    [["contacts", "get", "a", "b"], 'too many arguments: unexpected "b"'],
    [["contacts", "get", "a", "b"], "usage: voxctl contacts get"],
    [["calls", "get", "abc"], "invalid call ID"],
    [["contacts", "list", "--limit"], "--limit requires a value"],
    [["contacts", "list", "--timeout", "soon"], "--timeout"],
    [["contacts", "list", "--fields", "a,,b"], "--fields"],
    [["help", "nothing"], 'no command or topic "nothing" found'],
    [["help", "nothing"], "hint: topics: exit-codes"],
    [["help", "flags", "import"], 'no command or topic "flags import" found'],
    [["help", "exit-codes", "3"], 'no command or topic "exit-codes 3" found'],
    [["emulator", "clock", "-1h"], 'error: invalid value "-1h": expected a positive value'],
    [["profiles", "remove", "x"], 'profile "x" not found; existing profiles: offline'],
  ])("%j is a usage error: %s", async (argv, hint) => {
    const { run } = commandLine();
    const failed = await run(...argv);
    expect(failed.code).toBe(2);
    expect(failed.stdout).toBe("");
    expect(failed.stderr).toContain(hint);
    const lastLine = (await run(...argv, "-o", "json")).stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(lastLine).error).toMatchObject({ exit: 2, outcome: "none", status: null });
  });

  test.each([
    [
      ["contacts", "create", "--group", "Kunden", "--first-name", "Anna"],
      "no_profile",
      "voxctl help environment",
    ],
    [["groups", "delete", "Kunden", "--profile", "offline"], "confirmation_required", "--yes"],
  ])(
    "without a terminal, %j exits with code 12 and names the flag or variable to set",
    async (argv, code, hint) => {
      const { code: exit, stderr } = await commandLine().run(...argv, "-o", "json");
      expect(exit).toBe(12);
      const { error: failure } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
      expect(failure).toMatchObject({ code, hint: expect.stringContaining(hint) });
    },
  );

  test("--version and --help print to stdout", async () => {
    const { run } = commandLine();
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const argv of [[], ["--help"], ["help"], ["-h"]])
      expect((await run(...argv)).stdout).toContain("Usage: voxctl <command>");
    expect((await run("help", "contacts", "create")).stdout).toBe(
      (await run("contacts", "create", "--help")).stdout,
    );
    const codes = (await run("help", "exit-codes")).stdout;
    expect(codes).toContain("Outcome unknown");
    // An import that stops during an outage may have made changes.
    expect(codes).not.toMatch(/unreachable.*no changes/);
  });

  test("global flags are accepted before and after the command", async () => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { run } = commandLine({ overrides: connectedTo(emulator) });
    for (const argv of [
      ["-o", "yaml", "groups", "list"],
      ["groups", "-o", "yaml", "list"],
      ["groups", "list", "-o", "yaml"],
      ["-o", "json", "groups", "list", "-oyaml"],
    ]) {
      expect((await run(...argv)).stdout).toMatch(/^- id: /);
    }
  });

  test("a value that looks like a flag is read as a value", async () => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { run } = commandLine({ overrides: connectedTo(emulator) });
    const made = await run(
      "groups",
      "create",
      "--type",
      "contacts",
      "--name",
      "--yes",
      "--profile",
      "offline",
    );
    expect(made.json.name).toBe("--yes");
  });
});

describe("stdout and signals", () => {
  test("a closed pipe ends the command silently", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const { runWith } = commandLine({ overrides: connectedTo(emulator) });
    const before = (io: TestIo) => {
      io.stdout.write = (...parameters: unknown[]) => {
        const callback = parameters.find((parameter) => typeof parameter === "function");
        const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
        if (callback) queueMicrotask(() => callback(broken));
        return false;
      };
    };
    const ended = await runWith({ before }, "contacts", "list", "--all", "--profile", "offline");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("the signal %s ends a command with exit code %i", async (name, exit) => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { connect } = connectedTo(emulator);
    let interrupt = () => {};
    const { runWith } = commandLine();
    const ended = await runWith(
      {
        before: (io) => {
          interrupt = () => io.signal(name);
        },
        overrides: {
          connect: async (profile, options) => {
            if (!connect) throw new Error("no connection");
            const connection = await connect(profile, options);
            const client: typeof connection.client = {
              ...connection.client,
              call: (_operation, _input, call) =>
                new Promise((_resolve, reject) => {
                  call?.signal?.addEventListener("abort", () => reject(call.signal?.reason));
                  interrupt();
                }),
            };
            return { ...connection, client };
          },
        },
      },
      ...read,
    );
    expect(ended.code).toBe(exit);
  });

  test("an unexpected exception is reported as a bug", async () => {
    const { runWith } = commandLine();
    const failed = await runWith(
      {
        overrides: {
          connect: async () => {
            throw new TypeError("boom");
          },
        },
      },
      ...read,
      "-o",
      "json",
    );
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stderr).error).toMatchObject({ code: "internal", exit: 1 });
  });
});

describe("errors of distributor API v1", () => {
  const run = (...argv: string[]) => commandLine().run(...argv, "--profile", "offline");

  test.each([
    [["usage", "--v1", "--from", "x", "--to", "2026-02-01"], 2, 'error: invalid --from "x"'],
    [["partners", "create", "--external-id", "a/b", "--name", "X"], 5, "error: --external-id: must be 1 to"],
    [["customers", "plan", "altstadt-optik", "foo"], 5, "error: <plan>: must be one of starter"],
    [["billing", "--v1", "altstadt-edv", "--month", "x"], 2, 'error: invalid --month "x"'],
  ])("the error for %j names the flag even if the response has no details", async (argv, exit, message) => {
    const { code, stderr } = await run(...argv);
    expect(code).toBe(exit);
    expect(stderr).toContain(message);
  });
});

describe("missing required flags", () => {
  test("missing required flags are reported in one error", async () => {
    const { run } = commandLine();
    const failed = await run("contacts", "create", "--profile", "offline");
    expect(failed.stderr).toBe("error: missing required flags: --group, --first-name\n");
    const { stderr } = await run("contacts", "create", "--profile", "offline", "-o", "json");
    expect(JSON.parse(stderr).error.details).toMatchObject([{ flag: "--group" }, { flag: "--first-name" }]);
  });
});

describe("a value of the wrong type", () => {
  test.each([
    ["pre_call_webhook=5", "error: pre_call_webhook: must be an object\n"],
    [
      "knowledge_group_ids=5",
      "error: knowledge_group_ids: must be a list; to specify a name, use --knowledge-group\n",
    ],
  ])("a value of the wrong type is refused with the expected type: --set %s", async (assignment, message) => {
    const { stderr } = await commandLine().run(
      ...["assistants", "update", "Empfang", "--set", assignment, "--profile", "offline"],
    );
    expect(stderr).toBe(message);
  });
});

test("an error prints each problem from the service once", async () => {
  const { stderr } = await commandLine().run("prompts", "create", "--name", "x", "--profile", "offline");
  expect(stderr).toBe(
    "error: 2 fields were rejected (400 validation_failed)\n  --kind: is required\n  --text: is required\n",
  );
});
