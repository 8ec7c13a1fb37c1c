/** What the help of the pages about silos says. */
export const siloSummary =
  'A silo is a tenant of the cloud: it has users, groups, projects and quotas of its own, and sees nothing of other silos.'
