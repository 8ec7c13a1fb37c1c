import { docsUrl, timeseriesDocs } from '@steading/api/rules'
import { hasDocs } from '../server-state.ts'
import type { MenuAction } from '../menu-action.ts'

/** Opens the description of a time series; nothing where there is no documentation. */
export function useAboutMetric(name: string): MenuAction[] {
  if (!hasDocs.useValue()) return []
  const href = new URL(docsUrl(timeseriesDocs(name)), location.origin).href
  return [{ label: 'About this metric', local: true, href }]
}
