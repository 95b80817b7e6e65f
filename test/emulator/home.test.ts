import { request } from "node:http";
import { expect, it } from "vitest";
import { apis } from "../../src/contract/apis.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

/** Requests the page with this `Host`, as if a user had typed the host into a browser. */
function readHome(
  url: string,
  host: string,
): Promise<{ status: number | undefined; policy: string; text: string }> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: new URL(url).port, path: "/", headers: { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          policy: String(response.headers["content-security-policy"]),
          text,
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

it("GET / needs no key and shows the emulator's URLs with the requested host", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const { status, text } = await readHome(emulator.url, "localhost:4321");
  expect(status).toBe(200);
  for (const part of [
    "/_emulator/ui",
    "/api/v1/docs",
    "voxctl open emulator",
    "http://localhost:4321/api/v1",
  ])
    expect(text).toContain(part);
});

it("the page at / links to each API's reference", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const read = async (path: string) => {
    const response = await fetch(new URL(path, emulator.url));
    return { status: response.status, text: await response.text() };
  };
  const home = await read("/");
  expect(await read("/docs")).toEqual(home);
  const links = [...home.text.matchAll(/href="([^"]*\/docs)"/g)].map(([, path = ""]) => path);
  expect(links).toHaveLength(Object.keys(apis).length);
  for (const path of links) expect((await read(path)).status).toBe(200);
});

it("the page at / allows only its own styles", async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const { policy } = await readHome(emulator.url, "localhost:4321");
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/);
});
