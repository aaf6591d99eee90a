import { usePage } from "#app/page-context.ts";

/** React's types lack the attribute on scripts. */
const LOW_PRIORITY = { fetchpriority: "low" };

/** A prerendered page starts its script after its first frame, which would otherwise wait for it. */
const loadWhenShown = (src: string) => `{const load=()=>import("${src}");
if(document.prerendering)document.addEventListener("prerenderingchange",()=>requestAnimationFrame(()=>setTimeout(load)));else load()}`;

export function PageScript() {
  const { script, nonce, person, early } = usePage();
  if (!script) return null;
  if (early === "prerendered")
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is ours
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: loadWhenShown(script.src) }} />;
  // Scripts add little for visitors who are not signed in, so the content comes first.
  const isStranger = !person;
  return (
    <>
      {!isStranger && script.preloads.map((href) => <link key={href} rel="modulepreload" href={href} />)}
      <script type="module" nonce={nonce} src={script.src} {...(isStranger && LOW_PRIORITY)} />
    </>
  );
}
