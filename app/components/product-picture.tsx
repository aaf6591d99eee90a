import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";

const LIGHT = "/pictures/file-light.webp";
const DARK = "/pictures/file-dark.webp";

/** The product as it looks, in the colours the visitor sees the page in. */
export function ProductPicture() {
  const text = useText().home;
  const { theme } = usePage();
  const followsSystem = theme === "system" || theme === "contrast";
  return (
    <picture>
      {followsSystem && <source srcSet={DARK} media="(prefers-color-scheme: dark)" />}
      <img
        className="home-picture"
        src={theme === "dark" ? DARK : LIGHT}
        alt={text.picture}
        width={2560}
        height={1440}
      />
    </picture>
  );
}
