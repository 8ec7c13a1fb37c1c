import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Header, Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Check } from 'lucide-react'
import { buttonClass } from '../button.tsx'
import { cx } from '../cx.ts'
import { MenuPopover, menuItemClass } from '../menu.tsx'

export type Choices = {
  label: string
  items: { id: string; label: string }[]
  selected: string[]
  onChange: (selected: string[]) => void
}

type ChoicesMenuProps = {
  label: string
  children: ReactNode
  sections: Choices[]
  /** Something is chosen that narrows the list. */
  active?: boolean
  square?: boolean
  className?: string
}

/** A button with lists of things of which any number may be chosen. It stays open meanwhile. */
export function ChoicesMenu(props: ChoicesMenuProps) {
  const { label, children, sections, active, square, className } = props
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={label}
        className={cx(
          buttonClass('secondary', 'md', square),
          'hover:bg-hover aria-expanded:bg-pressed',
          active && 'border-accent-border! bg-accent-surface!',
          className,
        )}
      >
        {children}
      </AriaButton>
      <MenuPopover placement="bottom start" className="max-h-96">
        <Menu aria-label={label} className="outline-none">
          {sections.map((section) => (
            <Section key={section.label} {...section} titled={sections.length > 1} />
          ))}
        </Menu>
      </MenuPopover>
    </MenuTrigger>
  )
}

function Section({ label, items, selected, onChange, titled }: Choices & { titled: boolean }) {
  return (
    <MenuSection
      aria-label={label}
      selectionMode="multiple"
      selectedKeys={selected}
      onSelectionChange={(keys) => onChange([...(keys as Set<string>)])}
      className="[&+&]:mt-1 [&+&]:border-t [&+&]:pt-1"
    >
      {titled && <Header className="caps px-2 py-1 text-tertiary">{label}</Header>}
      {items.map((item) => (
        <MenuItem
          key={item.id}
          id={item.id}
          textValue={item.label}
          shouldCloseOnSelect={false}
          className={menuItemClass()}
        >
          {({ isSelected }) => (
            <>
              <span
                aria-hidden
                className={cx(
                  'flex size-4 items-center justify-center rounded-sm border',
                  isSelected
                    ? 'border-transparent bg-accent text-on-accent'
                    : 'border-line-control',
                )}
              >
                {isSelected && <Check size={12} strokeWidth={2.5} />}
              </span>
              <span className="flex-1">{item.label}</span>
            </>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  )
}
