/** The elements of HTML and SVG that a text may mean as markup. Elements with parsing rules of their own are left out. */
const KNOWN = new Set(
  `a abbr acronym address animate animatetransform area article aside audio b base bdi bdo big blockquote body br button canvas caption center
  circle cite clippath code col colgroup data datalist dd defs del desc details dfn dialog dir div dl dt ellipse em embed fieldset figcaption
  figure filter font footer foreignobject form g h1 h2 h3 h4 h5 h6 head header hgroup hr html i image img input ins kbd label legend li line
  lineargradient link main map mark marker mask math menu meta meter nav nobr noscript object ol optgroup option output p param path pattern
  picture polygon polyline pre progress q radialgradient rect rp rt ruby s samp search section select slot small source span stop strike strong
  sub summary sup svg symbol table tbody td template text tfoot th thead time tr track tspan tt u ul use var video wbr`.split(
    /\s+/,
  ),
);
const TAG = /<(?=\/?([a-z][a-z0-9-]*)([:@.+]?))/gi;
const COMPONENT = /^[A-Z].*[a-z]/;
const LETTER = /^[A-Z]$/;

const isMarkup = (name: string) =>
  !COMPONENT.test(name) && !LETTER.test(name) && KNOWN.has(name.toLowerCase());

/** Escapes what only looks like an element, such as `Vec<T>` or `<your name>`; a sanitiser would drop it. Addresses in angle brackets stay. */
export function escapeUnknownTags(text: string): string {
  return text.replace(TAG, (bracket, name: string, next: string) =>
    next !== "" || isMarkup(name) ? bracket : "&lt;",
  );
}
