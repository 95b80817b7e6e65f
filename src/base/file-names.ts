/** Devices of Windows: a file of such a name can't be made there, with whatever ending. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i;

/** Is it a device's name on Windows, where no file may have it? */
export function isDeviceName(name: string): boolean {
  return device.test(name);
}

/** May it be the name of a file or folder of ours, on every system? Some take a dot at its end off. */
export function isFileName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !isDeviceName(name);
}

/** A name that means the same file on every system: one of a device gets an underscore before it. */
export function withoutDeviceName(name: string): string {
  return isDeviceName(name) ? `_${name}` : name;
}
