/** Windows device names. On Windows, no file can have such a name, not even with an extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i;

export function isDeviceName(name: string): boolean {
  return device.test(name);
}

/** Returns true only for a name that is valid on every system. */
export function isFileName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !isDeviceName(name);
}

export function withoutDeviceName(name: string): string {
  return isDeviceName(name) ? `_${name}` : name;
}
