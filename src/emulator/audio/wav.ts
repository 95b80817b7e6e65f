import { type AudioFile, type Part, sliceOfParts } from "./audio.js";
import { littleEndian, melodySeconds, sampleRate } from "./melody.js";

const headerLength = 44;

export function encodeWav(melody: Int16Array, seconds: number): AudioFile {
  const pcm = littleEndian(melody);
  const dataLength = seconds * sampleRate * 2;

  function* parts(): Generator<Part> {
    yield { length: headerLength, bytes: () => header(dataLength) };
    for (let second = 0; second < seconds; second += melodySeconds) {
      const length = Math.min(melodySeconds, seconds - second) * sampleRate * 2;
      yield { length, bytes: () => pcm.subarray(0, length) };
    }
  }

  return {
    length: headerLength + dataLength,
    slice: (start, end) => sliceOfParts(parts(), start, end),
  };
}

function header(dataLength: number): Uint8Array {
  const bytes = Buffer.alloc(headerLength);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(headerLength - 8 + dataLength, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  // Format: PCM with one channel
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(dataLength, 40);
  return bytes;
}
