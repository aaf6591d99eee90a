import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";

const picture = (colours: "light" | "dark") =>
  `/pictures/file-${colours}-1x.webp 1280w, /pictures/file-${colours}-2x.webp 2560w`;

const SIZES = "(width >= 76rem) 72rem, 100vw";

/** The product as it looks, in the colours the visitor sees the page in. */
export function ProductPicture() {
  const text = useText().home;
  const { theme } = usePage();
  const followsSystem = theme === "system" || theme === "contrast";
  return (
    <picture>
      {followsSystem && (
        <source srcSet={picture("dark")} sizes={SIZES} media="(prefers-color-scheme: dark)" />
      )}
      <img
        className="home-picture"
        srcSet={picture(theme === "dark" ? "dark" : "light")}
        sizes={SIZES}
        alt={text.picture}
        fetchPriority="high"
        width={1280}
        height={720}
      />
    </picture>
  );
}
