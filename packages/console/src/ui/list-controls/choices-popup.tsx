import { Header, Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Check } from 'lucide-react'
import { cx } from '../cx.ts'
import { menuItemClass, MenuPopover, PopupTrigger } from '../menu-popup.tsx'
import type { PopupProps } from '../popup-button.tsx'
import type { Choices } from './choices.ts'

/** Lists of things of which any number may be chosen. They stay open meanwhile. */
export function ChoicesPopup({ sections, ...begun }: PopupProps & { sections: Choices[] }) {
  return (
    <MenuTrigger>
      <PopupTrigger {...begun} />
      <MenuPopover placement="bottom start" className="max-h-96">
        <Menu aria-label={begun.button.label} className="outline-none">
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
