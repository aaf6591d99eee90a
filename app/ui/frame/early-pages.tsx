/**
 * Pages that the browser fetches early: when a link is pointed at, and when it is pressed. A page that is
 * opened early must cost little and change nothing, so what counts views, signs in or out, or is a download is left alone.
 */
const NEVER = [
  "/api/*",
  "/auth/*",
  "/download/*",
  "/feeds/*",
  "/html/*",
  // Logging in and out.
  "/log*",
  "/raw_svg/*",
  "/share/*",
  "/shared/*",
];

/** The pages that take longest to draw. */
const FILES = ["/file/:id", "/md/:id", "/svg/:id"];

const isLoadedEarly = ({ among = ["/*"], except = [] }: { among?: string[]; except?: string[] } = {}) => ({
  and: [
    { href_matches: among },
    { not: { href_matches: [...NEVER, ...except] } },
    // A line that is chosen stays on its page.
    { not: { selector_matches: "[download], .line-number" } },
  ],
});

const RULES = JSON.stringify({
  prefetch: [{ where: isLoadedEarly({ except: FILES }), eagerness: "moderate" }],
  prerender: [
    { where: isLoadedEarly({ among: FILES }), eagerness: "moderate" },
    { where: isLoadedEarly({ except: FILES }), eagerness: "conservative" },
  ],
});

export function EarlyPages({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the rules are ours
  return <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: RULES }} />;
}
