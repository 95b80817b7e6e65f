import { ConnectionError } from "../base/transport.js";

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "the host name can't be resolved at the moment",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the host did not respond in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  EPROTO: "the server does not use TLS",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not use TLS",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate authority is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT: "the server's certificate authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate authority is unknown",
  CERT_HAS_EXPIRED: "the server's certificate has expired, according to this machine's clock",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet, according to this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for a different host",
};

const certificateCode = /CERT|ISSUER|LEAF_SIGNATURE|^CRL_|HOSTNAME_MISMATCH|^INVALID_(CA|PURPOSE)$/;

export function isPermanent(error: ConnectionError): boolean {
  if (error.permanent) return true;
  const code = error.code ?? "";
  return !error.maybeSent && (certificateCode.test(code) || /TLS|SSL|VERIFY|^EPROTO$/.test(code));
}

/** @param whom name of the proxy, if the connection to the proxy failed */
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
  return whom === undefined ? undefined : "to connect without a proxy, add the host to NO_PROXY";
}

/** Hints for certificate errors that also occur if the certificate's authority is trusted. */
const certificateHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    "check this machine's date; if it is correct, the host's operator must renew the certificate",
  CERT_NOT_YET_VALID: "check this machine's date",
  ERR_TLS_CERT_ALTNAME_INVALID: "use one of the host names in the certificate",
};

function buildCertificateHint(code: string): string {
  const own = certificateHints[code];
  if (own !== undefined) return `${own}; NODE_EXTRA_CA_CERTS and --ca-file don't help`;
  const system = process.allowedNodeEnvironmentFlags.has("--use-system-ca")
    ? ", NODE_OPTIONS=--use-system-ca"
    : "";
  return `to trust another authority, set NODE_EXTRA_CA_CERTS=FILE (PEM), SSL_CERT_FILE=FILE${system}, or use \`voxctl profiles add --ca-file FILE\``;
}

function getCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
