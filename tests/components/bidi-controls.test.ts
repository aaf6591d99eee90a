import { describe, expect, it } from "vitest";
import { hasBidiControls, showBidiControls } from "#app/web/ui/bidi-controls.ts";

describe("characters that turn the reading order around", () => {
  it("are found and drawn by name", () => {
    const html = "access = \u202E \u2066// check\u2069";

    expect(hasBidiControls(html)).toBe(true);
    expect(showBidiControls(html)).toBe(
      'access = <span class="bidi-control">RLO</span> <span class="bidi-control">LRI</span>// check<span class="bidi-control">PDI</span>',
    );
  });

  it("are not reported in ordinary Hebrew, emoji or code", () => {
    const html = "# שלום, עולם 👩‍💻 <span>let x = 1;</span>";

    expect(hasBidiControls(html)).toBe(false);
    expect(showBidiControls(html)).toBe(html);
  });
});
