/** Windows device names: a file with such a name can't be created there, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i;

/** Returns whether a name is a Windows device's, which no file there may have. */
export function isDeviceName(name: string): boolean {
  return device.test(name);
}

/** Returns whether voxctl may use a name for a file or directory on every system. Some systems remove a final dot. */
export function isFileName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !isDeviceName(name);
}

/** Returns a name that is the same file on every system: a device's name gets an underscore before it. */
export function withoutDeviceName(name: string): string {
  return isDeviceName(name) ? `_${name}` : name;
}
