/** Does this host, with or without an IPv6 address's brackets, name this machine? RFC 6761 keeps `.localhost` for it. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1") return true;
  // Without node:net, which no command needs that stays in this process.
  return /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(host);
}
