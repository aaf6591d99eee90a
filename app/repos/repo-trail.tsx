import { useText } from "#app/i18n/text.ts";
import { buildTrail, repoPlace } from "#domain/repos/repo-place.ts";

type TrailProps = { name: string; path: string; className?: string };

export function RepoTrail({ name, path, className = "around-3" }: TrailProps) {
  const text = useText().repos;
  const trail = buildTrail(path);
  return (
    <nav className={`path repo-trail small mono ${className}`} aria-label={text.where} dir="ltr">
      <ol className="wraps">
        <li>
          {path === "" ? (
            <span aria-current="page">{text.root}</span>
          ) : (
            <a href={repoPlace(name)}>{text.root}</a>
          )}
        </li>
        {trail.map((folderName, i) => (
          <li key={folderName.path}>
            {i === trail.length - 1 ? (
              <bdi aria-current="page">{folderName.name}</bdi>
            ) : (
              <a href={repoPlace(name, "", { path: folderName.path })}>
                <bdi>{folderName.name}</bdi>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
