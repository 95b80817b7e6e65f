/**
 * If another process takes over a run, the former process may still receive responses. The former process
 * stores the results, and the new owner adds them to its journal. The former process needs no lease for this,
 * because the results concern only its own requests.
 */
import * as z from "zod";
import { parseExactJson, stringifyExactJson } from "../base/exact-json.js";
import type { Item, Result } from "../write/journal/item.js";
import type { Journal } from "../write/journal/journal.js";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import { bufferOf } from "./schema.js";
import type { Sealer } from "./sealing.js";

const Answer = z.object({
  attempts: z.number(),
  result: z.discriminatedUnion("state", [
    z.object({
      number: z.number(),
      state: z.literal("done"),
      target: z.string(),
      answer: z.unknown().optional(),
      detail: z.unknown().optional(),
    }),
    z.object({ number: z.number(), state: z.literal("rejected"), outcome: z.string(), detail: z.unknown() }),
  ]),
});
type Answer = z.output<typeof Answer>;
const Answers = z.array(Answer);

interface AnswerParts {
  connection: StoreConnection;
  sealer: Sealer;
}

/**
 * Stores results for the new owner of the run.
 * @param numbers numbers of the items that the last entry marked as sent
 * @returns the number of stored results
 */
export async function handOverAnswers(
  { connection, sealer }: AnswerParts,
  run: { id: string; fence: string; journal: Journal },
  numbers: Iterable<number>,
): Promise<number> {
  const { id, fence, journal } = run;
  const answers = [...numbers].flatMap((number) => toAnswer(journal.item(number)) ?? []);
  if (answers.length === 0) return 0;
  const payload = sealer.seal(Buffer.from(stringifyExactJson(answers)), ["answer", id, fence, 1]);
  await connection.query(
    `INSERT INTO ${connection.address.schema}.answer (run, fence, n, at, payload)
     VALUES ($1, $2, 1, clock_timestamp(), $3) ON CONFLICT DO NOTHING`,
    [id, fence, payload],
  );
  return answers.length;
}

function toAnswer(item: Item | undefined): Answer | undefined {
  if (item === undefined) return undefined;
  const { number, state, attempts, target, outcome, answer, detail } = item;
  if (state === "done" && target !== undefined)
    return { attempts, result: { number, state, target, answer, detail } };
  if (state === "rejected") return { attempts, result: { number, state, outcome, detail } };
  return undefined;
}

/**
 * Adds results from former owners to the journal.
 * @returns the number of added results
 */
export async function takeAnswers(
  { connection, sealer }: AnswerParts,
  { id, journal }: { id: string; journal: Journal },
): Promise<number> {
  const rows = await connection.query(
    `SELECT fence, n, payload FROM ${connection.address.schema}.answer WHERE run = $1 ORDER BY at`,
    [id],
  );
  const results: Result[] = [];
  for (const { fence, n, payload } of rows) {
    const content = sealer.open(bufferOf(payload), ["answer", id, String(fence), Number(n)]);
    const answers = Answers.safeParse(parseExactJson(content.toString("utf8")));
    if (!answers.success) throw new StoreError("store_damaged", `responses of run ${id} can't be read`);
    for (const { attempts, result } of answers.data) {
      const item = journal.item(result.number);
      // Ignore results of earlier attempts, because a later attempt may have a different result.
      if (item?.state === "sent" && item.attempts === attempts) results.push(result);
    }
  }
  journal.record(results, []);
  return results.length;
}
