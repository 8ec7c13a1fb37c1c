/** Paths of the host, which only operators may see. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A message of a program, with names of files in place of their paths. */
export const withoutPaths = (text: string): string =>
  text
    // Quoted paths may have blanks.
    .replaceAll(
      /(['"])(\/[^'"]*)\1/g,
      (_, quote: string, path: string) => quote + nameOf(path) + quote,
    )
    .replaceAll(/(?:\/[^\s/'":,]+)+\/[^\s/'":,]*|(?<![^\s=(:,])\/[^\s/'":,]+/g, nameOf)
