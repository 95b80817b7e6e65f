/** Headers that apply to one connection only (RFC 9110, 7.6.1) or that are set for every request. These headers are never forwarded. */
export const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
