/**
 * Single-byte encodings. Some Node releases decode them incorrectly, and no release supports code page 850.
 */

/** The 32 characters in which Windows-1252 differs from Latin-1. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Upper half of Mac Roman. */
const macintosh =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø" +
  "¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

/** Upper half of DOS code page 850. */
const ibm850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
  "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function byTable(table: string): (bytes: Uint8Array) => string {
  return (bytes) =>
    latin1(bytes).replace(/[\x80-\xff]/g, (character) => table[character.charCodeAt(0) - 0x80] ?? character);
}

export const decodeWindows1252 = byTable(windows1252);
export const decodeMacintosh = byTable(macintosh);
export const decode850 = byTable(ibm850);

/** Unsupported characters become question marks. */
export function encodeByTable(text: string, encoding: "windows-1252" | "macintosh" | "ibm850"): Buffer {
  const table = { "windows-1252": windows1252, macintosh, ibm850 }[encoding];
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0);
      const at = table.indexOf(character);
      if (code < 0x80) return code;
      if (at >= 0) return at + 0x80;
      return encoding === "windows-1252" && code <= 0xff ? code : 0x3f;
    }),
  );
}

const common = new Set("äöüßéèêëàâáçñóíúîïôøåæœ");
/** The most frequent letters. They decide between encodings: the byte of `ö` in DOS is `î` in Mac Roman. */
const frequent = new Set("äöüßéè");
/** Windows-1252 characters that never occur within a word, or whose byte is a letter in Mac Roman. */
const strange = new Set("€…†‡ˆ‰‹\u008d\u008f\u0090‘“”•˜™›\u009dŸ§");
const capitals = new Set("ŠŒŽ");

/** Distinguishes Mac Roman from Windows-1252 by the non-ASCII bytes that follow letters. */
export function isMacintosh(): { feed(chunk: Uint8Array): void; result(): boolean } {
  let previous = 0;
  let mac = 0;
  let windows = 0;
  let sure = 0;
  // Number of bytes that follow a lowercase letter but would not be lowercase letters in Mac Roman. Such
  // bytes suggest a different encoding, such as a DOS code page.
  let odd = 0;
  // Scores for Mac Roman and DOS: the number of common accented letters. The most frequent letters count
  // twice.
  let likelyMac = 0;
  let likelyDos = 0;
  const likelihood = (letter: string) => (frequent.has(letter) ? 2 : common.has(letter) ? 1 : 0);
  // Only old Macs end lines with a bare carriage return.
  let returns = 0;
  let feeds = 0;
  const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return {
    feed(chunk) {
      for (const [index, byte] of chunk.entries()) {
        if (byte >= 0x80) {
          const asMac = macintosh[byte - 0x80] ?? "";
          const asWindows = windows1252[byte - 0x80] ?? String.fromCharCode(byte);
          const follows = isLetter(previous);
          const begins = isLetter(chunk[index + 1] ?? 0);
          if (follows && common.has(asMac)) mac += 1;
          if (follows) {
            likelyMac += likelihood(asMac);
            likelyDos += likelihood(ibm850[byte - 0x80] ?? "");
          }
          if (previous >= 0x61 && previous <= 0x7a && !/\p{Ll}/u.test(asMac)) odd += 1;
          if (follows && common.has(asWindows)) windows += 1;
          // Windows-1252 is unlikely if the byte would be a symbol within a word, or an uppercase letter
          // after a lowercase letter.
          const isOdd =
            strange.has(asWindows) || (capitals.has(asWindows) && previous >= 0x61 && previous <= 0x7a);
          if (follows && begins && isOdd && common.has(asMac)) sure += 1;
        } else if (byte === 0x0d) returns += 1;
        else if (byte === 0x0a) feeds += 1;
        previous = byte;
      }
    },
    result: () =>
      (sure > 0 || (returns > 0 && feeds === 0)) && mac > windows && odd * 4 < mac && likelyMac >= likelyDos,
  };
}
