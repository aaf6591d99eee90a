import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";

/** A line that everybody sees below the bar, optionally with a link to a page of this site. */
export type Announcement = { id: string; text: string; link: string | null };

export const ANNOUNCEMENT_MAX = 280;

export function isAnnouncementId(text: string): boolean {
  return isOpaqueId(text);
}

export type AnnouncementDraft = Pick<Announcement, "text" | "link">;

export function checkAnnouncement(text: string, link: string): AnnouncementDraft | Refusal {
  const line = text.trim();
  if (line === "" || codePoints(line) > ANNOUNCEMENT_MAX || hasControlCharacters(line))
    return Refusal("invalid_announcement_text", { max: ANNOUNCEMENT_MAX });
  const trimmedLink = link.trim();
  const path = trimmedLink === "" ? null : sameSitePath(trimmedLink, "");
  return path === "" ? Refusal("invalid_announcement_link") : { text: line, link: path };
}
