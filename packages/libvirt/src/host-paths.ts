/** Paths of the host, which are the operator's business: users see the names at most. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A message of a program with the names of files in place of their paths. */
export const withoutPaths = (text: string): string =>
  text
    // Quoted ones may have blanks.
    .replaceAll(
      /(['"])(\/[^'"]*)\1/g,
      (_, quote: string, path: string) => quote + nameOf(path) + quote,
    )
    .replaceAll(/(?:\/[^\s/'":,]+)+\/[^\s/'":,]*|(?<![^\s=(:,])\/[^\s/'":,]+/g, nameOf)
