/**
 * A pattern for whole paths: `*` stays within a segment, `**` crosses them, all else stands for itself. Takes time in
 * proportion to path and pattern, whatever they are; a regular expression may take for ever.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  const tokens = glob.match(/\*\*|[\s\S]/g) ?? [];
  const isWildcard = (index: number) => tokens[index] === "*" || tokens[index] === "**";
  /** A place in the pattern, and those behind it that are reached without a character. */
  const reach = (places: Set<number>, from: number) => {
    let place = from;
    places.add(place);
    while (isWildcard(place)) places.add(++place);
  };
  return (path) => {
    let places = new Set<number>();
    reach(places, 0);
    for (let index = 0; index < path.length && places.size > 0; index += 1) {
      const character = path[index];
      const next = new Set<number>();
      for (const place of places) {
        const token = tokens[place];
        if (token === "**" || (token === "*" && character !== "/")) reach(next, place);
        else if (token !== "*" && token === character) reach(next, place + 1);
      }
      places = next;
    }
    return places.has(tokens.length);
  };
}
