import { expect, it } from "vitest";
import { parse } from "yaml";
import { testOnTransports } from "../helpers/test-emulator.js";

const paths = ["/openapi.json", "/openapi.yaml", "/docs", "/docs/docs.js", "/docs/docs.css"];

testOnTransports("the OpenAPI document", (open) => {
  it("[public.versioning.1] the OpenAPI document is served under /api/v1 with version 1.6.0", async () => {
    await using emulator = await open();
    const reply = await emulator.askHost("GET", "/api/v1/openapi.json", { key: null });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(reply.body.info.version).toBe("1.6.0");
    expect(reply.body.servers).toEqual([{ url: "/api/v1" }]);
    expect((await emulator.askHost("GET", "/openapi.json", { key: null })).status).toBe(404);
  });

  it("[dist.auth.missing] the OpenAPI documents of the other APIs need no key", async () => {
    await using emulator = await open();
    for (const [at, title] of [
      ["/api/distributor/v1", "Distributor API v1"],
      ["/api/distributor/v2", "Distributor API v2"],
      ["/api/v1/outbound", "legacy outbound calls"],
    ]) {
      const { body, status } = await emulator.askHost("GET", `${at}/openapi.json`, { key: null });
      expect([at, status, body.info.title]).toEqual([at, 200, `Voice assistant service: ${title}`]);
      const keyless: string[] = [];
      for (const [path, methods] of Object.entries<Record<string, object>>(body.paths)) {
        for (const method of Object.keys(methods)) {
          const whole = (body.servers[0].url + path).replace("//", "/");
          const reply = await emulator.askHost(method.toUpperCase(), whole, { key: null });
          if (reply.status !== 401) keyless.push(`${path} ${reply.status}`);
        }
      }
      const below = at === "/api/v1/outbound" ? at : "";
      const health = at === "/api/distributor/v1" ? ["/health 200"] : [];
      const described = ["openapi.json", "openapi.yaml", "docs"].map((part) => `${below}/${part} 200`);
      expect(keyless).toEqual([...health, ...described]);
      for (const part of ["docs/docs.js", "docs/docs.css"])
        expect((await emulator.askHost("GET", `${at}/${part}`, { key: null })).status).toBe(200);
    }
  });

  it("the OpenAPI document is the same in JSON and YAML", async () => {
    await using emulator = await open();
    const json = await emulator.ask("GET", "/openapi.json", { key: null });
    const yaml = await emulator.ask("GET", "/openapi.yaml", { key: null });
    expect(yaml.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(parse(new TextDecoder().decode(yaml.bytes))).toEqual(json.body);
  });

  it("[public.auth.1 refuses] the OpenAPI document is public, but its operations require a key", async () => {
    await using emulator = await open();
    for (const path of paths) {
      expect([path, (await emulator.ask("GET", path, { key: null })).status]).toEqual([path, 200]);
      expect([path, (await emulator.ask("GET", path, { key: "no-such-key" })).status]).toEqual([path, 200]);
    }
    const { body: document } = await emulator.askHost("GET", "/api/v1/openapi.json", { key: null });
    const keyless: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, object>>(document.paths)) {
      for (const method of Object.keys(methods)) {
        const { status } = await emulator.ask(method.toUpperCase(), path, { key: null });
        if (status !== 401) keyless.push(`${method} ${path} ${status}`);
      }
    }
    expect(keyless).toEqual(["get /openapi.json 200", "get /openapi.yaml 200", "get /docs 200"]);
  });

  it("[D-docs] requests for the OpenAPI document are not limited, counted or affected by faults", async () => {
    await using emulator = await open({ limits: { read: 1 } });
    await emulator.control("POST", "/faults", { kind: "error_before", path: "/api/v1/**" });
    for (const path of [...paths, ...paths]) {
      const reply = await emulator.ask("GET", path);
      expect([path, reply.status, reply.headers.get("x-ratelimit-limit")]).toEqual([path, 200, null]);
    }
    await emulator.control("DELETE", "/faults");
    expect((await emulator.ask("GET", "/ping")).status).toBe(200);
    expect((await emulator.ask("GET", "/ping")).status).toBe(429);
  });

  it("[D-method] a POST to the OpenAPI document returns 404", async () => {
    await using emulator = await open();
    for (const path of [...paths, "/docs/", "/docs/other.js", "/openapi.xml"]) {
      const method = paths.includes(path) ? "POST" : "GET";
      const reply = await emulator.ask(method, path, { key: null });
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 404, "not_found"]);
    }
  });

  it("the web page of the OpenAPI document loads resources only from its own origin", async () => {
    await using emulator = await open();
    const reply = await emulator.ask("GET", "/docs", { key: null });
    expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = reply.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(new TextDecoder().decode(reply.bytes)).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
