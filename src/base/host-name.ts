/** Returns whether a text is a host name or an IP address, without a port. An IPv6 address must be in brackets. */
export function isHostName(text: string): boolean {
  return /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/i.test(text);
}
