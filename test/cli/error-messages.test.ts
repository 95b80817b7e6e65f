import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { commandLine, connectedTo, scriptPrompts, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const secret = 'hush-"hush"-42';

describe("a secret that was typed or read from a file", () => {
  test("a secret that was typed or read from a file is masked in all debug output and errors", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ env: { TOOL_SECRET: secret }, overrides: connectedTo(emulator) });
    const body = {
      name: "t1",
      url: "https://tools.example/x",
      description: "d",
      headers: { "X-Key": secret },
    };
    const created = await shell.run(
      ...["tools", "create", "--data", JSON.stringify(body), "--secret", "env:TOOL_SECRET"],
      ...["--profile", "offline", "--debug"],
    );
    expect(created.code).toBe(0);
    expect(created.stderr).toContain("> POST");
    expect(created.stderr).not.toContain(secret);
    expect(created.stderr).not.toContain(JSON.stringify(secret).slice(1, -1));
    const refused = await shell.run(
      ...["tools", "create", "--data", "{}", "--set", `kind-${secret}=1`, "--secret", "env:TOOL_SECRET"],
      ...["--name", "t2", "--url", "https://tools.example/x", "--description", "d", "--profile", "offline"],
    );
    expect(refused.code).toBe(5);
    expect(refused.stderr).not.toContain(secret);
  });
});

describe("the error of a failed connection", () => {
  test("the error names the URL if the response does not come from the service", async () => {
    const server = createServer((_, response) => response.writeHead(404).end("<h1>nothing here</h1>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const env = { VOXCTL_BASE_URL: `${origin}/api/v1`, VOXCTL_API_KEY: "k" };
    const { stderr } = await commandLine({ env }).run("groups", "list");
    expect(stderr).toContain(`error: the service at ${origin} responded with 404`);
  });

  test("if the service can't be reached, the error suggests `voxctl doctor`", async () => {
    const env = { VOXCTL_BASE_URL: "http://127.0.0.1:9/api/v1", VOXCTL_API_KEY: "k" };
    const { code, stderr } = await commandLine({ env }).run(
      "groups",
      "create",
      "--type",
      "contacts",
      "--name",
      "x",
    );
    expect(code).toBe(9);
    expect(stderr).toContain("http://127.0.0.1:9");
    expect(stderr).toContain("voxctl doctor");
  });
});

describe("an error message", () => {
  test.each([
    [["calls", "trigger", "--to", "nobody", "--assistant", "Empfang"], "error: --to: must be a phone number"],
    [["tools", "create", "--name", "x"], "error: --url: is required (400 validation_failed)"],
    [
      ["assistants", "webhook", "set", "Empfang", "--url", "ftp://x"],
      "error: --url: must be an absolute URL",
    ],
    [
      ["tools", "create", "--name", "x", "--url", "https://example.org/a b"],
      "error: --url: must not contain white space or control characters",
    ],
    [
      ["contacts", "create", "--set", "foo=1", "--group", "Patienten", "--first-name", "A"],
      "error: foo is not an accepted field",
    ],
  ])("the error for %j names the invalid flag or field", async (argv, message) => {
    const { stderr } = await commandLine().run(...argv, "--profile", "offline");
    expect(stderr).toContain(message);
  });

  test("the error explains why a file can't be read", async () => {
    const { run, home } = commandLine();
    const why = async (...argv: string[]) => (await run(...argv, "--profile", "offline")).stderr;
    expect(await why("contacts", "create", "--data", "@none.json")).toContain(
      "none.json: the file can't be read: no such file",
    );
    expect(await why("calls", "test", home)).toContain("it is a directory");
    writeFileSync(join(home, "broken.yaml"), "first_name: Anna\nlast_name: [\n");
    const yamlError = /^error: \S.* is not valid YAML: [^\n]+ at line 3, column 1\n$/;
    expect(await why("contacts", "create", "--data", "@broken.yaml")).toMatch(yamlError);
    expect(await why("calls", "test", "broken.yaml")).toMatch(yamlError);
    writeFileSync(join(home, "circle.yaml"), "first_name: &a\n  x: *a\n");
    expect(await why("contacts", "create", "--data", "@circle.yaml")).toContain(
      "the alias *a makes a value contain itself at line 2, column 6",
    );
    expect(await why("tools", "create", "--secret", "file:none")).toContain("no such file");
  });

  test("if a resource does not exist, the error suggests checking the profile", async () => {
    const { stderr } = await commandLine().run("calls", "get", "f".repeat(24), "--profile", "offline");
    expect(stderr).toMatch(/does not exist.*\n.*voxctl profiles show/);
  });
});

describe("Ctrl-C in a prompt", () => {
  test.each([
    [["contacts", "create"], "group"],
    [["groups", "delete", "Patienten"], "Delete"],
    [["profiles", "add", "acme", "--url", "https://voice.example/api/v1"], "API key"],
  ])("on Ctrl-C in a prompt, %j exits with code 130, without a stack trace", async (argv, question) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ terminal: 80, env: { NO_COLOR: "1" }, overrides: connectedTo(emulator) });
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const { code, stderr } = await shell.runWith(
      {
        before: (io: TestIo) => {
          io.stdin = stdin;
          // The prompt library would close this stream, because it is not the process's own.
          io.stderr.end = () => io.stderr;
          io.stderr.on("data", (chunk: Buffer) => {
            if (chunk.toString().includes(question)) stdin.write("\u0003");
          });
        },
      },
      ...argv,
    );
    expect(code).toBe(130);
    expect(stderr).toContain("error: interrupted");
    expect(stderr).not.toMatch(/\n\s+at \S+ \(/);
  });
});

test("help fits a narrow terminal, with descriptions below long terms", async () => {
  const { runWith } = commandLine({ env: { NO_COLOR: "1" } });
  const { stdout } = await runWith({ terminal: 40 }, "contacts", "import", "--help");
  const [, flags = ""] = stdout.split("\nCommon:\n");
  const lines = flags.split("\n");
  expect(lines.slice(0, 2)).toEqual(["  --group <name|id>", "      Group to import into (required)"]);
  // Only a word that is longer than the line may exceed it.
  expect(lines.filter((line) => line.length > 40 && line.trim().includes(" "))).toEqual([]);
});

describe("a closed pipe", () => {
  test.each([
    [["contacts", "list", "--all"]],
    [["calls", "list", "-o", "ndjson"]],
    [["calls", "list", "-o", "csv"]],
    [["help", "environment"]],
    [["contacts", "--help"]],
  ])("a closed pipe is not an error for %j", async (argv) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    const { code, stderr } = await shell.runWith(
      {
        before: (io) => {
          io.stdout.write = (_chunk: unknown, ...more: unknown[]) => {
            const callback = more.find((argument) => typeof argument === "function");
            const error = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
            if (typeof callback === "function") callback(error);
            return false;
          };
        },
      },
      ...argv,
      "--profile",
      "offline",
    );
    expect([code, stderr]).toEqual([0, ""]);
  });
});

describe("output without a terminal", () => {
  test.each([
    [["contacts", "list", "-o", "table"]],
    [["calls", "list", "-o", "table"]],
    [["stats", "usage", "--chart", "-o", "table"]],
    [["knowledge", "wait", "-o", "table"]],
    [["contacts", "get", "nope"]],
    [["--help"]],
    [["demo", "-o", "table"]],
  ])("without a terminal, %j prints no control codes", async (argv) => {
    const { stdout, stderr } = await commandLine().run(
      ...argv,
      ...(argv[0] === "--help" ? [] : ["--profile", "offline"]),
    );
    expect(stdout + stderr).not.toBe("");
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u009b]/);
  });
});

test("voxctl opens no connection offline", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect");
  try {
    const shell = commandLine();
    for (const argv of [["--version"], ["--help"], ["contacts", "list"], ["demo"], ["ping"]])
      await shell.run(...argv);
    const prompts = scriptPrompts(true);
    await shell.runWith({ overrides: { prompts } }, "groups", "delete", "Patienten");
    expect(connect).not.toHaveBeenCalled();
  } finally {
    connect.mockRestore();
  }
});

describe("Ctrl-C while voxctl follows a call", () => {
  test.each([
    [["calls", "trigger", "--to", "+4915112345678", "--assistant", "Terminservice", "--wait"]],
    [["calls", "get", "--wait"]],
  ])("on Ctrl-C, %j shows how to follow the call", async (argv) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ terminal: 80, env: { NO_COLOR: "1" }, overrides: connectedTo(emulator) });
    const call = ["calls", "trigger", "--to", "+4915112345679", "--assistant", "Empfang", "-o", "json"];
    const id = argv[1] === "get" ? [(await shell.run(...call, "--profile", "offline")).json.call_id] : [];
    const { code, stderr } = await shell.runWith(
      {
        before: (io: TestIo) => {
          io.stdout.on("data", () => io.signal("SIGINT"));
        },
      },
      ...argv,
      ...id,
      "--profile",
      "offline",
    );
    expect(code).toBe(130);
    expect(stderr).toContain("error: interrupted; the call continues\n");
    expect(stderr).toMatch(
      /hint: to follow the call, run\s+`voxctl calls get [0-9a-f]{24} --wait --profile offline`/,
    );
  });
});

describe("control characters from the service", () => {
  const evil = "Anna\u001b[2J\u009b31m\u202eb";
  const listed = async (format: string, terminal?: number) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({ overrides: connectedTo(emulator) });
    await shell.run(
      ...["contacts", "create", "--group", "Patienten", "--first-name", evil, "--profile", "offline"],
    );
    const options = terminal === undefined ? {} : { terminal };
    const { stdout } = await shell.runWith(
      { ...options, env: { NO_COLOR: "1" } },
      ...["contacts", "list", "--all", "-o", format, "--profile", "offline"],
    );
    return stdout;
  };

  test.each(["csv", "json", "ndjson", "yaml", "table"])(
    "control characters from the service are escaped in -o %s on a terminal",
    async (format) => {
      const text = await listed(format, 80);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(text).toContain("Anna");
      if (format === "json") expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(evil));
    },
  );

  test("control characters from the service are written unchanged to files and pipes", async () => {
    expect(await listed("csv")).toContain(evil);
  });
});
