let visited: string[] = []

/** Notes that a page has been opened. @returns whether it is the first one since they were taken */
export const noteVisit = (pathname: string): boolean => visited.push(pathname) === 1

/** The paths of the pages that were opened since this was last called. */
export function takeVisits(): string[] {
  const paths = visited
  visited = []
  return paths
}
