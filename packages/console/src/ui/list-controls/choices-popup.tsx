import { Check } from 'lucide-react'
import { Header, MenuSection } from 'react-aria-components/Menu'
import { cx } from '../cx.ts'
import { menuItemClass, PopupMenu, PopupMenuItem } from '../menu-popup.tsx'
import type { PopupProps } from '../popup-button.tsx'
import { type Noun, countNumber, countOf } from './count-text.ts'

/** A list of choices, multiple by default. */
export type Choices = {
  label: string
  /** Counts appear beside the labels; null: more than are counted, undefined: not known yet. */
  items: { id: string; label: string; count?: number | null }[]
  /** Noun for the counts, which are shown only with it. */
  counted?: Noun
  selected: string[]
  /** Single choice, which closes the menu. */
  single?: true
  onChange: (selected: string[]) => void
}

/** Lists of choices: multiple ones stay open, single ones close. */
export function ChoicesPopup({ sections, ...from }: PopupProps & { sections: Choices[] }) {
  return (
    <PopupMenu
      from={from}
      placement="bottom-start"
      className="max-h-[min(24rem,var(--available-height))]!"
      order={sections.flatMap(({ items }) => items)}
    >
      {sections.map((section) => (
        <Section key={section.label} {...section} titled={sections.length > 1} />
      ))}
    </PopupMenu>
  )
}

const describe = (noun: Noun, count: number | null | undefined) =>
  count === undefined ? undefined : countOf(noun, count)

function Section(props: Choices & { titled: boolean }) {
  const { label, items, counted, selected, single, onChange, titled } = props
  return (
    <MenuSection
      aria-label={label}
      selectionMode={single ? 'single' : 'multiple'}
      disallowEmptySelection={single}
      selectedKeys={selected}
      onSelectionChange={(keys) => onChange([...(keys as Set<string>)])}
      className="[&+&]:mt-1 [&+&]:border-t [&+&]:pt-1"
    >
      {titled && <Header className="caps px-2 py-1 text-tertiary">{label}</Header>}
      {items.map((item) => (
        <PopupMenuItem
          key={item.id}
          id={item.id}
          textValue={item.label}
          shouldCloseOnSelect={single ?? false}
          className={menuItemClass()}
          render={(domProps: object) => (
            <div {...domProps} aria-description={counted && describe(counted, item.count)} />
          )}
        >
          {({ isSelected }) => (
            <>
              <span
                aria-hidden
                className={cx(
                  'flex size-4 items-center justify-center',
                  !single && 'rounded-sm border',
                  !single &&
                    (isSelected
                      ? 'border-transparent bg-accent text-on-accent'
                      : 'border-line-control'),
                )}
              >
                {isSelected && <Check size={single ? 14 : 12} strokeWidth={single ? 1.5 : 2.5} />}
              </span>
              <span className={cx('flex-1', item.count === 0 && !isSelected && 'text-tertiary')}>
                {item.label}
              </span>
              {counted && (
                <span
                  aria-hidden
                  className="min-w-16 text-right text-xs text-tertiary tabular-nums"
                >
                  {item.count === undefined ? '' : countNumber(item.count)}
                </span>
              )}
            </>
          )}
        </PopupMenuItem>
      ))}
    </MenuSection>
  )
}
