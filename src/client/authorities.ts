import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import { describeFsError } from "../base/describe-fs-error.js";
import type { Environment } from "./proxy.js";

export function createTrustingContext(authorities: string, env: Environment): tls.SecureContext {
  return tls.createSecureContext({ ca: [...listNodeAuthorities(env), authorities] });
}

/** Before Node 22.15, returns only the built-in authorities and those in NODE_EXTRA_CA_CERTS. */
function listNodeAuthorities(env: Environment): string[] {
  if ("getCACertificates" in tls && typeof tls.getCACertificates === "function") {
    const known: unknown = tls.getCACertificates("default");
    if (Array.isArray(known)) return known.filter((certificate) => typeof certificate === "string");
  }
  const extra = env["NODE_EXTRA_CA_CERTS"] ?? "";
  const file = extra === "" ? undefined : readAuthorities(extra);
  return [...tls.rootCertificates, ...(file && "certificates" in file ? [file.certificates] : [])];
}

/**
 * Returns the certificates from the file in SSL_CERT_FILE, a variable that Node ignores by default. Returns
 * undefined if the variable is not set or the file can't be used.
 */
export function readSslCertFile(env: Environment): string | undefined {
  const path = env["SSL_CERT_FILE"] ?? "";
  const file = path === "" ? undefined : readAuthorities(path);
  return file && "certificates" in file ? file.certificates : undefined;
}

export function readAuthorities(path: string): { certificates: string; count: number } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { problem: describeFsError(error) };
  }
  const blocks = text.match(
    /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g,
  );
  if (!blocks) return { problem: "it contains no certificate in PEM format" };
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    return { problem: "the file contains a certificate that can't be read" };
  }
  return { certificates: blocks.join("\n"), count: blocks.length };
}
