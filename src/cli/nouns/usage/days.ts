export interface UsageDays {
  from: string;
  to: string;
}

/**
 * If the first response corrects the service's time and this changes the period, lists the new period
 * instead.
 * @param readDays returns the period according to the current estimate of the service's time
 */
export async function* listOfDays(
  readDays: () => Promise<UsageDays>,
  list: (days: UsageDays) => AsyncIterable<unknown>,
): AsyncGenerator<unknown, void> {
  const estimated = await readDays();
  const isChanged = async () => {
    const { from, to } = await readDays();
    return from !== estimated.from || to !== estimated.to;
  };
  let isFirst = true;
  try {
    for await (const row of list(estimated)) {
      if (isFirst && (await isChanged())) break;
      isFirst = false;
      yield row;
    }
  } catch (error) {
    // The service can refuse the wrong period, because it is too long.
    if (!isFirst || !(await isChanged())) throw error;
  }
  if (isFirst && (await isChanged())) yield* list(await readDays());
}
