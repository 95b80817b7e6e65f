/**
 * Writes MPEG-2 Layer III (ISO/IEC 13818-3) without a full encoder: a frame has at most one spectral line, so
 * each note's frame is created once and repeated.
 */
import { type AudioFile, type Part, sliceOfParts } from "./audio.js";
import { BitWriter } from "./bits.js";

const mpegSampleRate = 16_000;
const samplesPerFrame = 576;
/** In bytes, at 16 kbit/s: 72 × bit rate ÷ sample rate. */
const frameLength = 72;
const sideInfoLength = 9;
/** Delay caused by the filters of a decoder, in samples. */
const decoderDelay = 529;
const encoderDelay = samplesPerFrame;

/** @param melody for each second, a frequency in Hz, or null for a pause */
export function encodeMpeg(melody: readonly (number | null)[], seconds: number): AudioFile {
  const samples = seconds * mpegSampleRate;
  const frameCount = Math.ceil((samples + encoderDelay + decoderDelay) / samplesPerFrame);
  const frames = melody.map(noteFrame);
  const noteOf = (frame: number) =>
    frames[Math.floor((frame * samplesPerFrame) / mpegSampleRate) % frames.length] ?? new Uint8Array();

  function* parts(): Generator<Part> {
    yield { length: frameLength, bytes: () => infoFrame(frameCount, samples) };
    for (let frame = 0; frame < frameCount; frame += 1) {
      yield { length: frameLength, bytes: () => noteOf(frame) };
    }
  }

  return {
    length: (frameCount + 1) * frameLength,
    slice: (start, end) => sliceOfParts(parts(), start, end),
  };
}

function emptyFrame(): Uint8Array {
  const frame = new Uint8Array(frameLength);
  // Frame header: sync code, MPEG-2, Layer III, no CRC; 16 kbit/s, 16 kHz, no padding; one channel
  frame.set([0xff, 0xf3, 0x28, 0xc4]);
  return frame;
}

function noteFrame(frequency: number | null): Uint8Array {
  const frame = emptyFrame();
  // If the side information is all zeros, the frame is silent.
  if (frequency === null) return frame;
  const line = Math.round((frequency / (mpegSampleRate / 2)) * samplesPerFrame - 0.5);
  const pairs = Math.floor(line / 2) + 1;

  // Table 1 encodes (0,0) as 1, (1,0) as 01 and (0,1) as 001. A sign bit follows each non-zero value.
  const main = new BitWriter();
  for (let pair = 1; pair < pairs; pair += 1) main.write(1, 1);
  const code = line % 2 === 0 ? { value: 0b01, length: 2 } : { value: 0b001, length: 3 };
  main.write(code.value, code.length);
  main.write(0, 1);

  const side = new BitWriter();
  // Fields: main_data_begin, private bit
  side.write(0, 8);
  side.write(0, 1);
  // Fields: part2_3_length, big_values, global_gain, scalefac_compress, window switching
  side.write(pairs - 1 + code.length + 1, 12);
  side.write(pairs, 9);
  side.write(toneGain, 8);
  side.write(0, 9);
  side.write(0, 1);
  // Fields: tables and bounds of the three regions, scalefac_scale, count1table
  for (let region = 0; region < 3; region += 1) side.write(1, 5);
  side.write(0, 4);
  side.write(0, 3);
  side.write(0, 2);
  frame.set(side.finish(), 4);
  frame.set(main.finish(), 4 + sideInfoLength);
  return frame;
}

/** Gain of each frame. A spectral line with value 1 has the amplitude 2^((gain - 210) / 4). */
const toneGain = 202;

/** Returns a silent frame with an "Info" tag, which tells players where the audio ends. */
function infoFrame(frameCount: number, samples: number): Uint8Array {
  const frame = emptyFrame();
  const view = new DataView(frame.buffer);
  const start = 4 + sideInfoLength;
  frame.set(Buffer.from("Info", "latin1"), start);
  // These flags mean that the numbers of frames and bytes follow.
  view.setUint32(start + 4, 0x3);
  view.setUint32(start + 8, frameCount);
  view.setUint32(start + 12, (frameCount + 1) * frameLength);
  const extension = start + 16;
  frame.set(Buffer.from("LAME3.100", "latin1"), extension);
  // Tag revision 0, constant bit rate
  frame[extension + 9] = 1;
  frame[extension + 20] = 16;
  const padding = frameCount * samplesPerFrame - samples - encoderDelay;
  frame.set(
    [encoderDelay >> 4, ((encoderDelay & 0xf) << 4) | (padding >> 8), padding & 0xff],
    extension + 21,
  );
  view.setUint32(extension + 28, (frameCount + 1) * frameLength);
  return frame;
}
