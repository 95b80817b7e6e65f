const bars = 140;

/** Returns the loudness of equal parts of the recording; the loudest part has the value 1. */
export async function readLoudness(blob: Blob): Promise<{ loudness: readonly number[]; seconds: number }> {
  const context = new OfflineAudioContext(1, 1, 8_000);
  const { duration, length, numberOfChannels, ...decoded } = await decode(context, blob);
  const squares = new Array<number>(bars).fill(0);
  for (let channel = 0; channel < numberOfChannels; channel += 1) {
    const samples = decoded.samples(channel);
    for (let index = 0; index < length; index += 1) {
      const bar = Math.min(bars - 1, Math.floor((index / length) * bars));
      squares[bar] = (squares[bar] ?? 0) + (samples[index] ?? 0) ** 2;
    }
  }
  const means = squares.map(Math.sqrt);
  const loudest = Math.max(...means) || 1;
  return { loudness: means.map((mean) => mean / loudest), seconds: duration };
}

async function decode(context: OfflineAudioContext, blob: Blob) {
  const buffer = await context.decodeAudioData(await blob.arrayBuffer());
  const { duration, length, numberOfChannels } = buffer;
  return {
    duration,
    length,
    numberOfChannels,
    samples: (channel: number) => buffer.getChannelData(channel),
  };
}
