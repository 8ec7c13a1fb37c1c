import { Check } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Header, MenuSection } from 'react-aria-components/Menu'
import { withMoved } from '../column-order.ts'
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
  /** Called with the selected items in another order, if they have one. */
  onOrder?: ((selected: string[]) => void) | undefined
}

/** The key of the tag by whose values the rows of a list are grouped. */
export type Grouping = {
  /** Reads the keys in use. Without them the choice is missing. */
  readKeys: () => Promise<readonly string[]>
  selected: string | undefined
  onChange: (key?: string) => void
}

/** Begins the ids of keys, which columns may be named like. */
const GROUP = 'group:'

function groupChoices({ selected, onChange }: Grouping, keys: readonly string[]): Choices[] {
  const all = [...new Set([...keys, ...(selected ? [selected] : [])])]
  if (all.length === 0) return []
  return [
    {
      label: 'Group by tag',
      single: true,
      items: ['', ...all].map((key) => ({ id: GROUP + key, label: key || 'None' })),
      selected: [GROUP + (selected ?? '')],
      onChange: ([id]) => onChange(id!.slice(GROUP.length) || undefined),
    },
  ]
}

type ChoicesPopupProps = PopupProps & { sections: Choices[]; grouping?: Grouping | false }

/** Lists of choices: multiple ones stay open, single ones close. */
export const ChoicesPopup = ({ grouping, ...props }: ChoicesPopupProps) =>
  grouping ? <WithGroups grouping={grouping} {...props} /> : <Lists {...props} />

function WithGroups({ grouping, sections, ...props }: ChoicesPopupProps & { grouping: Grouping }) {
  const [keys, setKeys] = useState<readonly string[]>([])
  const read = useEffectEvent(() => grouping.readKeys())
  useEffect(() => {
    read().then(setKeys, () => {})
  }, [])
  return <Lists {...props} sections={[...sections, ...groupChoices(grouping, keys)]} />
}

function Lists({ sections, ...from }: PopupProps & { sections: Choices[] }) {
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

/** Properties that the library gives to the element of an item. */
interface Rendered {
  onKeyDown?(event: KeyboardEvent): void
}

const describe = (noun: Noun, count: number | null | undefined) =>
  count === undefined ? undefined : countOf(noun, count)

/** Returns the focus to an item once it has moved, which some browsers take from it. */
function FocusWhen({ arrived }: { arrived: () => boolean }) {
  const here = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (arrived()) here.current!.closest<HTMLElement>('[role^=menuitem]')!.focus()
  })
  return <span ref={here} hidden />
}

function Section(props: Choices & { titled: boolean }) {
  const { label, items, counted, selected, single, onChange, onOrder, titled } = props
  const moving = useRef<{ id: string; to: number }>(undefined)
  const move = (id: string, by: number) => {
    const to = selected.indexOf(id) + by
    const place = selected[to]
    if (!selected.includes(id) || place === undefined) return
    moving.current = { id, to }
    onOrder!(withMoved(selected, id, place))
  }
  const arrived = (id: string): boolean => {
    const isHere = moving.current?.id === id && selected[moving.current.to] === id
    if (isHere) moving.current = undefined
    return isHere
  }
  return (
    <MenuSection
      aria-label={label}
      selectionMode={single ? 'single' : 'multiple'}
      disallowEmptySelection={single}
      selectedKeys={selected}
      onSelectionChange={(keys) => onChange([...(keys as Set<string>)])}
      className="[&+&]:mt-1 [&+&]:border-t [&+&]:pt-1"
    >
      {(titled || onOrder) && (
        <Header className="flex items-baseline justify-between gap-4 px-2 py-1 text-tertiary">
          <span className="label">{label}</span>
          {onOrder && <span className="text-xs max-sm:hidden">Alt ↑ ↓ moves</span>}
        </Header>
      )}
      {items.map((item) => (
        <PopupMenuItem
          key={item.id}
          id={item.id}
          textValue={item.label}
          shouldCloseOnSelect={single ?? false}
          className={menuItemClass()}
          render={({ onKeyDown, ...domProps }: Rendered) => (
            // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- has its role already
            <div
              {...domProps}
              aria-description={counted && describe(counted, item.count)}
              aria-keyshortcuts={onOrder && 'Alt+ArrowUp Alt+ArrowDown'}
              onKeyDown={(event) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                if (!onOrder || !event.altKey || !by) return onKeyDown?.(event)
                event.preventDefault()
                event.stopPropagation()
                move(item.id, by)
              }}
            />
          )}
        >
          {({ isSelected }) => (
            <>
              {onOrder && <FocusWhen arrived={() => arrived(item.id)} />}
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
                <span aria-hidden className="min-w-16 text-end text-xs text-tertiary tabular-nums">
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
