import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { cellContent } from './link.tsx'
import type { ListContent } from './list-popup.tsx'
import { popup, PopupButton } from './popup-button.tsx'
import { EmptyCell, Truncate } from './text.tsx'

const list = popup('dialog', () => import('./list-popup.tsx').then((module) => module.ListPopup))

/** The first item and the number of remaining ones, which a popup or a tooltip lists. */
export function ListPlusCell({ title, items }: ListContent) {
  const [first, ...rest] = items
  if (!first) return <EmptyCell />
  if (rest.length === 0) return first.content ?? first.text
  return (
    <span className="flex items-center gap-1.5">
      {first.content ?? first.text}
      <Rest title={title} items={rest} />
    </span>
  )
}

function Rest({ title, items }: ListContent) {
  const count = `+${items.length}`
  return (
    <PopupButton
      popup={list}
      content={{ title, items }}
      label={`${count} ${title}`}
      tooltip={[title, ...items.map(({ text }) => text)].join('\n')}
      className="focus-inset rounded-full border border-line-strong px-1.5 text-xs text-secondary hover:bg-hover aria-expanded:bg-pressed"
    >
      {count}
    </PopupButton>
  )
}

/** Looks and fills its cell like a `CellLink`, but opens a panel. */
export function CellButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} {...cellContent(children, 'max-w-full text-start')} />
  )
}

/** An address or a network, with its copy button. */
export const AddressCell = ({ address }: { address: string }) => (
  <span className="flex min-w-0 items-center gap-0.5">
    <span className="min-w-0 font-mono text-xs tracking-tight">
      <Truncate text={address} />
    </span>
    <CopyButton text={address} />
  </span>
)
