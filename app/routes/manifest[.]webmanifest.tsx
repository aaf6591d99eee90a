import type { LoaderFunctionArgs } from "@remix-run/node";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { LOCALES } from "#domain/locale.ts";
import { HOUR_SECONDS } from "#domain/time/durations.ts";

/** The name and the abilities of an installed copy, in the language of the person who installs it. */
export async function loader({ context }: LoaderFunctionArgs) {
  const locale = await context.locale();
  const { product, tagline, nav, upload, notes } = getDictionary(locale);
  const toIcon = (size: number) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
  });
  const manifest = {
    name: product,
    short_name: product,
    description: tagline,
    lang: locale,
    dir: LOCALES[locale].dir,
    id: "/",
    start_url: "/dashboard",
    scope: "/",
    display: "standalone",
    background_color: "#faf8f4",
    theme_color: "#1f4e9e",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      toIcon(192),
      toIcon(512),
      { ...toIcon(512), src: "/icon-maskable-512.png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: upload.title, url: "/upload", icons: [toIcon(192)] },
      { name: nav.files, url: "/files", icons: [toIcon(192)] },
      { name: notes.title, url: "/notes", icons: [toIcon(192)] },
    ],
    // Files that another app shares are saved at once; a text waits in the form for its name.
    share_target: {
      action: "/upload",
      method: "POST",
      enctype: "multipart/form-data",
      params: {
        title: "shared_title",
        text: "shared_text",
        url: "shared_url",
        files: [{ name: "files", accept: ["text/*", "application/json", "image/svg+xml", "*/*"] }],
      },
    },
  };
  return new Response(JSON.stringify(manifest), {
    headers: {
      "Content-Type": "application/manifest+json; charset=utf-8",
      "Cache-Control": `private, max-age=${HOUR_SECONDS}`,
      Vary: "Cookie, Accept-Language",
    },
  });
}
