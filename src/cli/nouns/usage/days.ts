export interface UsageDays {
  from: string;
  to: string;
}

/**
 * If the first response corrects the service's time and this changes the period, lists the new period
 * instead.
 * @param readPeriod returns the period according to the current estimate of the service's time
 */
export async function* listAtServiceTime<Period, Row>(
  readPeriod: () => Period | Promise<Period>,
  list: (period: Period) => AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  const estimated = await readPeriod();
  const isChanged = async () => JSON.stringify(await readPeriod()) !== JSON.stringify(estimated);
  let isFirst = true;
  try {
    for await (const row of list(estimated)) {
      if (isFirst && (await isChanged())) break;
      isFirst = false;
      yield row;
    }
  } catch (error) {
    // The service may refuse the wrong period, for example because it is too long.
    if (!isFirst || !(await isChanged())) throw error;
  }
  if (isFirst && (await isChanged())) yield* list(await readPeriod());
}
