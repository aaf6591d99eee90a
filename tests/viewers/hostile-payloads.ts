import SOURCES from "./hostile-payloads.json" with { type: "json" };

const RUN = "console.log(/pwned/),alert(1)";
const OUT = "https://evil.test/x";

export type Payload = { name: string; text: string };

/**
 * Texts that try to make a browser run or fetch something. RUN stands for a script that reveals itself, OUT for an address on another
 * host, JS for a script's own address. Each is saved as HTML, as Markdown and as SVG, opened in every view, and named by its kind.
 */
export const PAYLOADS: readonly Payload[] = Object.entries(SOURCES).flatMap(([kind, sources]) =>
  sources.map((source, i) => ({
    name: `${kind} ${i + 1}`,
    text: source.replaceAll("JS", `javascript:${RUN}`).replaceAll("RUN", RUN).replaceAll("OUT", OUT),
  })),
);
