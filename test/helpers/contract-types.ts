import type * as z from "zod";
import type { control } from "../../src/contract/control/control.js";
import type { assistants } from "../../src/contract/public/assistants.js";
import type { calendars } from "../../src/contract/public/calendars.js";
import type { calls } from "../../src/contract/public/calls.js";
import type { contacts } from "../../src/contract/public/contacts.js";
import type { forwardings } from "../../src/contract/public/forwardings.js";
import type { glossary } from "../../src/contract/public/glossary.js";
import type { groups } from "../../src/contract/public/groups.js";
import type { knowledge } from "../../src/contract/public/knowledge.js";
import type { ping } from "../../src/contract/public/ping.js";
import type { prompts } from "../../src/contract/public/prompts.js";
import type { pronunciation } from "../../src/contract/public/pronunciation.js";
import type { statistics } from "../../src/contract/public/statistics.js";
import type { tools } from "../../src/contract/public/tools.js";
import type { voices } from "../../src/contract/public/voices.js";

type Tables = typeof assistants &
  typeof calendars &
  typeof calls &
  typeof contacts &
  typeof forwardings &
  typeof glossary &
  typeof groups &
  typeof knowledge &
  typeof ping &
  typeof prompts &
  typeof pronunciation &
  typeof statistics &
  typeof tools &
  typeof voices;
type Entry = Tables[keyof Tables];
type ControlEntry = (typeof control)[keyof typeof control];

type WithoutQuery<Path extends string> = Path extends `${infer Plain}?${string}` ? Plain : Path;
type Fits<Segment, Pattern> = Pattern extends `{${string}}` ? true : Segment extends Pattern ? true : false;
type Matches<Path extends string, Pattern extends string> = Path extends `${infer First}/${infer Rest}`
  ? Pattern extends `${infer FirstOfPattern}/${infer RestOfPattern}`
    ? Fits<First, FirstOfPattern> extends true
      ? Matches<Rest, RestOfPattern>
      : false
    : false
  : Pattern extends `${string}/${string}`
    ? false
    : Fits<Path, Pattern>;

/** A list has at least one row, so that tests can read the first row without a check. */
type DataOf<One> = One extends { responseShape: "page" | "list"; response: infer Row extends z.core.$ZodType }
  ? [z.output<Row>, ...z.output<Row>[]]
  : One extends { response: infer Row extends z.core.$ZodType }
    ? z.output<Row>
    : object;

type DataOfMatch<Method extends string, Path extends string, One = Entry> = One extends {
  method: Method;
  path: infer Pattern extends string;
}
  ? Matches<WithoutQuery<Path>, Pattern> extends true
    ? DataOf<One>
    : never
  : never;

// biome-ignore lint/suspicious/noExplicitAny: tests also request unknown paths
type OrAnything<Data> = [Data] extends [never] ? any : Data;

/** The type of the response to this request by the contract. If the contract lacks the path, the type is `any`. */
export type DataAt<Method extends string, Path extends string> = OrAnything<DataOfMatch<Method, Path>>;

export type ControlDataAt<Method extends string, Path extends string> = OrAnything<
  DataOfMatch<Method, Path, ControlEntry>
>;
