/** Words that are frequent in all code: reserved words and the usual names of nameless things. A line of only these words looks like many others. */
const COMMON_WORDS = new Set(
  `abstract and any as assert async await base begin bool boolean break byte case catch char class const constexpr constructor continue
  def default defer del delete do done double elif else elseif elsif end ensure enum err error ex exc except exception explicit export
  extends extern false fi final finally float fn for foreach from func function global go goto guard if impl implements import in init
  inline instanceof int interface internal is it lambda let local long loop main match method mod module move mut namespace new next nil
  none nonlocal not null number object of ok operator or override package pass print private procedure program protected pub public
  raise readonly record ref repeat require rescue result return returns sealed select self short signed sizeof static str string struct
  super switch synchronized template test then this throw throws to trait transient true try tuple type typedef typeof undefined union unless
  unsafe unsigned until use using val value values var virtual void volatile when where while with yield
  a b body br button div e form g h1 h2 h3 head html i input j k li n nav ol option p path pre section span svg table tbody td th thead tr
  ul x y`
    .trim()
    .split(/\s+/),
);

/** The part of a line that is read; more is never needed to distinguish it. */
const READ_MAX = 500;

export function listUncommonWords(line: string): string[] {
  const words = line.slice(0, READ_MAX).match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => !COMMON_WORDS.has(word.toLowerCase()));
}
