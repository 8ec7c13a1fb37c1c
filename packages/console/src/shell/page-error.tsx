import { type ErrorComponentProps, useMatch, useMatches, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, use, type ReactNode } from 'react'
import { GoneError, isMissing } from '../data/errors.ts'
import { LoadError, RoleNotice } from '../page/load-error.tsx'
import { DialogPart } from '../ui/dialog.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Button } from '../ui/button.tsx'
import { type Crumb, crumbsOf } from './crumbs.ts'
import { NavItems } from './nav.tsx'
import { useRetry } from './use-retry.ts'

const Gone = lazyPart(() => import('./gone.tsx').then((m) => ({ default: m.Gone })))

/**
 * Replaces a page, a tab or a panel that failed; the shell and everything around stay. A 404
 * shows the page "Page not found" instead.
 */
export function PageError({ error }: ErrorComponentProps) {
  const retry = useRetry(error)
  if (isMissing(error)) throw error
  return (
    <FailedPart>
      {(title, list) =>
        error instanceof GoneError ? (
          <Suspense>
            <Gone error={error} list={list} />
          </Suspense>
        ) : (
          <LoadError what={title ? `“${title}”` : 'This page'} error={error} onRetry={retry}>
            <RoleNotice error={error} />
          </LoadError>
        )
      }
    </FailedPart>
  )
}

type PanelProps = { title: string; onDismiss: () => void; children: ReactNode }

/** The design system's panel is not part of the start, and may itself fail to load. */
const Panel = lazy(() =>
  import('../ui/side-modal.tsx').then(
    (module) => ({ default: module.ReadOnlySideModal }),
    () => ({ default: PlainPanel }),
  ),
)

const PlainPanel = ({ title, onDismiss, children }: PanelProps) => (
  <section
    role="dialog"
    aria-label={title}
    className="fixed inset-y-0 end-0 z-[200] flex w-[32rem] max-w-full flex-col gap-5 border-s border-line-strong bg-page px-6 py-5 shadow-modal max-sm:px-4"
  >
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
    <Button className="self-start" onClick={onDismiss}>
      Close
    </Button>
  </section>
)

type FailedPartProps = {
  /** @param list the page above the failed part */
  children: (title: string | undefined, list: Crumb | undefined) => ReactNode
}

/** Frames the error like the failed part: a panel, a page with a heading, or a tab. */
function FailedPart({ children }: FailedPartProps) {
  const { id, routeId, pathname, staticData } = useMatch({ strict: false })
  const navigate = useNavigate()
  const matches = useMatches()
  const items = use(NavItems)
  const trail = crumbsOf(matches.slice(0, matches.findIndex((match) => match.id === id) + 1))
  // The routes of a page below may be what failed to load (`route-groups.ts`).
  const below =
    routeId.endsWith('/$') && items.find(({ path }) => `${pathname}/`.startsWith(`${path}/`))
  const own = below ? { label: below.label, path: below.path, titleOnly: false } : trail.at(-1)
  const list = trail.at(-2)
  const content = children(own?.label, list)
  if (own?.titleOnly) {
    const dismiss = () => void navigate({ to: list?.path ?? '/' })
    return (
      <DialogPart onDismiss={dismiss}>
        <Panel title={own.label} onDismiss={dismiss}>
          {/* The panel has its own padding. */}
          <div className="[--gutter:0px]">{content}</div>
        </Panel>
      </DialogPart>
    )
  }
  return (
    <>
      {!staticData.isTab && own && (
        <PageHeader
          title={own.label}
          icon={items.find(({ path }) => path === own.path || path === list?.path)?.icon}
        />
      )}
      {content}
    </>
  )
}
