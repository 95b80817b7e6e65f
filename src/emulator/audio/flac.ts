/**
 * A small FLAC encoder (RFC 9639) for one channel and one block size. A repeated note has the same samples,
 * so the encoder builds each note's subframes only once.
 */
import { createHash } from "node:crypto";
import { type AudioFile, type Part, sliceOfParts } from "./audio.js";
import { BitWriter } from "./bits.js";
import { littleEndian, melodySeconds, sampleRate, samplesOf, soundOf } from "./melody.js";

/** Samples per frame. A frame lasts half a second, so that a frame ends at each full second. */
const blockSize = 4_000;
const framesPerSecond = sampleRate / blockSize;
const bitsPerSample = 16;
const markerLength = 4;
const streamInfoLength = 38;

/** Subframes by note; cached, because choosing their encoding takes most of the encoder's time. */
const subframesOfNotes = new Map<number | null, readonly Uint8Array[]>();

function subframesOf(note: number | null): readonly Uint8Array[] {
  const known = subframesOfNotes.get(note);
  if (known) return known;
  const samples = soundOf(note);
  const made: Uint8Array[] = [];
  for (let start = 0; start < samples.length; start += blockSize) {
    made.push(subframe(samples.subarray(start, start + blockSize)));
  }
  subframesOfNotes.set(note, made);
  return made;
}

export function encodeFlac(melody: readonly (number | null)[], seconds: number): AudioFile {
  const subframes = melody.flatMap(subframesOf);
  const frameCount = seconds * framesPerSecond;
  const subframeOf = (frame: number) => subframes[frame % subframes.length] ?? new Uint8Array();
  const frameLength = (frame: number) => frameHeaderLength(frame) + subframeOf(frame).length + 2;

  function* parts(): Generator<Part> {
    yield {
      length: markerLength + streamInfoLength,
      bytes: () => streamHead(melody, seconds, frameCount, frameLength),
    };
    for (let frame = 0; frame < frameCount; frame += 1) {
      yield { length: frameLength(frame), bytes: () => frameBytes(frame, subframeOf(frame)) };
    }
  }

  let length = markerLength + streamInfoLength;
  for (let frame = 0; frame < frameCount; frame += 1) length += frameLength(frame);
  return { length, slice: (start, end) => sliceOfParts(parts(), start, end) };
}

/** Returns the `fLaC` marker and the STREAMINFO block (RFC 9639, 8.2). */
function streamHead(
  melody: readonly (number | null)[],
  seconds: number,
  frameCount: number,
  frameLength: (frame: number) => number,
): Uint8Array {
  let smallest = 0xffffff;
  let largest = 0;
  for (let frame = 0; frame < frameCount; frame += 1) {
    smallest = Math.min(smallest, frameLength(frame));
    largest = Math.max(largest, frameLength(frame));
  }
  const bits = new BitWriter();
  for (const letter of Buffer.from("fLaC", "latin1")) bits.write(letter, 8);
  // Block header: 0x80 marks the last metadata block, and STREAMINFO is type 0
  bits.write(0x80, 8);
  bits.write(streamInfoLength - 4, 24);
  bits.write(blockSize, 16);
  bits.write(blockSize, 16);
  bits.write(smallest, 24);
  bits.write(largest, 24);
  bits.write(sampleRate, 20);
  bits.write(0, 3);
  bits.write(bitsPerSample - 1, 5);
  // The number of samples has 36 bits. The upper 4 bits are zero, because no call is long enough to need
  // them.
  bits.write(0, 4);
  bits.write(seconds * sampleRate, 32);
  for (const byte of computeDigest(samplesOf(melody), seconds)) bits.write(byte, 8);
  return bits.finish();
}

/** Decoders compare this MD5 hash with that of their output. */
function computeDigest(melody: Int16Array, seconds: number): Uint8Array {
  const pcm = littleEndian(melody);
  const hash = createHash("md5");
  for (let second = 0; second < seconds; second += melodySeconds) {
    hash.update(pcm.subarray(0, Math.min(melodySeconds, seconds - second) * sampleRate * 2));
  }
  return hash.digest();
}

/**
 * Encodes a frame number in the way that UTF-8 encodes a code point (RFC 9639, 9.1.5). Three bytes are
 * enough: 65,536 frames last nine hours.
 */
function codedNumber(frame: number): number[] {
  if (frame < 0x80) return [frame];
  if (frame < 0x800) return [0xc0 | (frame >> 6), 0x80 | (frame & 0x3f)];
  return [0xe0 | (frame >> 12), 0x80 | ((frame >> 6) & 0x3f), 0x80 | (frame & 0x3f)];
}

function frameHeaderLength(frame: number): number {
  return 4 + codedNumber(frame).length + 2 + 1;
}

function frameBytes(frame: number, subframeBytes: Uint8Array): Uint8Array {
  const headerLength = frameHeaderLength(frame);
  const bytes = new Uint8Array(headerLength + subframeBytes.length + 2);
  // Frame header: sync code, fixed block size as a 16-bit number, 8 kHz, one channel, 16 bits per sample
  const last = blockSize - 1;
  bytes.set([0xff, 0xf8, 0x74, 0x08, ...codedNumber(frame), last >> 8, last & 0xff]);
  bytes[headerLength - 1] = crc8(bytes.subarray(0, headerLength - 1));
  bytes.set(subframeBytes, headerLength);
  const checksum = crc16(bytes.subarray(0, bytes.length - 2));
  bytes.set([checksum >> 8, checksum & 0xff], bytes.length - 2);
  return bytes;
}

function subframe(samples: Int16Array): Uint8Array {
  const bits = new BitWriter();
  const first = samples[0] ?? 0;
  if (samples.every((sample) => sample === first)) {
    bits.write(0, 8);
    bits.write(first, bitsPerSample);
    return bits.finish();
  }
  let best: { order: number; folded: Int32Array; parameter: number; size: number } | undefined;
  let residual = Int32Array.from(samples);
  for (let order = 0; order <= 4; order += 1) {
    if (order > 0) residual = differences(residual);
    const folded = residual.map(fold);
    const { parameter, size } = riceParameter(folded);
    if (!best || size + order * bitsPerSample < best.size) {
      best = { order, folded, parameter, size: size + order * bitsPerSample };
    }
  }
  if (!best || best.size >= samples.length * bitsPerSample) {
    bits.write(0b0000_0010, 8);
    for (const sample of samples) bits.write(sample, bitsPerSample);
    return bits.finish();
  }
  bits.write((0b001000 | best.order) << 1, 8);
  for (const sample of samples.subarray(0, best.order)) bits.write(sample, bitsPerSample);
  // Use Rice coding with one partition and 4-bit parameters.
  bits.write(0, 2);
  bits.write(0, 4);
  bits.write(best.parameter, 4);
  for (const value of best.folded) {
    bits.writeUnary(value >>> best.parameter);
    bits.write(value, best.parameter);
  }
  return bits.finish();
}

/** After n calls, the values are the residual of the fixed predictor of order n. */
function differences(values: Int32Array): Int32Array<ArrayBuffer> {
  const differing = new Int32Array(values.length - 1);
  for (let index = 0; index < differing.length; index += 1)
    differing[index] = (values[index + 1] ?? 0) - (values[index] ?? 0);
  return differing;
}

function riceParameter(folded: Int32Array): { parameter: number; size: number } {
  const sizeWith = (parameter: number) => {
    let size = 10 + folded.length * (1 + parameter);
    for (let index = 0; index < folded.length; index += 1) size += (folded[index] ?? 0) >>> parameter;
    return size;
  };
  let sum = 0;
  for (const value of folded) sum += value;
  let parameter = Math.max(0, Math.min(14, Math.floor(Math.log2(sum / folded.length || 1))));
  let size = sizeWith(parameter);
  for (let next = sizeWith(parameter + 1); parameter < 14 && next < size; next = sizeWith(parameter + 1))
    [parameter, size] = [parameter + 1, next];
  for (let next = sizeWith(parameter - 1); parameter > 0 && next <= size; next = sizeWith(parameter - 1))
    [parameter, size] = [parameter - 1, next];
  return { parameter, size };
}

/** Maps signed numbers to unsigned numbers: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 … */
function fold(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

/** Polynomial: x^8 + x^2 + x + 1 */
function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}

/** Polynomial: x^16 + x^15 + x^2 + 1. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (crc16Table[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc;
}

const crc16Table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x8005) & 0xffff : crc << 1;
  return crc;
});
