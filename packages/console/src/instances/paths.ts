/** Where a new instance is made. */
export const instanceCreatePath = (project: string): string =>
  `/projects/${encodeURIComponent(project)}/instances-new`
