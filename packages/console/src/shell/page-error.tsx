import { type ErrorComponentProps, useMatch, useMatches, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { GoneError, isMissing } from '../data/errors.ts'
import { LoadError } from '../page/load-error.tsx'
import { RoleNotice } from '../page/role-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ReadOnlySideModal } from '../ui/side-modal.tsx'
import { type Crumb, crumbsOf } from './crumbs.ts'
import { Gone } from './gone.tsx'
import { useRetry } from './use-retry.ts'

/**
 * In the place of a page, a tab or a panel that cannot be shown: the shell and everything around it
 * stay. What does not exist gets the page "Page not found" instead.
 */
export function PageError({ error }: ErrorComponentProps) {
  const retry = useRetry(error)
  if (isMissing(error)) throw error
  return (
    <FailedPart>
      {(title, list) =>
        error instanceof GoneError ? (
          <Gone error={error} list={list} />
        ) : (
          <LoadError what={title ? `“${title}”` : 'This page'} error={error} onRetry={retry}>
            <RoleNotice error={error} />
          </LoadError>
        )
      }
    </FailedPart>
  )
}

type FailedPartProps = {
  /** @param list the page above the part */
  children: (title: string | undefined, list: Crumb | undefined) => ReactNode
}

/** Frames the error like the part that failed: a panel, a page with a heading, or a tab. */
function FailedPart({ children }: FailedPartProps) {
  const { id, staticData } = useMatch({ strict: false })
  const navigate = useNavigate()
  const matches = useMatches()
  const trail = crumbsOf(matches.slice(0, matches.findIndex((match) => match.id === id) + 1))
  const own = trail.at(-1)
  const list = trail.at(-2)
  const content = children(own?.label, list)
  if (own?.titleOnly) {
    const dismiss = () => void navigate({ to: list?.path ?? '/' })
    return (
      <ReadOnlySideModal title={own.label} onDismiss={dismiss}>
        {content}
      </ReadOnlySideModal>
    )
  }
  return (
    <>
      {!staticData.isTab && own && <PageHeader title={own.label} />}
      {content}
    </>
  )
}
