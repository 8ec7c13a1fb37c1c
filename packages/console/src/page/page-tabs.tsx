import type { ConsolePath } from '@steading/api/rules'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Needing, useAvailable } from '../data/capabilities.ts'
import { useQuickActions } from '../ui/quick-actions.ts'
import { RouteTab, RouteTabs } from '../ui/tabs.tsx'
import { pathTo } from '../data/addresses.ts'

/** The tabs of a page. A new tab needs a line here, and a route below that of the page. */
export type TabsDefinition = {
  /** Prefix of the element IDs. */
  id: string
  label: string
  /** Contents of a tab: a list from edge to edge, or cards. */
  contents: 'list' | 'cards'
  tabs: readonly ({ label: string; to: ConsolePath } & Needing)[]
}

const panelClass = { list: 'flex grow flex-col pt-4', cards: 'flex flex-col gap-6 py-6' }

const tabId = (id: string, label: string) => `${id}-tab-${label.toLowerCase().replaceAll(' ', '-')}`

type PageTabsProps = {
  of: TabsDefinition
  params?: Record<string, string>
  /** The group of the tabs in the palette. */
  group: string
}

/** The tabs of a page with the chosen one; the palette offers them as well. */
export function PageTabs({ of: { id, label: name, tabs }, params, group }: PageTabsProps) {
  const available = useAvailable(tabs)
  useQuickActions(available.map(({ label, to }) => ({ label, path: pathTo(to, params), group })))
  return (
    <>
      <RouteTabs label={name}>
        {available.map(({ to, label }) => (
          // Typed by each definition's paths, which all take the parameters of its page.
          <RouteTab key={to} id={tabId(id, label)} to={to as '/'} params={params as never}>
            {label}
          </RouteTab>
        ))}
      </RouteTabs>
      <Outlet />
    </>
  )
}

type TabPanelProps<Of extends TabsDefinition> = {
  of: Of
  tab: Of['tabs'][number]['label']
  children: ReactNode
}

/** The panel of a tab. */
export const TabPanel = <Of extends TabsDefinition>({ of, tab, children }: TabPanelProps<Of>) => (
  <div role="tabpanel" aria-labelledby={tabId(of.id, tab)} className={panelClass[of.contents]}>
    {children}
  </div>
)
