/**
 * Returns a predicate for complete paths: `*` matches any text within a segment, `**` matches any text, and
 * every other character matches itself. Unlike a regular expression, the predicate always runs in linear
 * time.
 */
export function createPathMatcher(glob: string): (path: string) => boolean {
  const tokens = glob.match(/\*\*|[\s\S]/g) ?? [];
  const wildcards = tokens.map((token) => (token === "**" ? 2 : token === "*" ? 1 : 0));
  /** Also marks the position after each marked wildcard, because a wildcard can match the empty string. */
  const spread = (positions: Uint8Array) => {
    for (const [position, wildcard] of wildcards.entries())
      if (wildcard && positions[position]) positions[position + 1] = 1;
  };
  return (path) => {
    let positions = new Uint8Array(tokens.length + 1);
    let next = new Uint8Array(tokens.length + 1);
    positions[0] = 1;
    spread(positions);
    for (let index = 0; index < path.length; index += 1) {
      const character = path[index];
      next.fill(0);
      for (let position = 0; position < tokens.length; position += 1) {
        if (!positions[position]) continue;
        if (wildcards[position] === 2 || (wildcards[position] === 1 && character !== "/")) next[position] = 1;
        else if (!wildcards[position] && tokens[position] === character) next[position + 1] = 1;
      }
      spread(next);
      [positions, next] = [next, positions];
    }
    return positions[tokens.length] === 1;
  };
}
