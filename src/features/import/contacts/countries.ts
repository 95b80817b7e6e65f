import { plainHeader } from "./headers.js";
import type { Numbering, NumberingPlan } from "./numbering.js";
import { asPhoneText, cleanCell } from "./phone-text.js";

/** Two-letter code of each country, followed by its three-letter code (ISO 3166). */
const alpha3 =
  // plain-words: allow sentence-long
  "ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL " +
  "BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD " +
  "CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK " +
  "DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD " +
  "GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GTGTM GUGUM GWGNB GYGUY HKHKG HNHND HRHRV HTHTI " +
  "HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR " +
  "KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR " +
  "MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI " +
  "MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF " +
  "PGPNG PHPHL PKPAK PLPOL PMSPM PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC " +
  "SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA " +
  "TDTCD TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA USUSA UYURY UZUZB " +
  "VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE";
/**
 * Country names that `Intl` doesn't know, and the country codes of vehicle registration plates, which some
 * address lists use.
 */
const alsoKnown =
  "A:AT B:BE D:DE E:ES F:FR FL:LI H:HU I:IT L:LU N:NO P:PT S:SE UK:GB England:GB Scotland:GB Wales:GB " +
  "GreatBritain:GB Grossbritannien:GB Schottland:GB BRD:DE Holland:NL America:US Amerika:US CzechRepublic:CZ " +
  "TschechischeRepublik:CZ ČeskáRepublika:CZ Turkey:TR Macedonia:MK Mazedonien:MK Weissrussland:BY UAE:AE VAE:AE";

/**
 * Returns a function that reads a country from a cell, which can contain an ISO code, a name in one of ten
 * languages, or a calling code such as `+49`, `0049` or `49`. The returned function returns null for an empty
 * cell and undefined for an unknown country.
 */
export function createCountryReader({
  planOf,
  planOfCode,
}: Pick<Numbering, "planOf" | "planOfCode">): (cell: string) => NumberingPlan | null | undefined {
  let names: ReadonlyMap<string, string> | undefined;
  const known = new Map<string, NumberingPlan | null | undefined>();
  const byName = (text: string): NumberingPlan | undefined => {
    names ??= countryNames();
    const country = names.get(plainHeader(text));
    return country === undefined ? undefined : planOf(country);
  };
  const parse = (cell: string): NumberingPlan | null | undefined => {
    const text = asPhoneText(cleanCell(cell)).replace(/\(\s*0\s*\)/, "");
    if (text === "") return null;
    const whole = byName(text);
    if (whole !== undefined) return whole;
    // Examples: `+49`, `0049`, `Germany (+49)`, `DE - Deutschland`.
    const plans = text
      .split(/[^\p{L}\p{M}\d. ]+|(?<=[\p{L}\p{M}]) *(?=\d)/u)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => (/^\d[\d\s]*$/.test(part) ? planOfCode(part.replace(/\s|^00/g, "")) : byName(part)));
    const [first] = plans;
    return plans.every((plan) => plan?.callingCode === first?.callingCode) ? first : undefined;
  };
  return (cell) => {
    const text = cell.trim();
    if (known.has(text)) return known.get(text);
    const plan = parse(text);
    // A country column has few distinct values. Limit the cache in case the column contains other data.
    if (known.size < mostKept) known.set(text, plan);
    return plan;
  };
}

const mostKept = 1_000;

const languages = ["de", "en", "fr", "it", "es", "nl", "pl", "cs", "hu", "tr"];

function countryNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const pairs = alpha3.split(" ").map((pair) => [pair.slice(0, 2), pair.slice(2)] as const);
  const add = (name: string, country: string) => {
    const plain = plainHeader(name);
    if (plain !== "" && !names.has(plain)) names.set(plain, country);
  };
  for (const [country, long] of pairs) for (const name of [country, long]) add(name, country);
  // If a name means different countries in two languages, use the first language in the list.
  for (const language of languages)
    for (const style of ["long", "short"] as const) {
      const shown = new Intl.DisplayNames([language], { type: "region", style });
      for (const [country] of pairs) add(shown.of(country) ?? country, country);
    }
  for (const entry of alsoKnown.split(" ")) {
    const [name = "", country = ""] = entry.split(":");
    names.set(plainHeader(name), country);
  }
  return names;
}
