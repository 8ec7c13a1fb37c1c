import { createLink, type LinkComponent, useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { ArrowUpRight } from 'lucide-react'
import { cx } from './cx.ts'
import { cut } from './cut.tsx'

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

/** A link inside text. */
export const TextLink = createLink(({ className, children, ...props }: AnchorProps) => (
  <a {...props} className={cx('link rounded-sm', className)}>
    {children}
  </a>
))

/** The content of a cell's link or button: a text in one line, or whatever else it is. */
export const cellContent = (children: ReactNode, className?: string) =>
  typeof children === 'string'
    ? cut(children, cx('cell-link', className))
    : { className: cx('cell-link', className), children }

/** Milliseconds of hovering over a link before its page is preloaded. */
const INTENT = 50
let intent: ReturnType<typeof setTimeout> | undefined
const forgetIntent = () => clearTimeout(intent)

/**
 * The link of a table row, which fills the cell. Each of the router's links subscribes to the
 * address; these, fifty on a page, do not depend on it. They do not preload on focus: walking
 * the rows by keyboard would read every item.
 */
function RowLink({ to, params, className, children, ...props }: AnchorProps & RowLinkTarget) {
  const router = useRouter()
  const target = { to, params } as never
  const content = cellContent(children, className)
  // Uses the current address, because the row may have been renamed or removed.
  const preload = (link: HTMLAnchorElement) => {
    if (link.isConnected) void router.preloadRoute({ to: link.pathname }).catch(() => {})
  }
  const preloadSoon = ({ currentTarget }: MouseEvent<HTMLAnchorElement>) => {
    forgetIntent()
    intent = setTimeout(() => preload(currentTarget), INTENT)
  }
  return (
    <a
      {...props}
      href={router.buildLocation(target).href}
      onClick={(event) => {
        const { metaKey, altKey, ctrlKey, shiftKey } = event
        if (event.button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return
        event.preventDefault()
        forgetIntent()
        void router.navigate(target)
      }}
      onMouseEnter={preloadSoon}
      onMouseLeave={forgetIntent}
      onTouchStart={({ currentTarget }) => preload(currentTarget)}
      {...content}
    >
      {content.children}
    </a>
  )
}

type RowLinkTarget = { to: string; params?: object }

/** Typed like the router's `Link`. It leads to another page, without search parameters. */
export const CellLink = RowLink as unknown as LinkComponent<typeof RowLink>

/** Looks like a `CellLink`, but leads to the same page with other search parameters. */
export const CellLinkHere = createLink(({ className, children, ...props }: AnchorProps) => {
  const content = cellContent(children, className)
  return (
    <a {...props} {...content}>
      {content.children}
    </a>
  )
})

export function ExternalLink({ children, className, ...props }: AnchorProps) {
  return (
    <a {...props} target="_blank" rel="noreferrer" className={cx('link rounded-sm', className)}>
      {children}
      <ArrowUpRight
        size={14}
        strokeWidth={1.5}
        className="ms-0.5 inline align-[-2px]"
        aria-hidden
      />
    </a>
  )
}
