/** Whose time series a query reads: those of a project, or those of the whole fleet. */
export type QueryScope = { project: string } | 'system'
