import { createLink } from '@tanstack/react-router'
import {
  useId,
  type AnchorHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  Suspense,
} from 'react'
import { cx } from './cx.ts'

const tabClass = cx(
  'focus-inset relative flex h-9 shrink-0 items-center rounded-control px-2.5 max-sm:px-2 whitespace-nowrap text-secondary select-none hover:text-primary',
  'aria-selected:text-primary aria-selected:after:absolute aria-selected:after:inset-x-2.5 max-sm:aria-selected:after:inset-x-2 aria-selected:after:-bottom-px aria-selected:after:border-b-2 aria-selected:after:border-accent',
)

/**
 * Left and Right move the focus and activate, wrapping around; arrows with a modifier are the
 * browser's.
 */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>) {
  const right = document.dir === 'rtl' ? -1 : 1
  const step = event.key === 'ArrowRight' ? right : event.key === 'ArrowLeft' ? -right : 0
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const index = tabs.indexOf(document.activeElement as HTMLElement)
  const next = tabs.at((index + step) % tabs.length)
  if (index < 0 || !next) return
  event.preventDefault()
  next.focus()
  next.click()
}

/** Visible part of the next tab, a hint that there are more. */
const NEXT = 40

/**
 * Keeps the selected tab visible where the tabs are wider than the page. Used as the `ref` of
 * the strip.
 */
function showSelected(strip: HTMLElement | null): (() => void) | undefined {
  if (!strip) return undefined
  const show = () => {
    const tab = strip.querySelector('[aria-selected="true"]')
    if (!tab || strip.scrollWidth <= strip.clientWidth) return
    const { left, right } = tab.getBoundingClientRect()
    const edges = strip.getBoundingClientRect()
    strip.scrollLeft +=
      Math.max(0, right + NEXT - edges.right) || Math.min(0, left - NEXT - edges.left)
  }
  // Called for the first time after layout.
  const sizes = new ResizeObserver(show)
  sizes.observe(strip)
  const tabs = new MutationObserver(show)
  tabs.observe(strip, { subtree: true, childList: true, attributeFilter: ['aria-selected'] })
  return () => {
    sizes.disconnect()
    tabs.disconnect()
  }
}

function TabStrip({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div
      ref={showSelected}
      role="tablist"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={moveBetweenTabs}
      className="flex shrink-0 gap-1 overflow-x-auto border-b px-[calc(var(--gutter)-10px)] max-sm:gap-0 max-sm:px-[calc(var(--gutter)-8px)] [scrollbar-width:none]"
    >
      {children}
    </div>
  )
}

type TabAnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

function TabAnchor({ className, children, ...props }: TabAnchorProps) {
  const selected = 'data-status' in props && props['data-status'] === 'active'
  return (
    <a
      {...props}
      role="tab"
      aria-current={undefined}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      className={cx(tabClass, className)}
    >
      {children}
    </a>
  )
}

/** `<RouteTabs label="…"><RouteTab to="…" params={…}>Storage</RouteTab>…</RouteTabs>`; the page renders the outlet in a `TabPanel`. */
export const RouteTabs = TabStrip
export const RouteTab = createLink(TabAnchor)

type QueryTabsProps = {
  label?: string
  tabs: { id: string; label: ReactNode; content: ReactNode }[]
  selected: string
  /** Stores the choice in `?tab=`, replacing the history entry; the first tab removes it. */
  onSelect: (id: string) => void
  panelClass?: string
}

export function QueryTabs({ label, tabs, selected, onSelect, panelClass }: QueryTabsProps) {
  const id = useId()
  const shown = tabs.find((tab) => tab.id === selected) ?? tabs[0]
  return (
    <>
      <TabStrip label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === shown}
            aria-controls={tab === shown ? `${id}-panel` : undefined}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            className={tabClass}
          >
            {tab.label}
          </button>
        ))}
      </TabStrip>
      {shown && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${shown.id}`}
          className={panelClass}
        >
          <Suspense>{shown.content}</Suspense>
        </div>
      )}
    </>
  )
}
