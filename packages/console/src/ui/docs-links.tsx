import { docsUrl, docsOfStatus, timeseriesDocs } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { ExternalLink } from './link.tsx'
import type { MenuAction } from './menu-action.ts'
import { hasDocs } from './server-state.ts'

/** A link to a page of the documentation, or nothing if the control plane does not serve it. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return hasDocs.useValue() && <ExternalLink href={docsUrl(page)}>{children}</ExternalLink>
}

/** A link to the documentation of an error, if there is any. */
export function ErrorHelp({ status }: { status: number }) {
  const page = docsOfStatus(status)
  return page && <DocsLink page={page}>Troubleshooting</DocsLink>
}

/** Opens the documentation of a time series; empty if there is none. */
export function useAboutMetric(name: string): MenuAction[] {
  if (!hasDocs.useValue()) return []
  const href = new URL(docsUrl(timeseriesDocs(name)), location.origin).href
  return [{ label: 'About this metric', local: true, href }]
}
