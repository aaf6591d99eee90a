import { usePage } from "#app/page-context.ts";

/** React's types do not know it of scripts. */
const UNHURRIED = { fetchpriority: "low" };

/** What a browser draws before it is shown gets its script after its first frame, which would otherwise wait for it. */
const loadWhenShown = (src: string) => `{const load=()=>import("${src}");
if(document.prerendering)document.addEventListener("prerenderingchange",()=>requestAnimationFrame(()=>setTimeout(load)));else load()}`;

/** The script that adds behaviour to a page that already works. */
export function PageScript() {
  const { script, nonce, person, early } = usePage();
  if (!script) return null;
  if (early === "prerendered")
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is ours
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: loadWhenShown(script.src) }} />;
  // Scripts have little to add for strangers: what they see comes first.
  const isStranger = !person;
  return (
    <>
      {!isStranger && script.preloads.map((href) => <link key={href} rel="modulepreload" href={href} />)}
      <script type="module" nonce={nonce} src={script.src} {...(isStranger && UNHURRIED)} />
    </>
  );
}
