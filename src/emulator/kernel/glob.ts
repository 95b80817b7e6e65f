/**
 * A pattern for whole paths: `*` stays within a segment, `**` crosses them, all else stands for itself. Takes time in
 * proportion to path and pattern, whatever they are; a regular expression may take for ever.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  const tokens = glob.match(/\*\*|[\s\S]/g) ?? [];
  const wild = tokens.map((token) => (token === "**" ? 2 : token === "*" ? 1 : 0));
  /** Those places in the pattern are reached, too, that come after a wildcard that stands for nothing. */
  const spread = (places: Uint8Array) => {
    for (const [place, kind] of wild.entries()) if (kind && places[place]) places[place + 1] = 1;
  };
  return (path) => {
    let places = new Uint8Array(tokens.length + 1);
    let next = new Uint8Array(tokens.length + 1);
    places[0] = 1;
    spread(places);
    for (let index = 0; index < path.length; index += 1) {
      const character = path[index];
      next.fill(0);
      for (let place = 0; place < tokens.length; place += 1) {
        if (!places[place]) continue;
        if (wild[place] === 2 || (wild[place] === 1 && character !== "/")) next[place] = 1;
        else if (!wild[place] && tokens[place] === character) next[place + 1] = 1;
      }
      spread(next);
      [places, next] = [next, places];
    }
    return places[tokens.length] === 1;
  };
}
