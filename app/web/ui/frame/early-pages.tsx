/**
 * Pages that the browser prefetches when a link is hovered or pressed. Prefetching must be cheap and change nothing, so addresses that
 * count views, log in or out, or download are excluded.
 */
const NEVER = [
  "/api/*",
  "/auth/*",
  "/download/*",
  "/feeds/*",
  "/html/*",
  "/log*",
  "/raw_svg/*",
  "/share/*",
  "/shared/*",
];

/** These pages take longest to render. */
const FILES = ["/file/:id", "/md/:id", "/svg/:id"];

const createEarlyLoadRule = ({
  among = ["/*"],
  except = [],
}: {
  among?: string[];
  except?: string[];
} = {}) => ({
  and: [
    { href_matches: among },
    { not: { href_matches: [...NEVER, ...except] } },
    // A chosen line stays on its page.
    { not: { selector_matches: "[download], .line-number" } },
  ],
});

const RULES = JSON.stringify({
  prefetch: [{ where: createEarlyLoadRule({ except: FILES }), eagerness: "moderate" }],
  prerender: [
    { where: createEarlyLoadRule({ among: FILES }), eagerness: "moderate" },
    { where: createEarlyLoadRule({ except: FILES }), eagerness: "conservative" },
  ],
});

export function EarlyPageRules({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the rules are ours
  return <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: RULES }} />;
}
