/**
 * Labelled edit histories: a text, a note's lines, the edit, and where a careful reader would place the note. Marks in the text: `»`
 * before each line of the note in the old text, `«` before each line where it belongs in the new one.
 */
import type { AnchorState } from "#domain/notes/note-anchor.ts";

export type EditHistory = { name: string; state: AnchorState; from: string; to: string };

const CODE = `import { open } from "fs";

function first(path) {
  const handle = open(path);
  return handle.read();
}

function second(path) {
  const handle = open(path);
  return handle.size();
}

function third(items) {
  for (const item of items) {
    print(item);
  }
  return items.length;
}

module.exports = { first, second, third };`;

const POEM = `# שיר

## בית ראשון

אני הולך בשדה
והרוח שרה לי
על ימים שעברו

## בית שני

אני חוזר הביתה
והאור בחלון
קורא לי בשמי

## סוף

לילה טוב`;

const CONFIG = `{
  "name": "shelf",
  "port": 3000,
  "limits": {
    "size": 10,
    "count": 20
  },
  "paths": {
    "root": "/srv",
    "temp": "/tmp"
  },
  "debug": false
}`;

type Span = number | readonly [from: number, to: number];
type Edit = (lines: string[]) => string[];

const first = (span: Span) => (typeof span === "number" ? span : span[0]);
const last = (span: Span) => (typeof span === "number" ? span : span[1]);
const mark = (lines: string[], span: Span, sign: "»" | "«") =>
  lines.map((line, i) => (i + 1 >= first(span) && i + 1 <= last(span) ? sign + line : line)).join("\n");

function history(
  state: AnchorState,
  name: string,
  base: string,
  on: Span,
  edit: Edit,
  now?: Span,
): EditHistory {
  const to = edit(base.split("\n"));
  const marked = now === undefined ? to.join("\n") : mark(to, now, "«");
  return { name, state, from: mark(base.split("\n"), on, "»"), to: marked };
}
const same = (name: string, base: string, on: Span, edit: Edit) => history("same", name, base, on, edit, on);
const moved = (name: string, base: string, on: Span, now: Span, edit: Edit) =>
  history("moved", name, base, on, edit, now);
const changed = (name: string, base: string, on: Span, edit: Edit, now: Span = on) =>
  history("changed", name, base, on, edit, now);
const lost = (name: string, base: string, on: Span, edit: Edit) => history("lost", name, base, on, edit);

const insert =
  (line: number, ...added: string[]): Edit =>
  (lines) =>
    lines.toSpliced(line - 1, 0, ...added);
const remove =
  (line: number, count = 1): Edit =>
  (lines) =>
    lines.toSpliced(line - 1, count);
const change =
  (position: number, line: string): Edit =>
  (lines) =>
    lines.with(position - 1, line);
const move =
  (line: number, count: number, before: number): Edit =>
  (lines) => {
    const block = lines.slice(line - 1, line - 1 + count);
    const others = lines.toSpliced(line - 1, count);
    return others.toSpliced(before - 1 - (before > line ? count : 0), 0, ...block);
  };
const all =
  (...edits: Edit[]): Edit =>
  (lines) =>
    edits.reduce((text, edit) => edit(text), lines);

const comment = (n: number) => Array.from({ length: n }, (_, i) => `// remark ${i}`);
const nothing: Edit = (lines) => lines;

const MORE = insert(21, "// the end");
const HEAD = insert(1, "// head");

export const HISTORIES: EditHistory[] = [
  // Nothing that concerns the note
  same("saved again without a change", CODE, 5, nothing),
  same("a line added at the end", CODE, 5, MORE),
  same("the line below changed", CODE, 4, change(5, "  return handle.readAll();")),
  same("the line above changed", CODE, 14, change(13, "function third(things) {")),
  same("everything below deleted", CODE, 3, remove(7, 14)),
  same("a brace, with something added at the end of the file", CODE, 6, MORE),
  same("a blank line, with something changed far below", CODE, 2, change(20, "module.exports = {};")),
  same("both neighbours changed", CODE, 5, all(change(4, "  const h = open(path);"), change(6, "};"))),

  // Inserted and removed lines above
  moved("one line inserted above", CODE, 5, 6, HEAD),
  moved("a hundred lines inserted above", CODE, 17, 117, insert(2, ...comment(100))),
  moved("a line inserted right above", CODE, 10, 11, insert(10, "  log(handle);")),
  moved("the first line deleted", CODE, 5, 4, remove(1)),
  moved("a function above deleted", CODE, 10, 5, remove(3, 5)),
  moved("the line right above deleted", CODE, 10, 9, remove(9)),
  moved("more inserted above than deleted", CODE, 15, 19, all(remove(3, 5), insert(1, ...comment(9)))),
  same("as much inserted above as deleted", CODE, 15, all(remove(1, 2), insert(1, "// a", "// b"))),
  moved("a range, with lines inserted above", CODE, [13, 18], [16, 21], insert(1, ...comment(3))),
  moved("a range, with lines deleted above", CODE, [13, 18], [8, 13], remove(3, 5)),
  moved("a repeated line, the second of two, with a line put on top", CODE, 9, 10, HEAD),
  moved("a repeated line, the first of two, with a line put on top", CODE, 4, 5, HEAD),
  moved("a brace, with a line put on top", CODE, 11, 12, HEAD),
  moved("a blank line, with a line put on top", CODE, 7, 8, HEAD),
  moved("the last line, with lines inserted before it", CODE, 20, 24, insert(20, ...comment(4))),
  moved("a Hebrew line, with a stanza above", POEM, 11, 15, insert(3, "## פתיחה", "", "היה היה", "")),
  moved("a setting, with an object above it deleted", CONFIG, 9, 5, remove(4, 4)),
  moved(
    "a closing brace of settings, with a setting above",
    CONFIG,
    7,
    8,
    insert(3, '  "host": "localhost",'),
  ),

  // Moved blocks
  moved("a function moved down, the note inside it", CODE, 5, 10, move(3, 5, 13)),
  moved("a function moved up, the note inside it", CODE, 15, 5, move(13, 7, 3)),
  moved("a whole function noted and moved to the end", CODE, [8, 11], [15, 18], move(8, 5, 20)),
  moved("one unmistakable line moved far away", CODE, 17, 4, move(17, 1, 4)),
  moved("two functions swapped, the note in the second", CODE, 10, 5, move(8, 5, 3)),
  moved("a stanza moved to the end", POEM, 6, 15, move(3, 6, 18)),
  moved("an object of settings moved up", CONFIG, 9, 4, move(8, 4, 3)),

  // Changes of the line itself
  changed("a word of the line changed", CODE, 10, change(10, "  return handle.length();")),
  changed("the line indented more", CODE, 15, change(15, "      print(item);")),
  changed("a remark added to the line", CODE, 17, change(17, "  return items.length; // how many")),
  changed(
    "the line changed and lines inserted above",
    CODE,
    17,
    all(change(17, "  return items.length + 1;"), insert(1, ...comment(5))),
    22,
  ),
  changed(
    "the line changed and its neighbour with it",
    CODE,
    14,
    all(change(14, "  for (const item of list) {"), change(15, "    show(item);")),
  ),
  changed("a word of a Hebrew line changed", POEM, 7, change(7, "על שנים שעברו")),
  changed("a value of a setting changed", CONFIG, 3, change(3, '  "port": 8080,')),
  changed("one line of a range changed", CODE, [13, 18], change(15, "    log(item);")),
  changed("a line inserted inside a range", CODE, [13, 18], insert(15, "    count += 1;"), [13, 19]),
  changed("a line deleted inside a range", CODE, [13, 18], remove(15), [13, 17]),
  changed("the first line of a range deleted", CODE, [13, 18], remove(13), [13, 17]),

  // Deletion of the line
  lost("the line deleted", CODE, 17, remove(17)),
  lost("the line deleted, another one alike in words stays", CODE, 5, remove(5)),
  lost("the function around it deleted", CODE, 15, remove(13, 7)),
  lost("a whole range deleted", CODE, [13, 18], remove(13, 6)),
  lost("the file emptied", CODE, 5, () => [""]),
  lost("the file rewritten", CODE, 5, () => POEM.split("\n")),
  lost("a Hebrew text rewritten", POEM, 6, () => CONFIG.split("\n")),
  lost("the line replaced by something else", CODE, 17, change(17, "  throw new Error('never');")),
  lost("a setting deleted", CONFIG, 3, remove(3)),
  lost(
    "a short line deleted, and the same words written into a new function",
    CODE.replace("return items.length", "return x1"),
    17,
    all(remove(17), insert(3, "function zero(x1) {", "  return x1;", "}", "")),
  ),

  // Duplicates of the line
  same("the line duplicated below", CODE, 5, insert(6, "  return handle.read();")),
  moved("the line copied far above", CODE, 17, 18, insert(3, "  return items.length;")),
  same("the function copied below, whole", CODE, 15, (lines) => insert(20, ...lines.slice(12, 19))(lines)),
  lost("the second of two equal lines deleted, the note on it", CODE, 9, remove(9)),
  moved("the first of two equal lines deleted, the note on the second", CODE, 9, 8, remove(4)),
  lost("the note's brace deleted with its function, other braces stay", CODE, 11, remove(8, 5)),
  // Cases in which a diff alone would choose a line that only looks like the note's
  {
    name: "one function's end deleted together with the next one's beginning",
    state: "lost",
    from: "function f() {\n  alpha();\n»  return done;\n}\nfunction g() {\n  beta();\n  return done;\n}",
    to: "function f() {\n  beta();\n  return done;\n}",
  },
  {
    name: "a brace of a function that became something else",
    state: "changed",
    from: "function a() {\n  foo();\n»}",
    to: "class B {\n  bar();\n«}",
  },
  {
    name: "a line that was duplicated while others were put above",
    state: "changed",
    from: "alpha line\n»return value;\nomega line",
    to: "head line\nalpha line\nreturn value;\n«return value;\nomega line",
  },
  {
    name: "the first of two equal entries deleted with what was around it, the other moved up",
    state: "lost",
    from: "[one]\nname = a\n»kind = x\nsize = 1\n[two]\nname = b\nkind = x\nsize = 2",
    to: "[two]\nname = b\nkind = x\nsize = 2",
  },
  {
    name: "the first of two blocks that begin alike deleted",
    state: "changed",
    from: "»begin block\n  alpha = 1\nend\nbegin block\n  beta = 2\nend",
    to: "«begin block\n  beta = 2\nend",
  },
  same("a file of equal lines, one more", "same\nsame\nsame\nsame", 2, insert(1, "same")),

  // Lines with little content
  {
    name: "a lone return of a deleted function, with the same return in the function above",
    state: "lost",
    from: "function last(list) {\n  sort(list);\n  return true;\n}\n\nfunction check(list) {\n  test(list);\n»  return true;\n}\n\nfunction begin(list) {\n  open(list);\n}",
    to: "function last(list) {\n  sort(list);\n  return true;\n}\n\nfunction begin(list) {\n  open(list);\n}",
  },
  {
    name: "a lone return of a deleted function, and a new function with the same return in its place",
    state: "changed",
    from: "function check(list) {\n  inspect(list);\n»  return true;\n}\n\nfunction begin(list) {\n  open(list);\n}",
    to: "function prepare(room) {\n  clean(room);\n«  return true;\n}\n\nfunction begin(list) {\n  open(list);\n}",
  },
  {
    name: "an except of a deleted function, which another function gets",
    state: "lost",
    from: "def load(path):\n    try:\n        return read(path)\n»    except Exception as error:\n        log(error)\n\ndef save(path):\n    write(path)\n",
    to: "def save(path):\n    try:\n        write(path)\n    except Exception as error:\n        warn(error)\n",
  },
  {
    name: "the brace of a deleted function between others",
    state: "lost",
    from: "function one() {\n  first();\n}\n\nfunction two() {\n  second();\n»}\n\nfunction three() {\n  third();\n}",
    to: "function one() {\n  first();\n}\n\nfunction three() {\n  third();\n}",
  },
  {
    name: "a lone return that moved with its whole function",
    state: "moved",
    from: "function check(list) {\n  inspect(list);\n»  return true;\n}\n\nfunction begin(list) {\n  open(list);\n  close(list);\n  say(list);\n}",
    to: "function begin(list) {\n  open(list);\n  close(list);\n  say(list);\n}\n\nfunction check(list) {\n  inspect(list);\n«  return true;\n}",
  },
  {
    name: "a lone return with the line above it changed",
    state: "same",
    from: "function check(list) {\n  inspect(list);\n»  return true;\n}",
    to: "function check(list) {\n  inspect(list, all);\n«  return true;\n}",
  },
  {
    name: "a lone return whose function got another parameter, with the line above it changed and lines put on top",
    state: "moved",
    from: "function check(list) {\n  inspect(list);\n»  return true;\n}",
    to: "// one\n// two\nfunction check(list, strict) {\n  inspect(list, strict);\n«  return true;\n}",
  },
  {
    name: "a line that is the whole file, with two lines put above",
    state: "moved",
    from: "»return true;",
    to: "first line\nsecond line\n«return true;",
  },
  {
    name: "a brace in a file of braces, with one put above",
    state: "same",
    from: "}\n}\n»}\n}\n}",
    to: "}\n}\n«}\n}\n}\n}",
  },
  {
    name: "the second of repeated blocks, with lines put above",
    state: "moved",
    from: "<li>\n  one\n</li>\n»<li>\n  two\n</li>",
    to: "<ul>\n<li>\n  one\n</li>\n«<li>\n  two\n</li>\n</ul>",
  },
  {
    name: "a Hebrew remark, with the function around it renamed",
    state: "moved",
    from: "function a() {\n»  // מתחילים כאן מחדש\n  foo();\n}",
    to: "// חדש\nfunction renamed() {\n«  // מתחילים כאן מחדש\n  bar();\n}",
  },
  {
    name: "an inner line wrapped in try",
    state: "changed",
    from: "function a() {\n  const found = find();\n»  return true;\n}",
    to: "function a() {\n  try {\n    const found = find();\n«    return true;\n  } catch (error) {\n    log(error);\n  }\n}",
  },
  {
    name: "a closing tag, with the same tag put around",
    state: "moved",
    from: "<div>\n<p>words</p>\n»</div>",
    to: "<div>\n<div>\n<p>words</p>\n«</div>\n</div>",
  },
];
