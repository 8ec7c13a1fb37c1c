import { Link, useLocation } from '@tanstack/react-router'
import { BookOpen, Command } from 'lucide-react'
import { DOCS_PATH } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import { tooltip } from '../ui/tooltip.tsx'
import { hasDocs } from '../ui/server-state.ts'
import { setOverlay } from '../page/overlays.ts'
import { modLabel } from '../ui/keyboard/shortcuts.ts'
import { type NavGroup, navGroups, type NavItem } from './nav-entry.ts'
import { usePreferences } from '../page/preferences.ts'
import { GroupButton, SidebarShortcuts } from './sidebar-shortcuts.tsx'

export type SidebarProps = { top: NavItem[]; heading: string; items: NavItem[] }

export function SidebarContent({
  top,
  heading,
  items,
  narrow,
}: SidebarProps & { narrow: boolean }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-1 overflow-x-hidden overflow-y-auto p-3">
      <button
        type="button"
        onClick={() => setOverlay('palette')}
        aria-label={narrow ? 'Jump to' : undefined}
        className={cx(
          'focus-inset mb-2 flex h-8 shrink-0 items-center gap-2.5 rounded-control border border-line-strong bg-raised px-2 text-secondary hover:text-primary',
          narrow && 'justify-center',
        )}
        {...(narrow ? tooltip('Jump to') : {})}
      >
        <Command size={14} strokeWidth={1.5} aria-hidden className="shrink-0" />
        {!narrow && (
          <>
            <span className="flex-1 text-start">Jump to</span>
            <kbd aria-hidden className="font-sans text-xs text-tertiary">
              {modLabel}+K
            </kbd>
          </>
        )}
      </button>
      {!narrow && <SidebarShortcuts />}
      {top.length > 0 && (
        <>
          <NavList items={top} narrow={narrow} />
          <hr className="my-2 border-t" />
        </>
      )}
      {!narrow && (
        <div
          className="shrink-0 truncate px-2 pt-1 pb-1.5 text-xs font-medium text-tertiary"
          {...tooltip(heading, 'truncated')}
        >
          {heading}
        </div>
      )}
      <NavList items={items} narrow={narrow} about={heading} docs />
    </div>
  )
}

type NavListProps = {
  items: NavItem[]
  narrow: boolean
  /** Name of the group, which distinguishes the lists for screen readers. */
  about?: string
  docs?: boolean
}

function NavList({ items, narrow, about, docs }: NavListProps) {
  const documented = hasDocs.useValue()
  const linksOf = (group: NavGroup | undefined) =>
    items
      .filter((item) => item.group === group)
      .map((item) => (
        <li key={item.path}>
          <NavLink item={item} narrow={narrow} />
        </li>
      ))
  const opened = openByDefault(items)
  return (
    <nav aria-label={`Sidebar navigation${about ? `: ${about}` : ''}`}>
      <ul className="flex flex-col gap-0.5">
        {linksOf(undefined)}
        {groups.map((group) => {
          const links = linksOf(group)
          if (!links.length) return null
          return narrow ? (
            links
          ) : (
            <NavSection
              key={group}
              id={group}
              items={items}
              initiallyOpen={opened.has(group)}
              links={links}
            />
          )
        })}
        {docs && documented && (
          <li className="mt-2">
            <a href={`${DOCS_PATH}/`} target="_blank" rel="noreferrer" className="nav-link">
              <BookOpen size={16} strokeWidth={1.5} aria-hidden />
              <span className={cx(narrow && 'sr-only')}>Docs</span>
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}

const groups = Object.keys(navGroups) as NavGroup[]

/** Entries that a new user sees at once. */
const MOST_ENTRIES = 7

/** The first groups, as long as there are few entries. */
function openByDefault(items: NavItem[]): Set<NavGroup> {
  const sizeOf = (group?: NavGroup) => items.filter((item) => item.group === group).length
  let shown = sizeOf()
  return new Set(groups.filter((group) => (shown += sizeOf(group)) <= MOST_ENTRIES))
}

type NavSectionProps = {
  id: NavGroup
  items: NavItem[]
  initiallyOpen: boolean
  links: ReactNode
}

/** A group that can be closed. The group of the current page is always open. */
function NavSection({ id, items, initiallyOpen, links }: NavSectionProps) {
  const { groups: kept } = usePreferences()
  const current = usePathname()
  const here = items.some((item) => item.group === id && isCurrent(item, current))
  const open = here || (kept[id] ?? initiallyOpen)
  return (
    <li>
      <GroupButton id={id} open={open} disabled={here}>
        {navGroups[id]}
      </GroupButton>
      {open && <ul className="flex flex-col gap-0.5">{links}</ul>}
    </li>
  )
}

const usePathname = () =>
  useLocation({ select: (location) => decodeURI(location.pathname).replace(/-new$/, '') })

const isCurrent = ({ path, exact, also }: NavItem, pathname: string) =>
  pathname === path ||
  (!exact && [path, ...also].some((place) => `${pathname}/`.startsWith(`${place}/`)))

function NavLink({ item, narrow }: { item: NavItem; narrow: boolean }) {
  const pathname = useLocation({ select: (location) => decodeURI(location.pathname) })
  const { label, path, icon, also, count } = item
  const current = isCurrent(item, pathname)
  return (
    <Link
      to={path as '/'}
      aria-current={current ? 'page' : undefined}
      data-active={current || [path, ...also].includes(pathname.replace(/-new$/, '')) || undefined}
      activeProps={{ 'aria-current': current ? 'page' : undefined, className: '' }}
      className={cx('nav-link', narrow && 'justify-center')}
      {...(narrow ? { ...tooltip(label), 'data-tooltip-side': 'end' } : {})}
    >
      {icon}
      <span className={cx('truncate', narrow && 'sr-only')}>{label}</span>
      {Boolean(count) && (
        <span
          className={cx(
            'ms-auto rounded-full border border-line-strong px-1.5 text-xs tabular-nums text-secondary',
            narrow && 'sr-only',
          )}
        >
          {count}
        </span>
      )}
    </Link>
  )
}
