/** Random pairs of a group and a file, and the expected result of their synchronization. */
import { createPeople, type Person } from "./sync.js";

type Draw = (...names: (string | number)[]) => number;

/** Faults that lose requests and responses, before and after their effect. */
export const lossFaults = ["error_before", "error_after", "drop_before", "drop_after", "truncate"] as const;

/** The file has a different order, and some changed, deleted and new rows. */
export function createPair(draw: Draw): { before: Person[]; file: Person[] } {
  const before = createPeople(6 + Math.floor(draw("size") * 14));
  const kept = before.filter(({ key = "" }) => draw("kept", key) > 0.2);
  const changed = kept.map((person) => {
    const { key = "" } = person;
    const fate = draw("fate", key);
    if (fate < 0.1) return { ...person, last: `Neu${key}` };
    if (fate < 0.2) return { ...person, email: "" };
    if (fate < 0.3) return { ...person, first: `Anders${key}`, email: `x${key}@example.org` };
    return fate < 0.4 ? { ...person, phone: `0160 ${30000000 + Number(key.slice(1))}` } : person;
  });
  const added = createPeople(Math.floor(draw("added") * 6), 500);
  const file = [...changed, ...added].sort(
    (left, right) => draw("order", left.key ?? "") - draw("order", right.key ?? ""),
  );
  return { before, file };
}

export function toContactTexts(people: readonly Person[]): string[] {
  return people
    .map(({ first, last = "", phone = "", email = "" }) =>
      JSON.stringify([first, last, [`+49${phone.replace(/^0| /g, "")}`], email === "" ? [] : [email]]),
    )
    .sort();
}

/** Flags that allow every guarded operation. */
export const allAllowFlags = [
  ...["--delete", "--delete-newer", "--yes", "--clear-empty", "E-Mail"],
  ...["--max-delete", "100%", "--max-update", "100%", "--max-clear", "100%"],
];
