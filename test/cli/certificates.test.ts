import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listen } from "../client/network.js";
import { authorityFile, serveTls } from "../client/tls.js";
import { commandLine } from "../helpers/cli.js";

async function deployment() {
  const port = await serveTls((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"data":{"ok":true,"now":"2026-03-02T09:00:00Z"}}');
  });
  const url = `https://localhost:${port}/api/v1`;
  const shell = commandLine({ env: { ACME_KEY: "a-key" } });
  const add = (...flags: string[]) =>
    shell.run("profiles", "add", "acme", "--url", url, "--key-env", "ACME_KEY", ...flags);
  return { ...shell, add, url };
}

describe("[T18] a service whose certificate comes from a private authority", () => {
  test("the error for a private authority's certificate shows how to trust it", async () => {
    const { add, run } = await deployment();
    const { code, stderr } = await add();
    expect(code).toBe(9);
    expect(stderr).toContain("https://localhost:");
    expect(stderr).toContain("NODE_EXTRA_CA_CERTS=FILE");
    expect(stderr).toContain("--ca-file FILE");
    expect((await run("profiles", "list")).json).toHaveLength(1);
  });

  test("a service is trusted through ca_file", async () => {
    const { add, run } = await deployment();
    expect((await add("--ca-file", authorityFile)).code).toBe(0);
    expect((await run("ping")).json).toMatchObject({ ok: true });
    expect((await run("profiles", "show", "acme")).json.ca_file).toBe(authorityFile);
    expect((await run("profiles", "show")).json).toMatchObject({ name: "acme", ca_file: authorityFile });
    await add("--no-check");
    expect((await run("profiles", "show", "acme")).json.ca_file).toBe(authorityFile);
    const checks: { check: string; state: string; message: string }[] = (await run("doctor")).json;
    const of = (name: string) => checks.find(({ check }) => check === name);
    expect(of("certificates")).toMatchObject({
      state: "ok",
      message: expect.stringContaining(`1 from ${authorityFile} (the profile's ca_file)`),
    });
    expect(of("proxy")).toMatchObject({ state: "ok", message: "none (direct connection)" });
  });

  test("a service is trusted through SSL_CERT_FILE", async () => {
    const { add, runWith } = await deployment();
    expect((await add("--no-check")).code).toBe(0);
    const options = { env: { SSL_CERT_FILE: authorityFile } };
    expect((await runWith(options, "ping")).json).toMatchObject({ ok: true });
    expect((await runWith(options, "doctor")).stdout).toContain(`1 from ${authorityFile} (SSL_CERT_FILE)`);
  });

  test("a certificate file without certificates is refused", async () => {
    const { add, run, runWith, home } = await deployment();
    writeFileSync(join(home, "no.pem"), "hello");
    const refused = await add("--ca-file", "no.pem");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "--ca-file: no.pem can't be used: it contains no certificate in PEM format",
    );
    await add("--ca-file", authorityFile);
    const extra = await runWith({ env: { NODE_EXTRA_CA_CERTS: join(home, "no.pem") } }, "doctor");
    expect(extra.stdout).toContain("(NODE_EXTRA_CA_CERTS) can't be used");
    expect((await run("profiles", "add", "toy", "--offline", "--ca-file", authorityFile)).code).toBe(2);
  });

  test("a warning reports that certificates are not checked", async () => {
    const { add, runWith } = await deployment();
    await add("--ca-file", authorityFile);
    const { stderr } = await runWith({ env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } }, "ping");
    expect(stderr).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked");
  });
});

describe("[T18] a proxy in the environment", () => {
  test("the error and `doctor` name an unreachable proxy, without its password", async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const { runWith, url } = await deployment();
    const env = {
      VOXCTL_BASE_URL: url,
      VOXCTL_API_KEY: "a-key",
      ALL_PROXY: `http://me:hush@127.0.0.1:${port}`,
    };
    let now = 0;
    const sleep = async (milliseconds: number) => {
      now += milliseconds;
    };
    const overrides = { clock: { now: () => now, sleep } };
    const { code, stderr } = await runWith({ env, overrides }, "ping");
    expect(code).toBe(9);
    expect(stderr).toContain(`the proxy http://127.0.0.1:${port} (ALL_PROXY) can't be reached`);
    const doctor = await runWith({ env, overrides }, "doctor");
    expect(doctor.stdout).toContain(`through the proxy http://127.0.0.1:${port} (ALL_PROXY)`);
    expect(stderr + doctor.stdout + doctor.stderr).not.toContain("hush");
  });

  test("an invalid proxy is a usage error that names the variable", async () => {
    const { runWith, url } = await deployment();
    const env = { VOXCTL_BASE_URL: url, VOXCTL_API_KEY: "a-key", HTTPS_PROXY: "ftp://me:hush@p" };
    const { code, stderr } = await runWith({ env }, "ping");
    expect(code).toBe(2);
    expect(stderr).toContain("HTTPS_PROXY is not a valid proxy URL");
    expect(stderr).not.toContain("hush");
  });
});
