import {
  Header,
  Menu,
  MenuItem as AriaMenuItem,
  MenuSection,
  SubmenuTrigger,
} from 'react-aria-components/Menu'
import { Separator } from 'react-aria-components/Separator'
import { Check, ChevronRight } from 'lucide-react'
import { useCapability } from '../data/capabilities.ts'
import { signOut, useCurrentUser } from '../data/session.ts'
import { demoPeople, resetDemo } from '../identity/session/demo.ts'
import { DemoPersonText } from '../identity/session/demo-person.tsx'
import {
  menuFrameClass,
  MenuItem,
  menuItemClass,
  PopupMenu,
  PopupMenuItem,
} from '../ui/menu-popup.tsx'
import type { PopupProps } from '../ui/popup-button.tsx'
import { TriggeredFrame } from '../ui/popup-frame.tsx'
import { cx } from '../ui/cx.ts'
import { pathTo } from '../data/addresses.ts'
import { setPreference, usePreferences } from '../page/preferences.ts'
import { setTheme, useTheme, type Theme } from './theme.ts'

const themes: { id: Theme; label: string }[] = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'system', label: 'System' },
]
const densities = [
  { id: 'comfortable', label: 'Comfortable' },
  { id: 'compact', label: 'Compact' },
] as const

const landings = [
  { id: 'lists', label: 'Lists' },
  { id: 'overview', label: 'Overviews' },
] as const

const labels = ['Settings', 'Theme', 'Table rows', 'First page', 'Sign out']

export function UserMenuPopup(from: PopupProps) {
  const theme = useTheme()
  const { density, landing } = usePreferences()
  const hasOverviews = useCapability('overviews')
  const people = demoPeople()?.people.map(({ name }) => name) ?? []
  const shown = labels.filter((label) => label !== 'First page' || hasOverviews)
  const ending = people.length > 0 ? [resetDemo.label] : []
  const order = [...people, ...shown.slice(0, -1), ...ending, ...shown.slice(-1)].map((label) => ({
    id: label,
    label,
  }))
  return (
    <PopupMenu from={from} placement="bottom-end" order={order}>
      {demoPeople() && <DemoPeople />}
      <MenuItem action={{ label: 'Settings', href: pathTo('/settings/profile') }} />
      <Choices
        label="Theme"
        items={themes}
        selected={theme}
        onSelect={(id) => setTheme(id as Theme)}
      />
      <Choices
        label="Table rows"
        items={densities}
        selected={density}
        onSelect={(id) => setPreference('density', id as typeof density)}
      />
      {hasOverviews && (
        <Choices
          label="First page"
          items={landings}
          selected={landing}
          onSelect={(id) => setPreference('landing', id as typeof landing)}
        />
      )}
      <Separator className="my-1 border-t" />
      {people.length > 0 && <MenuItem action={resetDemo} />}
      <MenuItem action={{ label: 'Sign out', onAction: () => void signOut() }} />
    </PopupMenu>
  )
}

/** Demo only: switches to another user. */
function DemoPeople() {
  const { people, become } = demoPeople()!
  const { displayName } = useCurrentUser()
  return (
    <MenuSection
      aria-label="Try the demo as"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[displayName]}
      onSelectionChange={(keys) => void become(String([...(keys as Set<string>)][0]))}
      className="mb-1 border-b pb-1"
    >
      <Header className="label px-2 py-1 text-tertiary">Try the demo as</Header>
      {people.map((person) => (
        <PopupMenuItem
          key={person.name}
          id={person.name}
          textValue={person.name}
          className={cx(menuItemClass(), 'py-1.5')}
        >
          {({ isSelected }) => (
            <>
              <DemoPersonText {...person} />
              {isSelected && <Check size={14} strokeWidth={1.5} aria-hidden />}
            </>
          )}
        </PopupMenuItem>
      ))}
    </MenuSection>
  )
}

type ChoicesProps = {
  label: string
  items: readonly { id: string; label: string }[]
  selected: string
  onSelect: (id: string) => void
}

/** A submenu of radio items, which stays open for trying several. */
function Choices({ label, items, selected, onSelect }: ChoicesProps) {
  return (
    <SubmenuTrigger>
      <PopupMenuItem id={label} textValue={label} className={menuItemClass()}>
        <span className="flex-1">{label}</span>
        <ChevronRight size={14} strokeWidth={1.5} aria-hidden className="text-tertiary" />
      </PopupMenuItem>
      <TriggeredFrame placement="left-start" className={cx(menuFrameClass, 'min-w-36!')}>
        <Menu
          aria-label={label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[selected]}
          onSelectionChange={(keys) => onSelect(String([...(keys as Set<string>)][0]))}
          className="outline-none"
        >
          {items.map((item) => (
            <AriaMenuItem
              key={item.id}
              id={item.id}
              textValue={item.label}
              shouldCloseOnSelect={false}
              className={menuItemClass()}
            >
              {({ isSelected }) => (
                <>
                  <span className="flex-1">{item.label}</span>
                  {isSelected && <Check size={14} strokeWidth={1.5} aria-hidden />}
                </>
              )}
            </AriaMenuItem>
          ))}
        </Menu>
      </TriggeredFrame>
    </SubmenuTrigger>
  )
}
