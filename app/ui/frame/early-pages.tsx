/**
 * Pages that the browser fetches early: when a link is pointed at, and when it is pressed. A page that is
 * opened early must cost nothing and change nothing, so what counts views, signs in or out, or is a download is left alone.
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

const isLoadedEarly = (...left: string[]) => ({
  and: [
    { href_matches: "/*" },
    { not: { href_matches: [...NEVER, ...left] } },
    // A line that is chosen stays on its page.
    { not: { selector_matches: "[download], .line-number" } },
  ],
});

const RULES = JSON.stringify({
  // The page of a file remembers when it was opened, which a mere look at its link is not.
  prefetch: [{ where: isLoadedEarly("/file/*", "/md/*", "/svg/*"), eagerness: "moderate" }],
  prerender: [{ where: isLoadedEarly(), eagerness: "conservative" }],
});

export function EarlyPages({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the rules are ours
  return <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: RULES }} />;
}
