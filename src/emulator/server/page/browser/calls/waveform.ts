const bars = 160;

/** Returns the duration of a recording and the loudness of its parts, from 0 to 1, where 1 is the loudest part. */
export async function peaksOf(blob: Blob): Promise<{ peaks: readonly number[]; seconds: number }> {
  const context = new OfflineAudioContext(1, 1, 8_000);
  const { duration, length, numberOfChannels, ...decoded } = await decode(context, blob);
  const peaks = new Array<number>(bars).fill(0);
  for (let channel = 0; channel < numberOfChannels; channel += 1) {
    const samples = decoded.samples(channel);
    for (let index = 0; index < length; index += 1) {
      const bar = Math.min(bars - 1, Math.floor((index / length) * bars));
      const size = Math.abs(samples[index] ?? 0);
      if (size > (peaks[bar] ?? 0)) peaks[bar] = size;
    }
  }
  const loudest = Math.max(...peaks) || 1;
  return { peaks: peaks.map((peak) => peak / loudest), seconds: duration };
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
