import { installation } from '../../src/installation.ts'
import { loadSite, type StaticSite } from '../../src/static.ts'

let site: StaticSite | undefined

/** The built console, which this process reads once for all servers. */
export const consoleSite = (): StaticSite => (site ??= loadSite(installation.console))
