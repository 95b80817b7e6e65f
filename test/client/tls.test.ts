import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAuthorities } from "../../src/client/authorities.js";
import { temporaryFolder } from "../helpers/cli.js";
import { catchConnectionError, get, openTransport, post, serve } from "./network.js";
import { authority, authorityFile, serveTls } from "./tls.js";

describe("the certificate of a host", () => {
  it("[T18] if a certificate authority is unknown, the error names the flag to trust it", async () => {
    const port = await serveTls((_, response) => response.end());
    const error = await catchConnectionError(openTransport()(`https://127.0.0.1:${port}/`, post));
    expect(error).toMatchObject({ maybeSent: false, code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(error.message).toBe("the server's certificate authority is unknown");
    expect(error.hint).toMatch(/NODE_EXTRA_CA_CERTS=FILE.*--ca-file FILE/);
    const hasSystemStore = process.allowedNodeEnvironmentFlags.has("--use-system-ca");
    expect(error.hint?.includes("--use-system-ca")).toBe(hasSystemStore);
  });

  it("[T18] a certificate is accepted if its authority is specified, even on a second connection", async () => {
    const port = await serveTls((_, response) => response.setHeader("connection", "close").end("{}"));
    const transport = openTransport({}, authority);
    for (let count = 0; count < 2; count += 1) {
      const response = await transport(`https://localhost:${port}/`, get);
      expect(await response.text()).toBe("{}");
    }
  });

  it("[T18] a certificate for other hosts is refused", async () => {
    const port = await serveTls((_, response) => response.end(), "127.0.0.2");
    const error = await catchConnectionError(openTransport({}, authority)(`https://127.0.0.2:${port}/`, get));
    expect(error).toMatchObject({
      maybeSent: false,
      message: "the server's certificate is for a different host",
    });
    expect(error.hint).toMatch(
      /^use one of the host names in the certificate; NODE_EXTRA_CA_CERTS.* don't help/,
    );
  });

  it("[T18] plain HTTP needs no certificate", async () => {
    const port = await serve((_, response) => response.end());
    const error = await catchConnectionError(openTransport()(`https://127.0.0.1:${port}/`, get));
    expect(error.message).toBe("the server does not use TLS");
    expect(error.maybeSent).toBe(false);
  });
});

describe("a file of certificate authorities", () => {
  it("if a file contains no readable CA certificate, the error explains why", () => {
    const folder = temporaryFolder();
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return readAuthorities(join(folder, name));
    };
    expect(readAuthorities(authorityFile)).toMatchObject({ count: 1 });
    expect(write("two.pem", `# ours\n${authority}\n${authority}`)).toMatchObject({ count: 2 });
    expect(write("none.pem", "hello")).toEqual({ problem: "it contains no certificate in PEM format" });
    expect(write("broken.pem", authority.replace(/\n\w{5}/, "\n!!!!!"))).toEqual({
      problem: "the file contains a certificate that can't be read",
    });
    expect(readAuthorities(join(folder, "missing"))).toEqual({ problem: "no such file" });
  });
});
