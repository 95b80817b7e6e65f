import { ConnectionError } from "../base/transport.js";

/** Messages for the system's error codes. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's address can't be looked up right now",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ETIMEDOUT: "the host did not respond in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  EPROTO: "the server does not use TLS",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not use TLS",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that is not known here",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate comes from an authority that is not known here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that is not known here",
  CERT_HAS_EXPIRED: "its certificate has expired, by this machine's clock",
  CERT_NOT_YET_VALID: "its certificate is not valid yet, by this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for other hosts",
};

const certificateCode = /CERT|ISSUER|LEAF_SIGNATURE|^CRL_|HOSTNAME_MISMATCH|^INVALID_(CA|PURPOSE)$/;

/** Returns whether a code concerns certificates or TLS. A retry does not help then. */
export function isPermanent(error: ConnectionError): boolean {
  if (error.permanent) return true;
  const code = error.code ?? "";
  return !error.maybeSent && (certificateCode.test(code) || /TLS|SSL|VERIFY|^EPROTO$/.test(code));
}

/** Describes a connection failure. `whom`: the proxy, if it is not the requested host. */
export function toConnectionError(error: unknown, maybeSent: boolean, whom?: string): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const code = getCode(error);
  const fallback = error instanceof Error && error.message !== "" ? error.message : "the connection failed";
  const reason = (code === undefined ? undefined : explanations[code]) ?? fallback;
  const message = whom === undefined ? reason : `${whom} can't be reached: ${reason}`;
  const hint = findHint(code, whom);
  return new ConnectionError(message, maybeSent, code, { cause: error, hint, via: whom });
}

function findHint(code: string | undefined, whom: string | undefined): string | undefined {
  if (code !== undefined && certificateCode.test(code)) return buildCertificateHint(code);
  return whom === undefined ? undefined : "NO_PROXY names hosts that are reached without a proxy";
}

/** Failures that another trusted authority can't fix. */
const certificateHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the host's operator must renew it, or this machine's date is wrong",
  CERT_NOT_YET_VALID: "this machine's date may be wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "use one of the host names in the certificate",
};

/** Returns a hint for a code: for most codes, how this Node can trust another authority. */
function buildCertificateHint(code: string): string {
  const own = certificateHints[code];
  if (own !== undefined) return `${own}; NODE_EXTRA_CA_CERTS and --ca-file don't help against that`;
  const system = process.allowedNodeEnvironmentFlags.has("--use-system-ca")
    ? ", NODE_OPTIONS=--use-system-ca those that this machine trusts"
    : "";
  return `NODE_EXTRA_CA_CERTS=FILE (or SSL_CERT_FILE) makes voxctl trust the authorities in a PEM file${system}; voxctl profiles add NAME --ca-file FILE does it for one profile`;
}

function getCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
