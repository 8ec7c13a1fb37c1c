import { docsUrl } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { hasDocs } from './server-state.ts'
import { ExternalLink } from './link.tsx'

/** A link to a page of the documentation, or nothing if there is no documentation. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return hasDocs.useValue() && <ExternalLink href={docsUrl(page)}>{children}</ExternalLink>
}
