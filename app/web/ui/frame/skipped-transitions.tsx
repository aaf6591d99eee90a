// A browser skips the transition to a page that it cannot show in time and reports that as an error of the page. The page's script starts
// too late to catch it.
const SCRIPT = `addEventListener("pagereveal",(e)=>e.viewTransition?.ready.catch(()=>{}))`;

export function SkippedTransitions({ nonce }: { nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is ours
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
