export type Area = "strings" | "page" | "comments" | "titles" | "test-comments" | "script-comments" | "docs";

/** A phrase that reads like translated German, and what to write instead. */
export interface PhraseRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly hint: string;
  readonly example: string;
  /** Undefined means all areas. */
  readonly areas?: readonly Area[];
}

const comments = ["comments", "test-comments", "script-comments"] as const;
const prose = ["strings", "page", "docs"] as const;

export const phraseRules: readonly PhraseRule[] = [
  {
    id: "is-no-x",
    pattern:
      /(?<!\bthere )(?<!\bthere (may|can|must|will|would|should|might|need) )\b(is|are|was|were|be|been) no (?!longer\b|more\b|better\b|worse\b|different\b|less\b|fewer\b|later\b|earlier\b|sooner\b|matter\b|doubt\b|one\b)(?=[a-z…])/i,
    hint: "say what the value should be: 'invalid X', 'not a valid X', 'is not an X'",
    example: "the value is no number",
  },
  {
    id: "is-none",
    pattern: /(?<!outcome )\b(is|are|was|were) none\b(?! of\b)/i,
    hint: "name the noun: 'no X exists', 'not a valid X'",
    example: "an address that is none",
  },
  {
    id: "verb-nothing",
    pattern:
      /\b(sends?|changes?|writes?|reads?|says?|does|clears?|deletes?|compares?|copies|loads?|prints?|names?|restores?|answers?|shows?|decides?|promises?|replaces?) (nothing|none)\b/i,
    hint: "negate the verb: 'does not send requests', 'without changing anything'",
    example: "the command sends nothing",
  },
  {
    id: "inverted-not",
    pattern: /\b(has|have|had|knows?|says?) (it|them) not\b|\bfor want of\b|\bneed not\b/i,
    hint: "use normal word order: 'does not have it', 'because X is missing', 'does not have to'",
    example: "the file has it not",
  },
  {
    id: "by-nobody",
    pattern: /\bby nobody\b/i,
    hint: "use 'by default', 'not set'",
    example: "set by nobody",
  },
  {
    id: "is-there",
    pattern:
      /\b(is|are|was|were|be|been) (not )?there\b(?=\s*($|[.,;:)]|already\b|yet\b|any ?more\b|at all\b|beside\b|by that\b|and\b|or\b|when\b|where\b))/i,
    hint: "use 'exists', 'already exists', 'does not exist'",
    example: "the file is there.",
  },
  {
    id: "there-already",
    pattern:
      /\bthere already\b|\bnot there yet\b|\b(what|those|which) (there )?(is|are|was) there\b|\bthose there are\b/i,
    hint: "use 'already exists', 'the current value', 'the existing X'",
    example: "contacts that are there already",
  },
  {
    id: "is-gone",
    pattern: /\b(is|are|was|were|be|been) gone\b(?! on\b)/i,
    hint: "use 'was deleted', 'no longer exists', 'is unreachable'",
    example: "the file is gone",
  },
  {
    id: "stands",
    pattern:
      /\b(stands?|stood|standing) (in|on|at|beside|behind|before|there|once|here|as|under|between|alone|above|below|first|last|twice|after|ahead|with|open|by itself|in front)\b|\b(as|where|what) (it|they|that) stands?\b|\bwhat stands\b/i,
    hint: "use 'is', 'appears', 'is listed', 'is stored'",
    example: "the id stands in the file",
  },
  {
    id: "lies",
    pattern:
      /\blies? (in|at|on|beside|below|above|between|outside|inside|under|within|further)\b|\b(it|they|that|which|keys|things|files|data) lies?\b/i,
    hint: "use 'is in', 'is stored in'",
    example: "it lies in the data directory",
  },
  {
    id: "is-said",
    pattern:
      /\b(is|are|was|were|be|been) told\b(?! to\b)|\b(told|tell|tells|telling) (apart|of|from|by|them from)\b|\b(and|which is|are|it is|that is) said(?=[.,;:)]|$)|\b(is|are|be) said\b(?! (in|on|by the (caller|user|assistant)))/i,
    hint: "use 'report', 'show', 'distinguish', 'return'",
    example: "the user is told of it",
  },
  {
    id: "says-wh",
    pattern:
      /(?<!\b(a|was|is|were) )\b(says|say|tells|tell|told|said) (so|which|whether|how|where|what|who|whose)\b/i,
    hint: "use 'shows', 'lists', 'reports', 'names', 'specifies'",
    example: "it says which row failed",
  },
  {
    id: "go-on",
    pattern: /\b(go|goes|going|went|gone) on\b(?! (the|to (the|a|one)) (wire|list|stack|shelf|line))/i,
    hint: "use 'continue' or 'resume'",
    example: "the run goes on",
  },
  {
    id: "anew",
    pattern: /\b(anew|afresh)\b/i,
    hint: "use 'again' or 'from the beginning'",
    example: "start anew",
  },
  {
    id: "mend",
    pattern: /\bmend(s|ed|ing)?\b/i,
    hint: "use 'fix' or 'correct'",
    example: "mend the file",
  },
  {
    id: "begun",
    pattern: /\bbegun\b/i,
    hint: "use 'started'",
    example: "a run that was begun",
  },
  {
    id: "find-out",
    pattern: /\b(find|found|finds|finding) out\b/i,
    hint: "use 'detect' or 'determine'",
    example: "the encoding is found out",
  },
  {
    id: "look-whether",
    pattern: /\blook(s|ed|ing)? (whether|before)\b/i,
    hint: "use 'check whether', 'check … before'",
    example: "look whether it exists",
  },
  {
    id: "came-to",
    pattern:
      /\bwhat (it|they|this|that|an? [a-z]+|the [a-z]+|[a-z]+) (came|comes|come) to\b|\bwhat (came|comes|became) of\b/i,
    hint: "use 'result' or 'outcome'",
    example: "what became of it",
  },
  {
    id: "in-place-of",
    pattern: /\bin (place|lieu) of\b/i,
    hint: "use 'instead of'",
    example: "a space in place of a tab",
  },
  {
    id: "beside",
    pattern: /\bbeside\b(?! the point)/i,
    hint: "use 'next to' (location), 'alongside' (files), 'in addition to'",
    example: "the file beside it",
  },
  {
    id: "typed-behind",
    pattern:
      /\b(stands?|typed|comes?|given|put|written|named) behind\b|\bbehind (the command|the last|the number|the calling)\b/i,
    hint: "use 'after'",
    example: "typed behind the command",
  },
  {
    id: "goes-before",
    pattern: /\bgo(es)? before\b/i,
    hint: "use 'takes precedence over' or 'precedes'",
    example: "the flag goes before the profile",
  },
  {
    id: "too-end",
    pattern: /, too(?=\s*([.;:,)\u2013\u2014]|$))/i,
    hint: "put 'also' before the verb, or drop it",
    example: "groups are read, too.",
  },
  {
    id: "meanwhile-end",
    pattern: /\bmeanwhile\b(?=[.,;:)]|$)/i,
    hint: "use 'in the meantime', 'since then', 'concurrently'",
    example: "changed meanwhile.",
  },
  {
    id: "taken",
    pattern:
      /\btaken for (an?|one|the|it|that|another|each|this|granted)\b|\b(takes|took) [a-z…]+( [a-z]+)? for (an?|one|another)\b|\btaken (back|out(?! of order)|away|whole|as such|off)\b|\b(is|are|was|were) taken(?=[.,;:)]|$)/i,
    hint: "use 'treated as', 'accepted', 'removed', 'reverted'",
    example: "it is taken for a name",
  },
  {
    id: "left-out",
    pattern:
      /\bleft (out|alone)\b|\bleav(e|es|ing) (it |them |that |this |the [a-z]+ |what [a-z ]{2,20} )?(out|alone)\b/i,
    hint: "use 'skip', 'omit', 'leave unchanged'",
    example: "rows that are left out",
  },
  {
    id: "made-equal",
    pattern: /\b(made|makes?|making) ([a-z]+ ){0,3}equal\b/i,
    hint: "use 'match', 'replace … with'",
    example: "the group is made equal",
  },
  {
    id: "brought",
    pattern: /\bbrought\b|\bhand(s|ed|ing)? on\b/i,
    hint: "use 'converted to', 'fetched', 'passed', 'shared'",
    example: "brought into one form",
  },
  {
    id: "holds-to",
    pattern: /\bholds? to\b|\b(has|have|had) to hold\b|\bmust hold (on|for|true)\b/i,
    hint: "use 'follows', 'must be true'",
    example: "it holds to the limit",
  },
  {
    id: "wants",
    pattern:
      /(?<!\b(user|caller|person|whoever|somebody|anybody|who|you|one|reader|client|she|he) )\bwants (a|an|all|the|no|it|them|one|two|more|to be|its|only|nothing|both|either|[a-z]+s\b)/i,
    hint: "use 'requires', 'expects', 'takes'",
    example: "the command wants a file",
  },
  {
    id: "so-many",
    pattern: /\b(so|that) (many|often|few)\b(?! (that|as)\b)|\bfor so long\b|\bso long(?=[.,;:)]|$)/i,
    hint: "name the number: '<n> rows', 'this many seconds'",
    example: "so many rows",
  },
  {
    id: "otherwise",
    pattern: /\b(stored|called|named|written|spelled|spelt|known|done|ordered|treated|answers?) otherwise\b/i,
    hint: "use 'differently'",
    example: "it is stored otherwise",
  },
  {
    id: "begins-so",
    pattern: /\bbegins? so\b|\b(is|are) (not )?so\b(?=[.,;:)]|$)/i,
    hint: "use 'starts with', 'is true'",
    example: "a name that begins so",
  },
  {
    id: "another-form",
    pattern:
      /\b(of|in|with|by|from|at|has|have) another (form|shape|kind|time|place|spelling|way|encoding|name)\b/i,
    hint: "use 'a different X'",
    example: "written in another form",
  },
  {
    id: "as-it-is",
    pattern: /\bas (it|they) (is|are|was|were|came|come|stands?)\b(?=\s*([.,;:)]|$))/i,
    hint: "use 'unchanged', 'verbatim', 'as received'",
    example: "it is kept as it is.",
  },
  {
    id: "whoever",
    pattern: /\b(whoever|whomever)\b/i,
    hint: "name the person: 'the developer who', 'anyone who'",
    example: "whoever writes a file",
  },
  {
    id: "whatever",
    pattern:
      /\bwhatever (the|their|its|it|else|his|your|a|an|that|they|this|--?|[a-z]+ (is|was|are|says|has|holds|prefers))\b|\bhowever (often|much|many|short|narrow|deep|large|wide|small|late|old|far|long)\b/i,
    hint: "use 'regardless of', 'any'",
    example: "whatever the service says",
  },
  {
    id: "headless-start",
    pattern:
      /^\s*(what|whom?|whose|(by|of|to|under|for|from|with|in|at|on|after|before) (which|whom|whose|what)) (?!if\b|next\b|about\b)(?![^.]*\?)/i,
    hint: "start with a noun or a verb: 'The contact that …', 'Returns …', 'Manage …'",
    example: "what is written",
  },
  {
    id: "headless-comment",
    pattern: /^\s*(As (the|it|they|many|much)\b|Where [^,;:]*(\.|$)|(Told|Said|Asked|Taken|Known|Kept) )/,
    hint: "start with a noun: 'The value exactly as …', 'The file that stores …'",
    example: "As the user wrote it.",
    areas: comments,
  },
  {
    id: "headless-flag",
    pattern: /^(with --[\w-]+: )?(where|how (long|many|much|often|far)|which|when|why) (?!\S+\?)[^?]*$/,
    hint: "start a flag or command description with a noun or a verb: 'File for …', 'Number of …'",
    example: "where to write the rows",
    areas: ["strings"],
  },
  {
    id: "command-subject",
    pattern:
      /(?<=^|[;:] )(voxctl [a-z][\w -]*?|--[a-z][\w-]*( [A-Z…]+)?) (shows|makes|prints|lists|lifts|takes|confirms|deletes|carries|goes|names|adds|replaces|allows|leaves|reads|writes|follows|brings|says|sets|starts|resumes|imports|applies|tries|removes|sends)\b/,
    hint: "a hint is imperative: 'use --flag to …', 'to …, run `voxctl …`'",
    example: "--all shows the rest",
    areas: ["strings"],
  },
  {
    id: "is-meant",
    pattern: /\b(is|are|was|were) meant\b(?! (to|for)\b)/i,
    hint: "use 'intended', 'did you mean', 'refers to'",
    example: "the group that is meant",
  },
  {
    id: "where-if",
    pattern:
      /\bwhere (there (is|are|was|were)|nothing|none|nobody|no|neither|(it|that|this) (is|was) (so|not so|needed|wanted|possible|known|not|none))\b|\b(undefined|null|empty) where\b|(?<=^|[.;:] )where [^.;:,?…]{3,60}, (?!and\b|or\b)/i,
    hint: "use 'if' or 'when'",
    example: "undefined where unknown",
  },
  {
    id: "is-to-be",
    pattern:
      /(?<!\b(goal|aim|purpose|way|idea|point|task|job|step|fix|rule|intent) )\b(is|are|was|were) to (be|know|do|say|go|have|take|see|make|get|hold|keep|show|stay|change|send|come)\b/i,
    hint: "use 'must', 'should', 'will'",
    example: "the row is to be written",
  },
  {
    id: "of-its-own",
    pattern:
      /\bof (its|their|his|your|our|one's) own\b|\b(a|an|the|no|any|one|some|something|nothing|[a-z]+s) of (ours|yours|theirs|mine)\b/i,
    hint: "use 'its own X', 'your X', 'a separate X'",
    example: "a limit of its own",
  },
  {
    id: "but-for",
    pattern:
      /\b(but|save) for (the|a|an|those|what|one|its|it|that|this)\b|\b(as|same) [^.;:]{0,40}, but that\b/i,
    hint: "use 'except'",
    example: "all but for the last",
  },
  {
    id: "question",
    pattern: /^\s*(Is|Does|Has|Have|Can|May|Are|Was|Were|Do|Should|Must|Did|Will|Would)\b[^.!]*\?/,
    hint: "use 'Returns whether …'",
    example: " Is it a number?",
    areas: comments,
  },
  {
    id: "the-same",
    pattern: /^\s*The same (for|where|of|as|with|in|but|without|from|by|when|if)\b/,
    hint: "state what it does, then 'See X.'",
    example: "The same for groups.",
    areas: comments,
  },
  {
    id: "returns-what",
    pattern: /@returns? (what|who|whom|whose|those|where|that which|as)\b/i,
    hint: "name the value: '@returns the rows that …'",
    example: "@returns what was written",
    areas: comments,
  },
  {
    id: "promise-id",
    pattern: /(^|[.!?;)] |\s)[A-Z]{1,2}\d{1,2}[a-z]?: /,
    hint: "write the sentence first; put the id in parentheses at its end",
    example: "T1: the response counts",
    areas: comments,
  },
  {
    id: "term-world",
    pattern: /\bworlds?\b(?!\s*(wide|clock))/i,
    hint: "use 'emulator state', 'emulator', 'dataset'",
    example: "a new world",
  },
  {
    id: "term-thing",
    pattern: /\b(?<!(some|any|every|no))things?\b/i,
    hint: "use 'resource', 'item', 'record', 'object'",
    example: "a thing of a group",
  },
  {
    id: "term-surface",
    pattern: /\bsurfaces?\b/i,
    hint: "use 'API': 'Public API', 'distributor API v2'",
    example: "the distributor surface",
    areas: prose,
  },
  {
    id: "term-hold",
    pattern:
      /(…|\b(file|folder|database|sheet|cell|row|column|document|archive|answer|body|line|list|it|which|that)) holds? (?!to\b|for\b|on\b|back\b|true\b)/i,
    hint: "use 'contains'",
    example: "the file holds rows",
    areas: prose,
  },
  {
    id: "term-answer",
    pattern:
      /\b(lost|the (service|server|API)'s|an?|each|every) answers?\b(?! (the phone|calls|questions|as|with|from|in|to))|\banswer('s)? (was|is|were) lost\b/i,
    hint: "use 'response'",
    example: "the answer was lost",
  },
  {
    id: "term-throwaway",
    pattern: /\bthrow-?away\b/i,
    hint: "use 'temporary' or 'disposable'",
    example: "a throw-away copy",
  },
  {
    id: "term-person",
    pattern: /\b(for|to|by) (a person|people)\b/i,
    hint: "use 'user', 'interactive', 'on a terminal'",
    example: "readable for a person",
    areas: ["strings", ...comments],
  },
  {
    id: "term-house",
    pattern: /\b(the|our|its) house\b|\brooms\b|\bin its words\b/i,
    hint: "use 'project', 'architecture', 'module'",
    example: "the rooms of the project",
    areas: ["docs", "comments"],
  },
];
